import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { type BrpOptions, createBrp, FIELDS, isOptional } from '../../../adapters/brp/index.ts';
import { createDuo } from '../../../adapters/duo/index.ts';
import type { HttpClient } from '../../../adapters/http/client.ts';
import { parseRefusal } from '../../../adapters/http/upstream-failure.ts';
import { createBrieven } from '../../../adapters/register/brieven/index.ts';
import { createRegister } from '../../../adapters/register/index.ts';
import { RegistratieWire } from '../../../adapters/register/wire.ts';
import { MIB } from '../../domain/upload-limits.ts';
import type { Opdracht } from '../../ports/brieven.ts';
import { type Call, UpstreamError } from '../../ports/call.ts';
import { dateOf } from '../../ports/clock.ts';
import type { Documents, NewDocument, StoredDocument } from '../../ports/documents.ts';
import type { Ontvangst, Register, Zaak } from '../../ports/register.ts';
import type { Scanner } from '../../ports/scanner.ts';
import { MAX_CATEGORY_MB } from '../../uploads/categories.ts';
import { storeDocument } from '../../uploads/documents.ts';
import {
  type CheckContext,
  type CheckedStore,
  type Expectations,
  NO_WRITES,
  NotTried,
  type Shapes,
  unless,
} from './check.ts';

const Members = z.looseObject({ status: z.looseObject({}).optional() });
const MEMBERS = Object.keys(RegistratieWire.shape);
const STATUS_MEMBERS = Object.keys(RegistratieWire.shape.status.shape);

const inStatus = (name: string): string => `status/${name}`;

const searchFor = (burgerservicenummer: string) =>
  ({ method: 'POST', path: '/registraties/zoek', body: { burgerservicenummer } }) as const;

/** Checks that write are skipped without `--write`. */
export function registerExpectations(http: HttpClient, testing: CheckContext): Expectations {
  const { persons, unknown, forEachPerson, within } = testing;
  const register = createRegister(http);
  const all = async (call: Call) => (await forEachPerson((bsn) => register.registraties({ bsn }, call))).flat();
  return {
    'registrations are found by burgerservicenummer, in the agreed shape': async (call) =>
      unless((await all(call)).length > 0, 'none of the test persons is registered'),
    // Without the adapter, which takes a member that is absent for null.
    'every member of a registration comes, null when it does not apply': async (call) => {
      const ask = (bsn: string) => http.ask({ ...searchFor(bsn), schema: z.array(Members) }, call);
      const found = (await forEachPerson(ask)).flat();
      if (found.length === 0) throw new NotTried('none of the test persons is registered');
      const missing = [
        ...MEMBERS.filter((name) => found.some((one) => !Object.hasOwn(one, name))),
        ...STATUS_MEMBERS.filter((name) => found.some(({ status = {} }) => !Object.hasOwn(status, name))).map(inStatus),
      ];
      return unless(missing.length === 0, `missing: ${missing.join(', ')}`);
    },
    // Without the adapter, which reads a 404 as an empty list: a wrong path must not look like an unknown person.
    'an unknown number has no registrations, and is no error': async (call) => {
      const found = await http.ask({ ...searchFor(unknown), schema: z.array(z.unknown()) }, call);
      return unless(found.length === 0, 'a person has this number');
    },
    'notes of a registration, in the agreed shape': async (call) => {
      const found = await all(call);
      if (found.length === 0) throw new NotTried('none of the test persons is registered');
      await Promise.all(found.map(({ id }) => register.aantekeningen(id, call)));
      return null;
    },
    'a registration that does not exist has no notes, and is no error': async (call) =>
      unless((await register.aantekeningen(randomUUID(), call)).length === 0, 'it has notes'),
    'requests of a person, in the agreed shape': async (call) => {
      await forEachPerson((bsn) => register.zaken({ bsn }, call));
      return null;
    },
    ...submissionExpectation(register, testing),
    ...letterExpectations(http, testing),
    ...within((call) => register.registraties({ bsn: persons[0] ?? unknown }, call)),
  };
}

// Adds a request to the register, which stays there.
const submissionExpectation = (register: Register, { persons, write }: CheckContext): Expectations => ({
  'a request that is sent twice under one key is one request, and the first content stands': {
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
      const isFirst = ({ nieuw, referentie }: Ontvangst) => !nieuw && referentie === first.referentie;
      return (
        unless(first.nieuw, 'the answer to the first does not say that it is new') ??
        unless(isFirst(again), 'the second made another request') ??
        unless(isFirst(other), 'other content under the same key made another request') ??
        unless(byKey?.referentie === first.referentie, 'it is not found by its key') ??
        unless(never === null, 'a key that was never sent finds a request') ??
        unless(known.length === 1, `afterwards the register has ${known.length} requests with our id`)
      );
    },
  },
});

function letterExpectations(http: HttpClient, { workspace }: CheckContext): Expectations {
  const brieven = createBrieven(http);
  const opdracht = async (call: Call): Promise<Opdracht> => {
    const found = await brieven.opdracht({ werkruimte: workspace }, call);
    if (found === null)
      throw new NotTried('there is no letter to write in this workspace; name another with --workspace');
    return found;
  };
  return {
    'the case of a letter is found by its workspace and by its id': async (call) => {
      const { opdrachtId } = await opdracht(call);
      const same = await brieven.opdracht({ opdrachtId }, call);
      return unless(same?.opdrachtId === opdrachtId, 'by its id the register finds none, or another case');
    },
    'the template of a letter has sections that are required': async (call) => {
      const { sections } = await brieven.sjabloon((await opdracht(call)).templateId, call);
      const required = sections.filter((section) => section.required);
      return unless(required.length > 0, 'no section is required');
    },
    'the passages that a case begins with are in the library': async (call) => {
      const { beroep, passages } = await opdracht(call);
      const known = new Set((await brieven.passages(beroep, call)).map(({ passageId }) => passageId));
      const missing = passages.filter((id) => !known.has(id)).length;
      return unless(missing === 0, `${missing} of ${passages.length} are not there`);
    },
    'a letter goes out once': { byHand: 'it would send a letter to a person', check: async () => null },
  };
}

// The register accepts this kind of request without a decision.
const zaak = (bsn: string, kenmerk: string, huisnummer: string): Zaak => ({
  soort: 'adreswijziging',
  indiener: { bsn },
  kenmerk,
  gegevens: { straat: `Proefstraat ${huisnummer}`, postcode: '1234 AB', woonplaats: 'Proefstad' },
  documenten: [],
});

// The requested members, and those that the BRP adds to each answer, such as `geheimhoudingPersoonsgegevens` (the data
// are secret), `opschortingBijhouding` (the record is no longer updated) and `inOnderzoek` (a value is being verified).
const EXPECTED_MEMBERS = [
  /^\/type:/,
  /^\/personen\[\](:|\/burgerservicenummer:)/,
  /^\/personen\[\]\/(naam\/volledigeNaam|(geboorte|overlijden)\/datum|verblijfplaats\/verblijfadres|gemeenteVanInschrijving|adressering\/(aanhef|aanschrijfwijze|adresregel[123]|land))\b/,
  /^\/personen\[\]\/(naam|geboorte|overlijden|verblijfplaats|adressering): empty/,
  /^\/personen\[\]\/(geheimhoudingPersoonsgegevens|opschortingBijhouding|rni|verificatie)\b/,
  /\/(inOnderzoek|indicatieVastgesteldVerblijftNietOpAdres|type)\b/,
];

/** `shapes` must collect the members of the answers that `http` receives. */
export function brpExpectations(
  http: HttpClient,
  shapes: Shapes,
  { persons, unknown, forEachPerson, within }: CheckContext,
  options: BrpOptions,
): Expectations {
  const brp = createBrp(http, options);
  const all = (call: Call) => forEachPerson((bsn) => brp.persoon(bsn, call));
  let refused: readonly string[] = [];
  return {
    'every field that the service asks for is authorised': async (call) => {
      refused = await refusedFields(http, persons[0] ?? unknown, options, call);
      const needed = refused.filter((field) => !isOptional(field));
      if (needed.length > 0) return `not authorised: ${needed.join(', ')}`;
      if (refused.length > 0)
        throw new NotTried(
          `not authorised: ${refused.join(', ')}; the service goes on without (guide for integration)`,
        );
      return null;
    },
    'a known person is found, in the agreed shape': async (call) => {
      const known = (await all(call)).filter((person) => person !== null);
      return unless(known.length > 0, 'none of the test persons is known');
    },
    'a person has a name, or an address, that can be shown': async (call) => {
      const shown = (await all(call)).filter((person) => person?.naam != null || person?.adres != null);
      return unless(shown.length > 0, 'no test person has a name or an address');
    },
    'an answer has only the members that were requested': async (call) => {
      await all(call);
      const more = shapes.found().filter((line) => !EXPECTED_MEMBERS.some((one) => one.test(line)));
      return unless(more.length === 0, `members that were not requested: ${more.slice(0, 5).join(', ')}`);
    },
    'a letter can be addressed: the form of address comes when it is asked for': async (call) => {
      const found = await forEachPerson((bsn) => brp.geadresseerde(bsn, call));
      if (refused.includes('adressering.aanhef')) throw new NotTried('the form of address is not authorised');
      const addressed = found.filter((person) => person?.aanhef != null);
      return unless(addressed.length > 0, 'no form of address for any of the test persons');
    },
    'an unknown number finds no person, and is no error': async (call) =>
      unless((await brp.persoon(unknown, call)) === null, 'a person has this number'),
    ...within((call) => brp.persoon(persons[0] ?? unknown, call)),
  };
}

// Returns the fields that the BRP refuses. Asks for each field on its own.
async function refusedFields(
  http: HttpClient,
  bsn: string,
  { letterHeaders = {} }: BrpOptions,
  call: Call,
): Promise<string[]> {
  const refused: string[] = [];
  for (const field of FIELDS) {
    const fields = [...new Set(['burgerservicenummer', field])];
    const request = {
      method: 'POST',
      headers: field.startsWith('adressering.') ? letterHeaders : {},
      body: { type: 'RaadpleegMetBurgerservicenummer', burgerservicenummer: [bsn], fields },
      schema: z.unknown().transform(() => 'answered' as const),
    } as const;
    const otherwise = (status: number, json: unknown) =>
      status === 403 && parseRefusal(json).codes.includes('unauthorizedField') ? 'refused' : undefined;
    if ((await http.ask({ ...request, otherwise }, call)) === 'refused') refused.push(field);
  }
  return refused;
}

/** Returns the calls that check DUO, which only read. */
export function duoExpectations(
  http: HttpClient,
  { persons, unknown, forEachPerson, within }: CheckContext,
): Expectations {
  const duo = createDuo(http);
  const all = async (call: Call) => (await forEachPerson((bsn) => duo.diplomas(bsn, call))).flat();
  return {
    'diplomas are found, in the agreed shape': async (call) =>
      unless((await all(call)).length > 0, 'none of the test persons has a diploma'),
    'every diploma has an id of its own': async (call) => {
      const found = await all(call);
      return unless(new Set(found.map(({ id }) => id)).size === found.length, 'two diplomas share an id');
    },
    'the programme of some diploma leads to a profession of the register': async (call) => {
      const known = (await all(call)).filter(({ beroep }) => beroep !== null);
      return unless(known.length > 0, 'the code of no programme is known here');
    },
    'an unknown number has no diplomas, and is no error': async (call) =>
      unless((await duo.diplomas(unknown, call)).length === 0, 'a person has this number'),
    ...within((call) => duo.diplomas(persons[0] ?? unknown, call)),
  };
}

/** `withWrongSecret` is an adapter for the same document store with a wrong secret. */
export function documentsExpectations(
  documents: Documents,
  withWrongSecret: Documents,
  { write, within }: CheckContext,
): CheckedStore {
  const document = largestDocument();
  const skip = !write && NO_WRITES;
  let stored: StoredDocument | null = null;
  const storedDocument = (): StoredDocument => {
    if (stored === null) throw new NotTried('the document was not kept');
    return stored;
  };
  const expectations: Expectations = {
    'a document that does not exist is not found, and is no error': async (call) =>
      unless((await documents.find(randomUUID(), call)) === null, 'a document has this name'),
    'a caller with a wrong secret is refused': (call) =>
      withWrongSecret.find(randomUUID(), call).then(
        () => 'it answers this caller too',
        (error) =>
          unless(
            error instanceof UpstreamError && /status 40[13]\b/.test(error.message),
            `otherwise: ${error instanceof UpstreamError ? error.message : 'an error of ours'}`,
          ),
      ),
    [`a document of ${MAX_CATEGORY_MB} MB, the largest that the service takes, is stored`]: {
      // A gateway before the store may take less than the service does.
      skip,
      mayTakeLonger: true,
      check: async (call) => {
        stored = await storeDocument(documents, document, call);
        return (
          unless(stored.omvang === document.omvang, 'the stored document has another size') ??
          unless(stored.sha256 === null || stored.sha256 === document.sha256, 'the stored document has another hash')
        );
      },
    },
    'storing it again gives the same document': {
      skip,
      mayTakeLonger: true,
      check: async (call) => {
        const { key } = storedDocument();
        return unless((await documents.put(document, call)).key === key, 'there are two documents now');
      },
    },
    'it is found by its own name, and by its key': {
      skip,
      check: async (call) => {
        const { key } = storedDocument();
        const [found, stat] = [await documents.find(document.identificatie, call), await documents.stat(key, call)];
        return (
          unless(found?.key === key, 'not by its name') ?? unless(stat?.omvang === document.omvang, 'not by its key')
        );
      },
    },
    'it comes back byte for byte': {
      skip,
      mayTakeLonger: true,
      check: async (call) => {
        const opened = await documents.open(storedDocument().key, call);
        if (opened === null) return 'it is not there';
        return unless(sha256(await buffer(opened.bytes)) === document.sha256, 'the bytes differ');
      },
    },
    'it can be removed, and removing it again is no error': {
      skip,
      check: async (call) => {
        const { key } = storedDocument();
        const [first, again] = [
          await documents.delete(key, 'Proef van de koppeling', call),
          await documents.delete(key, 'Proef van de koppeling', call),
        ];
        const left = await documents.find(document.identificatie, call);
        return (
          unless(first === 'deleted', `the first time it is ${first}`) ??
          // A Documenten API says that it is absent. S3 says the same as the first time.
          unless(again !== 'in-use', `the second time it is ${again}`) ??
          unless(left === null, 'it is still found')
        );
      },
    },
    ...within((call) => documents.find(randomUUID(), call)),
  };
  // Looks it up first, because its key is not known after a lost answer.
  async function cleanUp(call: Call): Promise<void> {
    if (!write) return;
    const left = await documents.find(document.identificatie, call);
    if (left !== null) await documents.delete(left.key, 'Proef van de koppeling', call);
  }
  return { expectations, cleanUp };
}

// A document of the largest size that the service takes.
function largestDocument(): NewDocument {
  const bytes = Buffer.alloc(MAX_CATEGORY_MB * MIB, '\n');
  const start =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\n';
  const end = 'trailer<</Root 1 0 R>>\n%%EOF\n';
  // Random, so that no gateway makes it small.
  const filling = `% ${randomBytes(Math.floor(((bytes.length - start.length - end.length - 4) / 4) * 3)).toString('base64')}\n`;
  bytes.write(start + filling + end, 'latin1');
  return {
    identificatie: randomUUID(),
    titel: 'Proef van de koppeling',
    bestandsnaam: 'proef.pdf',
    formaat: 'application/pdf',
    omvang: bytes.length,
    sha256: sha256(bytes),
    ontvangstdatum: dateOf(new Date()),
    beschrijving: 'Kan weg',
    async *bytes() {
      yield bytes;
    },
  };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

// The EICAR test file (eicar.org), which virus scanners find and which is harmless. In two parts, so that they do not
// find it in this program.
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STAND', 'ARD-ANTIVIRUS-TEST-FILE!$H+H*'];

export function scannerExpectations(scanner: Scanner): Expectations {
  async function* bytesOf(...chunks: Uint8Array[]) {
    yield* chunks;
  }
  const { bytes } = largestDocument();
  return {
    'a file without a virus is clean': async (call) =>
      unless((await scanner.scan(bytesOf(Buffer.from('abc')), call)) === 'clean', 'it is not'),
    'the EICAR test file is infected': async (call) =>
      unless((await scanner.scan(bytesOf(Buffer.from(EICAR.join(''))), call)) === 'infected', 'it is said to be clean'),
    'a file of 10 MB, the largest that the service takes, gets a verdict': {
      mayTakeLonger: true,
      check: async (call) => unless((await scanner.scan(bytes(), call)) === 'clean', 'it is said to be infected'),
    },
  };
}
