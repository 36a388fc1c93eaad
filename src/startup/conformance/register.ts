import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { HttpClient } from '../../../adapters/http/client.ts';
import { createBrieven } from '../../../adapters/register/brieven/index.ts';
import { createRegister } from '../../../adapters/register/index.ts';
import { RegistratieWire } from '../../../adapters/register/wire.ts';
import type { Opdracht } from '../../ports/brieven.ts';
import type { Call } from '../../ports/call.ts';
import type { Register, Zaak } from '../../ports/register.ts';
import { type Expectation, NO_WRITES, NotTried, unless } from './check.ts';
import type { CheckContext } from './context.ts';

const Members = z.looseObject({ status: z.looseObject({}).optional() });
const MEMBERS = Object.keys(RegistratieWire.shape);
const STATUS_MEMBERS = Object.keys(RegistratieWire.shape.status.shape);

const searchFor = (burgerservicenummer: string) =>
  ({ method: 'POST', path: '/registraties/zoek', body: { burgerservicenummer } }) as const;

/** Returns the checks of a register. Those that write are skipped without `--write`. */
export function registerExpectations(http: HttpClient, testing: CheckContext): Expectation[] {
  const { persons, unknown, forEachPerson, within } = testing;
  const register = createRegister(http);
  const all = async (call: Call) => (await forEachPerson((bsn) => register.registraties({ bsn }, call))).flat();
  return [
    {
      name: 'registrations are found by burgerservicenummer, in the agreed shape',
      check: async (call) => unless((await all(call)).length > 0, 'none of the test persons is registered'),
    },
    {
      name: 'every member of a registration comes, null when it does not apply',
      // Without the adapter, which takes a member that is absent for null.
      check: async (call) => {
        const ask = (bsn: string) => http.ask({ ...searchFor(bsn), schema: z.array(Members) }, call);
        const found = (await forEachPerson(ask)).flat();
        if (found.length === 0) throw new NotTried('none of the test persons is registered');
        const missing = [
          ...MEMBERS.filter((name) => found.some((one) => !Object.hasOwn(one, name))),
          ...STATUS_MEMBERS.filter((name) => found.some(({ status }) => !Object.hasOwn(status ?? {}, name))).map(
            (name) => `status/${name}`,
          ),
        ];
        return unless(missing.length === 0, `missing: ${missing.join(', ')}`);
      },
    },
    {
      name: 'an unknown number has no registrations, and is no error',
      // Without the adapter, which reads a 404 as an empty list: a wrong path must not look like an unknown person.
      check: async (call) => {
        const found = await http.ask({ ...searchFor(unknown), schema: z.array(z.unknown()) }, call);
        return unless(found.length === 0, 'a person has this number');
      },
    },
    {
      name: 'notes of a registration, in the agreed shape',
      check: async (call) => {
        const found = await all(call);
        if (found.length === 0) throw new NotTried('none of the test persons is registered');
        await Promise.all(found.map(({ id }) => register.aantekeningen(id, call)));
        return null;
      },
    },
    {
      name: 'a registration that does not exist has no notes, and is no error',
      check: async (call) => unless((await register.aantekeningen(randomUUID(), call)).length === 0, 'it has notes'),
    },
    {
      name: 'requests of a person, in the agreed shape',
      check: async (call) => {
        await forEachPerson((bsn) => register.zaken({ bsn }, call));
        return null;
      },
    },
    submissionExpectation(register, testing),
    ...letterExpectations(http, testing),
    within((call) => register.registraties({ bsn: persons[0] ?? unknown }, call)),
  ];
}

/** Returns the expectation that requests submitted under one idempotency key give one case. Its check adds that case. */
function submissionExpectation(register: Register, { persons, write }: CheckContext): Expectation {
  return {
    name: 'a request that is sent twice under one key is one request, and the first content stands',
    skip: !write && NO_WRITES,
    mayTakeLonger: true,
    check: async (call) => {
      const [bsn] = persons;
      if (bsn === undefined) throw new NotTried('there is no test person');
      const [sleutel, kenmerk] = [`conformance-${randomUUID()}`, randomUUID()];
      const first = await register.indienen(zaak(bsn, kenmerk, '1'), sleutel, call);
      const again = await register.indienen(zaak(bsn, kenmerk, '1'), sleutel, call);
      const other = await register.indienen(zaak(bsn, kenmerk, '2'), sleutel, call);
      const byKey = await register.zaakBySleutel({ bsn }, sleutel, call);
      const never = await register.zaakBySleutel({ bsn }, randomUUID(), call);
      const known = (await register.zaken({ bsn }, call)).filter((one) => one.kenmerk === kenmerk);
      return (
        unless(first.nieuw, 'the answer to the first does not say that it is new') ??
        unless(!again.nieuw && again.referentie === first.referentie, 'the second made another request') ??
        unless(
          !other.nieuw && other.referentie === first.referentie,
          'other content under the same key made another request',
        ) ??
        unless(byKey?.referentie === first.referentie, 'it is not found by its key') ??
        unless(never === null, 'a key that was never sent finds a request') ??
        unless(known.length === 1, `afterwards the register has ${known.length} requests with our id`)
      );
    },
  };
}

function letterExpectations(http: HttpClient, { workspace }: CheckContext): Expectation[] {
  const brieven = createBrieven(http);
  const opdracht = async (call: Call): Promise<Opdracht> => {
    const found = await brieven.opdracht({ werkruimte: workspace }, call);
    if (found === null)
      throw new NotTried('there is no letter to write in this workspace; name another with --workspace');
    return found;
  };
  return [
    {
      name: 'the case of a letter is found by its workspace and by its id',
      check: async (call) => {
        const { opdrachtId } = await opdracht(call);
        const same = await brieven.opdracht({ opdrachtId }, call);
        return unless(same?.opdrachtId === opdrachtId, 'by its id the register finds none, or another case');
      },
    },
    {
      name: 'the template of a letter has sections that are required',
      check: async (call) => {
        const { sections } = await brieven.sjabloon((await opdracht(call)).templateId, call);
        return unless(
          sections.some(({ required }) => required),
          'no section is required',
        );
      },
    },
    {
      name: 'the passages that a case begins with are in the library',
      check: async (call) => {
        const { beroep, passages } = await opdracht(call);
        const known = new Set((await brieven.passages(beroep, call)).map(({ passageId }) => passageId));
        const missing = passages.filter((id) => !known.has(id)).length;
        return unless(missing === 0, `${missing} of ${passages.length} are not there`);
      },
    },
    {
      name: 'a letter goes out once',
      byHand: 'it would send a letter to a person',
      check: async () => null,
    },
  ];
}

/** Returns a change of address, which is a kind of request that the register accepts without a decision. */
const zaak = (bsn: string, kenmerk: string, huisnummer: string): Zaak => ({
  soort: 'adreswijziging',
  indiener: { bsn },
  kenmerk,
  gegevens: { straat: `Proefstraat ${huisnummer}`, postcode: '1234 AB', woonplaats: 'Proefstad' },
  documenten: [],
});
