/** Requests at the simulated register: how they come in, when they are decided, and what a decision does. */
import { createHash } from 'node:crypto';
import type { OntvangstWire, ZaakWire } from '../adapters/register/wire.ts';
import { plusDays, plusYears } from '../src/wire/dates.ts';
import { json, refusal, type SimulatedAnswer, type SimulatedRequest } from './answer.ts';
import { PREFIX, type ResidentRegistratie } from './resident.ts';
import type { Zaak } from './state.ts';
import type { Found, Worlds } from './worlds.ts';

/** What nobody has to judge is decided after this many days (domain.md 4.4). */
const DECIDED_AFTER_DAYS = 2;
/** One in so many is judged by a person although nothing asks for it (domain.md 4.4, "deterministic sample"). */
const SAMPLE = 5;

type Question = Record<string, unknown> | null | undefined;

const isSoort = (soort: unknown): soort is keyof typeof PREFIX =>
  typeof soort === 'string' && Object.hasOwn(PREFIX, soort);

/** Who asks, by number or by login; undefined when the question names nobody. */
export function findBy(worlds: Worlds, key: Question): Found | null | undefined {
  if (typeof key?.burgerservicenummer === 'string') return worlds.byBsn(key.burgerservicenummer);
  if (typeof key?.loginId === 'string') return worlds.byLogin(key.loginId);
  return undefined;
}

/** Under which name the register keeps someone's requests: also of people whom it does not know, who may well hand one in. */
function nameOf(found: Found | null, key: Question): string {
  if (found !== null) return found.resident.loginId;
  if (typeof key?.loginId === 'string') return key.loginId;
  return createHash('sha256').update(String(key?.burgerservicenummer)).digest('hex').slice(0, 20);
}

export function indienen(worlds: Worlds, { headers, body }: SimulatedRequest): SimulatedAnswer {
  const vraag = body as Question;
  const indiener = vraag?.indiener as Question;
  const sleutel = headers.get('idempotency-key');
  const found = findBy(worlds, indiener);
  if (!sleutel) return refusal(400, 'Ongeldige zaak', 'De kopregel Idempotency-Key ontbreekt.');
  if (!isSoort(vraag?.soort) || found === undefined) return refusal(400, 'Ongeldige zaak', 'Geef soort en indiener.');
  const resident = nameOf(found, indiener);
  const today = found?.today ?? worlds.today();
  const gegevens = (vraag.gegevens ?? {}) as Record<string, unknown>;
  const { zaak, nieuw } = worlds.state.addZaak({
    resident,
    world: found?.world ?? 'default',
    sleutel,
    prefix: PREFIX[vraag.soort],
    soort: vraag.soort,
    kenmerk: typeof vraag.kenmerk === 'string' ? vraag.kenmerk : null,
    gegevens,
    handmatig: found === null || isManual(found, vraag.soort, gegevens, vraag.documenten),
    ontvangenOp: today,
  });
  if (found !== null) worlds.state.settle(resident, today);
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
function isManual({ resident }: Found, soort: string, gegevens: Record<string, unknown>, documenten: unknown): boolean {
  if (soort === 'registratie' && gegevens.diplomaHerkomst !== 'duo') return true;
  if (Array.isArray(documenten) && documenten.some((document) => document?.channel === 'post')) return true;
  const code = resident.registraties[0]?.beroepCode ?? '';
  const norm = ['16', '25', '31'].includes(code) ? 3_120 : 2_080;
  if (typeof gegevens.uren === 'number' && gegevens.uren < norm) return true;
  return (
    resident.person.handmatig ?? [...resident.loginId].reduce((sum, char) => sum + char.charCodeAt(0), 0) % SAMPLE === 0
  );
}

export function zoek(worlds: Worlds, { body }: SimulatedRequest): SimulatedAnswer {
  const indiener = (body as Question)?.indiener as Question;
  const found = findBy(worlds, indiener);
  if (found === undefined) return refusal(400, 'Ongeldige zoekvraag', 'Geef een indiener.');
  if (found !== null) return json(zakenOf(worlds, found));
  return json(worlds.state.zaken(nameOf(null, indiener)).map((zaak) => toWire(zaak, worlds.today())));
}

/** Everything that someone handed in: before the world began, and since. */
function zakenOf({ state }: Worlds, { resident, today }: Found): ZaakWire[] {
  const before = resident.aanvragen.flatMap(({ referentie, id, tag, manual, reden, beslotenOp }): ZaakWire[] => {
    if (referentie === null) return [];
    const besluit =
      tag === 'Afgewezen' && beslotenOp !== null ? { uitkomst: 'afgewezen' as const, reden, datum: beslotenOp } : null;
    return [{ referentie, kenmerk: id, status: besluit ? 'besloten' : 'in-behandeling', handmatig: manual, besluit }];
  });
  return [...before, ...state.zaken(resident.loginId).map((zaak) => toWire(zaak, today))];
}

function toWire(zaak: Zaak, today: string): ZaakWire {
  const datum = decidedOn(zaak, today);
  return {
    referentie: zaak.referentie,
    kenmerk: zaak.kenmerk,
    status: datum === null ? (zaak.handmatig ? 'in-behandeling' : 'ontvangen') : 'besloten',
    handmatig: zaak.handmatig,
    besluit: datum === null ? null : { uitkomst: 'goedgekeurd', reden: null, datum },
  };
}

/** The day on which a request was granted by itself, or null while that has not come. */
function decidedOn({ handmatig, ontvangenOp }: Zaak, today: string): string | null {
  const day = plusDays(ontvangenOp, DECIDED_AFTER_DAYS);
  return !handmatig && day <= today ? day : null;
}

/** A registration after all that was handed in about it: a new term five years after a decision, a request that runs. */
export function withZaken({ state }: Worlds, { resident, today }: Found, registratie: ResidentRegistratie) {
  const mine = state.zaken(resident.loginId).filter(({ soort }) => soort === 'herregistratie');
  const granted = mine.map((zaak) => decidedOn(zaak, today)).filter((day) => day !== null);
  const running =
    mine.find((zaak) => decidedOn(zaak, today) === null)?.referentie ??
    resident.aanvragen.find(({ type, tag }) => type === 'herregistratie' && tag === 'InBehandeling')?.referentie;
  const last = granted.at(-1);
  return {
    ...registratie,
    uhd: last === undefined ? registratie.uhd : plusYears(last, 5),
    lopendeHerregistratie: running ? { referentie: running } : null,
  };
}

/** Registrations that came of a request that was granted. */
export function grantedRegistraties({ state }: Worlds, { resident, today }: Found): ResidentRegistratie[] {
  return state.zaken(resident.loginId).flatMap((zaak) => {
    const sinds = zaak.soort === 'registratie' ? decidedOn(zaak, today) : null;
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
