/** Requests at the simulated register: how they come in, when they are decided, and what a decision does. */
import { createHash } from 'node:crypto';
import type { OntvangstWire, ZaakWire } from '../../../adapters/register/wire.ts';
import { plusDays, plusYears } from '../../../src/wire/dates.ts';
import { PREFIX, type ResidentAanvraag, type ResidentRegistratie } from '../../people/resident.ts';
import { json, refusal, type SimulatedAnswer, type SimulatedRequest } from '../../transport/operation.ts';
import type { ResidentInWorld, World } from '../../worlds/index.ts';
import type { Zaak } from '../../worlds/state.ts';

/** What nobody has to judge is decided after this many days (domain.md 4.4). */
const DECIDED_AFTER_DAYS = 2;
/** One in so many is judged by a person although nothing asks for it (domain.md 4.4, "Manual review"). */
const SAMPLE = 5;

type Question = Record<string, unknown> | null | undefined;

const isSoort = (soort: unknown): soort is keyof typeof PREFIX =>
  typeof soort === 'string' && Object.hasOwn(PREFIX, soort);

/** Who asks, by number or by login; undefined when the question names nobody. */
export function findBy(world: World, key: Question): ResidentInWorld | null | undefined {
  if (typeof key?.burgerservicenummer === 'string') return world.byBsn(key.burgerservicenummer);
  if (typeof key?.loginId === 'string') return world.byLogin(key.loginId);
  return undefined;
}

/** Under which name the register keeps someone's requests: also of people whom it does not know, who may well hand one in. */
function nameOf(found: ResidentInWorld | null, key: Question): string {
  if (found !== null) return found.resident.loginId;
  if (typeof key?.loginId === 'string') return key.loginId;
  return createHash('sha256').update(String(key?.burgerservicenummer)).digest('hex').slice(0, 20);
}

export function indienen(world: World, { headers, body }: SimulatedRequest): SimulatedAnswer {
  const vraag = body as Question;
  const indiener = vraag?.indiener as Question;
  const sleutel = headers.get('idempotency-key');
  const found = findBy(world, indiener);
  if (!sleutel) return refusal(400, 'Ongeldige zaak', 'De kopregel Idempotency-Key ontbreekt.');
  if (!isSoort(vraag?.soort) || found === undefined) return refusal(400, 'Ongeldige zaak', 'Geef soort en indiener.');
  const resident = nameOf(found, indiener);
  const today = found?.today ?? world.today();
  const gegevens = (vraag.gegevens ?? {}) as Record<string, unknown>;
  const { zaak, nieuw } = world.state.addZaak({
    resident,
    world: found?.world ?? world.name,
    sleutel,
    prefix: PREFIX[vraag.soort],
    soort: vraag.soort,
    kenmerk: typeof vraag.kenmerk === 'string' ? vraag.kenmerk : null,
    gegevens,
    handmatig: found === null || isManual(found, vraag.soort, gegevens, vraag.documenten),
    ontvangenOp: today,
  });
  if (found !== null) world.state.settle(resident, found.firstDay);
  return {
    status: nieuw ? 201 : 200,
    body: {
      zaakId: `z-${zaak.referentie}`,
      referentie: zaak.referentie,
      status: 'ontvangen',
      handmatig: zaak.handmatig,
      nieuw,
    } satisfies OntvangstWire,
  };
}

/** A DUO diploma is checked at the source; everything else needs a person (domain.md 4.4). A persona's own flag wins. */
function isManual(
  { resident }: ResidentInWorld,
  soort: string,
  gegevens: Record<string, unknown>,
  documenten: unknown,
): boolean {
  if (soort === 'registratie' && gegevens.diplomaHerkomst !== 'duo') return true;
  if (Array.isArray(documenten) && documenten.some((document) => document?.channel === 'post')) return true;
  const code = resident.registraties[0]?.beroepCode ?? '';
  const norm = ['16', '25', '31'].includes(code) ? 3_120 : 2_080;
  if (typeof gegevens.uren === 'number' && gegevens.uren < norm) return true;
  return (
    resident.person.handmatig ?? [...resident.loginId].reduce((sum, char) => sum + char.charCodeAt(0), 0) % SAMPLE === 0
  );
}

export function zoek(world: World, { body }: SimulatedRequest): SimulatedAnswer {
  const indiener = (body as Question)?.indiener as Question;
  const found = findBy(world, indiener);
  if (found === undefined) return refusal(400, 'Ongeldige zoekvraag', 'Geef een indiener.');
  if (found !== null) return json(zakenOf(world, found));
  return json(
    world.state
      .zaken(nameOf(null, indiener))
      .map((zaak) => toWire(world, zaak, { world: world.name, today: world.today() })),
  );
}

/** Everything that someone handed in: before the world began, and since. */
function zakenOf(world: World, found: ResidentInWorld): ZaakWire[] {
  const { resident } = found;
  const before = resident.aanvragen.flatMap((aanvraag): ZaakWire[] => {
    const { referentie, id, manual } = aanvraag;
    if (referentie === null) return [];
    const besluit = besluitBefore(world, found, aanvraag);
    return [{ referentie, kenmerk: id, status: besluit ? 'besloten' : 'in-behandeling', handmatig: manual, besluit }];
  });
  return [...before, ...world.state.zaken(resident.loginId).map((zaak) => toWire(world, zaak, found))];
}

/** In which world, and on which day there. */
type There = Pick<ResidentInWorld, 'world' | 'today'>;

function toWire(world: World, zaak: Zaak, there: There): ZaakWire {
  const { referentie, kenmerk, handmatig } = zaak;
  const besluit = besluitOn(world, there, zaak);
  const status = besluit !== null ? 'besloten' : handmatig ? 'in-behandeling' : 'ontvangen';
  return { referentie, kenmerk, status, handmatig, besluit };
}

type BesluitWire = NonNullable<ZaakWire['besluit']>;

/** What somebody said by hand; undefined: nobody did, and it goes as it goes. */
function saidOf({ state }: World, { world, today }: There, referentie: string): BesluitWire | null | undefined {
  const said = state.besluit(world, referentie);
  if (said === undefined) return undefined;
  const { uitkomst, reden, datum } = said;
  return uitkomst === null || datum > today ? null : { uitkomst, reden, datum };
}

/** What has been decided about a request by today: what nobody has to judge is granted by itself. */
export function besluitOn(
  world: World,
  there: There,
  { referentie, handmatig, ontvangenOp }: Zaak,
): BesluitWire | null {
  const said = saidOf(world, there, referentie);
  if (said !== undefined) return said;
  const datum = plusDays(ontvangenOp, DECIDED_AFTER_DAYS);
  return !handmatig && datum <= there.today ? { uitkomst: 'goedgekeurd', reden: null, datum } : null;
}

/** The same of a request of before the world began. */
export function besluitBefore(
  world: World,
  there: There,
  { referentie, tag, reden, beslotenOp }: ResidentAanvraag,
): BesluitWire | null {
  const said = referentie === null ? null : saidOf(world, there, referentie);
  if (said !== undefined) return said;
  return tag === 'Afgewezen' && beslotenOp !== null ? { uitkomst: 'afgewezen', reden, datum: beslotenOp } : null;
}

/** A registration after all that was handed in about it: a new term five years after a decision, a request that runs. */
export function withZaken(world: World, found: ResidentInWorld, registratie: ResidentRegistratie) {
  const { resident } = found;
  const about = [
    ...resident.aanvragen
      .filter(({ type, tag }) => type === 'herregistratie' && tag !== 'Concept')
      .map((aanvraag) => ({ ...aanvraag, besluit: besluitBefore(world, found, aanvraag) })),
    ...world.state
      .zaken(resident.loginId)
      .filter(({ soort }) => soort === 'herregistratie')
      .map((zaak) => ({ ...zaak, besluit: besluitOn(world, found, zaak) })),
  ];
  const granted = about.findLast(({ besluit }) => besluit?.uitkomst === 'goedgekeurd')?.besluit;
  const running = about.findLast(({ besluit }) => besluit === null)?.referentie;
  return {
    ...registratie,
    uhd: granted ? plusYears(granted.datum, 5) : registratie.uhd,
    lopendeHerregistratie: running ? { referentie: running } : null,
  };
}

/** Registrations that came of a request that was granted. */
export function grantedRegistraties(world: World, found: ResidentInWorld): ResidentRegistratie[] {
  return world.state.zaken(found.resident.loginId).flatMap((zaak) => {
    const besluit = zaak.soort === 'registratie' ? besluitOn(world, found, zaak) : null;
    const sinds = besluit?.uitkomst === 'goedgekeurd' ? besluit.datum : null;
    const beroepCode = CODE_BY_BEROEP.get(String(zaak.gegevens.beroep));
    if (sinds === null || beroepCode === undefined) return [];
    const serial = 2_000_000 + Number(zaak.referentie.slice(-6));
    return [
      {
        nummer: `90${serial}${beroepCode}`,
        beroepCode,
        sinds,
        uhd: plusYears(sinds, 5),
        status: null,
        specialistTot: null,
        aantekeningen: [],
      },
    ];
  });
}

/** Professions for which a DUO diploma registers by itself. */
const CODE_BY_BEROEP: ReadonlyMap<string, string> = new Map([
  ['arts', '01'],
  ['tandarts', '02'],
  ['verloskundige', '03'],
  ['fysiotherapeut', '04'],
  ['apotheker', '17'],
  ['verpleegkundige', '30'],
  ['geregistreerd-mondhygiënist', '79'],
  ['bachelor medisch hulpverlener', '80'],
  ['physician assistant', '81'],
  ['klinisch technoloog', '82'],
]);
