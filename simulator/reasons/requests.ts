import { urennorm } from '../../src/domain/professions.ts';
import { checkHerregistratie, currentRegistration } from '../../src/domain/registraties.ts';
import { type RequestFacts, requestedProfession } from '../../src/requests/rules.ts';
import { herregistratieClause } from './dossier.ts';
import {
  formatCount,
  formatList,
  formatNumber,
  joinClauses,
  ONCE,
  quoteRefusal,
  quoteTexts,
  type Refusal,
  type Wording,
  type Wordings,
  wording,
} from './wording.ts';

/**
 * Input of the rule `checkScholing`: the user's answers about hours and scholing, and the number of hours below which
 * an answer about scholing is required.
 */
interface ScholingFacts {
  readonly answer: { readonly uren?: number | null; readonly scholing?: unknown; readonly punten?: unknown };
  readonly threshold: number;
}

const ONE_OPEN = 'Afspraak: van elke soort loopt er één aanvraag';
const DRAFTS = 'Afspraak: een concept is altijd weer te openen';

/** Dutch words that follow "omdat" (because), keyed by the code of the fault. */
const FAULTS: Readonly<Record<string, (facts: RequestFacts) => string>> = {
  'diplomaherkomst-ongeldig': ({ asked }) =>
    asked.diplomaHerkomst
      ? `“${asked.diplomaHerkomst}” geen herkomst van een diploma is`
      : 'de herkomst van het diploma ontbreekt',
  'geen-duo-diploma': ({ diplomas }) =>
    diplomas.length === 0
      ? 'DUO geen diploma van deze persoon heeft'
      : `geen van de ${diplomas.length} diploma’s bij DUO tot een beroep in dit register leidt`,
  'al-geregistreerd': (facts) => `er al een geldige registratie is als ${requestedProfession(facts).beroep}`,
  'herinschrijving-niet-mogelijk': () => 'het tuchtcollege de registratie heeft doorgehaald',
  'aanvrager-overleden': () => 'deze persoon is overleden',
  'lopende-aanvraag': ({ running }) =>
    running === null
      ? 'er al een aanvraag van deze soort loopt'
      : running === ''
        ? 'een vorige aanvraag van deze soort nog onderweg is'
        : `aanvraag ${running} nog loopt`,
  'uren-ongeldig': ({ asked }) =>
    typeof asked.uren === 'number'
      ? `${formatNumber(asked.uren)} uur niet tussen 0 en 43.800 ligt`
      : 'er geen aantal uren is ingevuld',
  'niet-herregistreerbaar'(facts) {
    const registratie = currentRegistration(facts);
    const asked = { registratie, today: facts.today };
    const view = checkHerregistratie.shown.outcome?.(checkHerregistratie(asked), asked);
    return herregistratieClause(registratie, facts.today, (view as { obstacle: string | null }).obstacle);
  },
  'urennorm-niet-gehaald': (facts) =>
    `${formatNumber(facts.asked.uren)} uur minder is dan de norm van ${formatNumber(normOf(facts))} uur en er geen bewijs van scholing bij zit`,
  'adres-ongewijzigd': ({ asked }) => `${asked.straat}, ${asked.postcode} ${asked.woonplaats} al het adres is`,
};

function normOf(facts: RequestFacts): number {
  const registratie = currentRegistration(facts);
  return registratie === null ? 2_080 : urennorm(registratie.beroep);
}

/** A fault whose code is not in `FAULTS` is explained by its `detail`. */
function explainFaults(facts: RequestFacts, { errors = [] }: Refusal): string {
  const others = errors.filter(({ code }) => FAULTS[code] === undefined).map(({ detail }) => detail);
  return joinClauses([
    ...errors.flatMap(({ code }) => FAULTS[code]?.(facts) ?? []),
    ...(others.length === 0 ? [] : [quoteTexts(others)]),
  ]);
}

const documentsOf = ({ asked }: RequestFacts): string =>
  formatCount(asked.documents?.length ?? 0, 'document', 'documenten').replace(/^0 /, 'geen ');

const checkScholing: Wording<ScholingFacts> = {
  basis: 'Besluit periodieke registratie Wet BIG',
  yes: ({ answer: { uren, scholing }, threshold }) =>
    scholing === null || scholing === undefined
      ? `Een antwoord over scholing is niet nodig, omdat ${formatNumber(uren)} uur niet onder de grens van ${formatNumber(threshold)} uur ligt`
      : `Het antwoord over scholing is goed, omdat het “${String(scholing)}” is`,
  no: ({ answer: { uren, scholing, punten }, threshold }, { errors = [] }) =>
    joinClauses(
      errors.map(({ code }) => {
        switch (code) {
          case 'antwoord-vereist':
            return `${formatNumber(uren)} uur onder de grens van ${formatNumber(threshold)} uur ligt en er geen antwoord over scholing is`;
          case 'antwoord-ongeldig':
            return `“${String(scholing)}” geen ja of nee is`;
          case 'punten-zonder-scholing':
            return `er ${formatNumber(punten)} punten zijn zonder scholing`;
          default:
            return `“${String(punten)}” geen geldig aantal punten is`;
        }
      }),
    ),
};

interface OpenRequest {
  readonly id: string;
  readonly referentie: string | null;
}

export const REQUESTS: Wordings = {
  checkRegistratie: wording<RequestFacts>({
    basis: 'Wet BIG, artikel 5 en 6',
    yes(facts) {
      const { beroep, diploma } = requestedProfession(facts);
      const from =
        diploma === null
          ? `het diploma met herkomst ${facts.asked.diplomaHerkomst} is`
          : `DUO het diploma ${diploma.naam} heeft`;
      return `De aanvraag mag, omdat ${from}, er nog geen registratie is${beroep === null ? '' : ` als ${beroep}`} en er geen aanvraag loopt (${documentsOf(facts)} erbij)`;
    },
    no: explainFaults,
  }),
  checkHerregistratieRequest: wording<RequestFacts>({
    basis: 'Wet BIG, artikel 8, en het Besluit periodieke registratie Wet BIG',
    yes(facts) {
      const norm = normOf(facts);
      const { uren } = facts.asked;
      const enough = (uren ?? 0) >= norm;
      const hours = enough
        ? `${formatNumber(uren)} uur genoeg is voor de norm van ${formatNumber(norm)} uur`
        : `bij ${formatNumber(uren)} uur, minder dan de norm van ${formatNumber(norm)} uur, een bewijs van scholing zit`;
      return `De aanvraag mag, omdat ${hours} en ${herregistratieClause(currentRegistration(facts), facts.today, null)}`;
    },
    no: explainFaults,
  }),
  checkIntake: wording<RequestFacts>({
    basis: 'Besluit periodieke registratie Wet BIG',
    yes: ({ asked }) =>
      `De intake mag, omdat ${formatNumber(asked.uren)} uur tussen 0 en 43.800 ligt en er geen andere intake loopt`,
    no: explainFaults,
  }),
  checkChange: wording<RequestFacts>({
    basis: 'AVG, artikel 16: iedereen kan eigen gegevens laten verbeteren',
    yes({ asked, adres, correspondentieadres }) {
      const now = correspondentieadres ?? adres;
      return `De wijziging mag, omdat ${asked.straat}, ${asked.postcode} ${asked.woonplaats} een geldig adres is en ${now === null ? 'er nog geen adres was' : `niet het adres dat er al was (${now.straat})`}`;
    },
    no: explainFaults,
  }),
  checkScholing,
  ONE_OPEN_REQUEST: wording<{
    readonly earlier?: { readonly referentie: string };
    readonly type?: string;
    readonly documentIds?: readonly string[];
    readonly running?: { readonly referentie: string | null } | null;
  }>({
    basis: ONE_OPEN,
    no({ earlier, type, documentIds, running }) {
      if (earlier !== undefined)
        return `aanvraag ${earlier.referentie} onder deze sleutel al was aangekomen, met een andere inhoud`;
      if (type !== undefined) return `een andere aanvraag (${type}) al onderweg is`;
      if (documentIds !== undefined)
        return `van de ${formatCount(documentIds.length, 'document', 'documenten')} er een intussen is weggegooid`;
      return `een vorige aanvraag${running?.referentie ? ` (${running.referentie})` : ''} toch was aangekomen`;
    },
  }),
  demandAlive: wording<{ readonly registraties: 'geen antwoord' | readonly unknown[] }>({
    basis: 'Wet BIG, artikel 7: een registratie eindigt als iemand overlijdt',
    yes: ({ registraties }) =>
      registraties === 'geen antwoord'
        ? 'Het concept kan beginnen: het register antwoordde niet, en bij het indienen wordt opnieuw gevraagd of deze persoon leeft'
        : 'Het concept kan beginnen, omdat het register niets weet van een overlijden',
    no: () => 'deze persoon is overleden',
  }),
  demandSending: wording<{ readonly type: string; readonly outcome: string }>({
    basis: ONE_OPEN,
    yes: ({ type }) => `De aanvraag gaat naar het register, omdat er geen andere aanvraag (${type}) onderweg is`,
    no: ({ type, outcome }) =>
      outcome === 'overtaken'
        ? `een andere aanvraag (${type}) al onderweg is`
        : 'een van de documenten intussen is weggegooid',
  }),
  demandOwnKey: wording<{ readonly referentie: string; readonly nieuw: boolean }>({
    basis: ONCE,
    yes: ({ referentie, nieuw }) =>
      nieuw
        ? `Het register gaf nummer ${referentie}, omdat het deze aanvraag nog niet had`
        : `Het register gaf weer nummer ${referentie}, omdat het deze aanvraag al had ontvangen`,
    no: ({ referentie }) => `deze Idempotency-Key bij het register hoort bij een eerdere aanvraag, ${referentie}`,
  }),
  refreshFromRegister: wording<
    { readonly open: readonly OpenRequest[]; readonly zaken: 'geen antwoord' | readonly unknown[] },
    readonly OpenRequest[]
  >({
    basis: 'Afspraak: het register zegt hoe het met een aanvraag staat',
    yes({ open, zaken }, left) {
      if (typeof zaken === 'string')
        return `De bewaarde stand van ${formatCount(open.length, 'aanvraag', 'aanvragen')} geldt, omdat het register niet antwoordde`;
      const arrived = left.find(
        ({ id, referentie }) => referentie !== null && open.some((one) => one.id === id && one.referentie === null),
      );
      if (arrived !== undefined)
        return `Het register kende aanvraag ${arrived.referentie} al: de poging zonder antwoord was aangekomen`;
      return `Van ${formatCount(open.length, 'open aanvraag', 'open aanvragen')} ${left.length === 1 ? 'loopt' : 'lopen'} er nog ${left.length}, omdat het register ${formatCount(zaken.length, 'zaak', 'zaken')} meldt`;
    },
  }),
  refuseSubmitted: wording<{ readonly referentie: string | null }>({
    basis: 'Afspraak: een ingediende aanvraag verandert niet meer',
    no: ({ referentie }) => `de aanvraag al is ingediend${referentie === null ? '' : ` als ${referentie}`}`,
  }),
  isDraftType: wording<{ readonly type: string | null; readonly possible: readonly string[] }>({
    basis: DRAFTS,
    no: ({ type, possible }) => `“${type}” geen soort aanvraag is (kies ${formatList(possible, 'disjunction')})`,
  }),
  MAX_CONCEPTS: wording<{ readonly most: number }>({ basis: DRAFTS, no: ({ most }) => `er al ${most} concepten zijn` }),
  demandDraftContent: wording<{
    readonly stepIndex: number;
    readonly stepCount: number;
    readonly documentIds: readonly string[];
  }>({
    basis: DRAFTS,
    yes: ({ stepIndex, stepCount, documentIds }) =>
      `Het concept mag worden bewaard, omdat stap ${stepIndex} van ${stepCount} bestaat${documentIds.length === 0 ? '' : ` en ${formatCount(documentIds.length, 'document', 'documenten')} van de aanvrager ${documentIds.length === 1 ? 'is' : 'zijn'}`}`,
    no: (_, refusal) => quoteRefusal(refusal),
  }),
  categoriesFor: wording<
    { readonly wizardId: string; readonly diplomaHerkomst: string | null; readonly taalvaardigheid: string | null },
    readonly { readonly required: boolean }[]
  >({
    basis: 'Afspraak: elke aanvraag heeft haar eigen documenten',
    yes({ wizardId, diplomaHerkomst, taalvaardigheid }, asked) {
      const required = asked.filter((one) => one.required).length;
      const answers = [
        `dit een aanvraag is voor ${wizardId}`,
        ...(diplomaHerkomst === null ? [] : [`het diploma de herkomst ${diplomaHerkomst} heeft`]),
        ...(taalvaardigheid === null ? [] : [`de taal blijkt uit: ${taalvaardigheid}`]),
      ];
      return `Er ${asked.length === 1 ? 'past' : 'passen'} ${formatCount(asked.length, 'soort document', 'soorten documenten')} bij, waarvan ${required} verplicht, omdat ${formatList(answers)}`;
    },
  }),
};
