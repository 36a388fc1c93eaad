import { DUTCH_ROLES } from '../../src/wire/values.ts';
import { formatList, LATEST, ONCE, type Wording, type Wordings, wording } from './wording.ts';

const KINDS: Readonly<Record<string, string>> = { professional: 'zorgverlener', staff: 'medewerker' };

interface AdmissionFacts {
  readonly group: string;
  readonly kind: string;
  readonly roles: readonly string[];
}

/** A professional needs no role, and one without `X-Role` has the role drafter. */
function callerOf({ group, kind, roles }: AdmissionFacts): string {
  if (group === 'professional') return KINDS[kind] ?? kind;
  return roles.length === 0 ? 'iemand zonder rol' : formatList(roles.map((role) => DUTCH_ROLES[role] ?? role));
}

const versionCheck: Wording<{ readonly expected: readonly (string | number)[] | null }> = {
  basis: LATEST,
  yes: ({ expected }) =>
    expected === null
      ? 'De versie is niet vergeleken, omdat het verzoek er geen noemt'
      : 'De versie klopt, omdat er niets is veranderd sinds die is gelezen',
  no: () => 'er iets is veranderd sinds deze versie is gelezen',
};

export const SERVICE: Wordings = {
  admit: wording<AdmissionFacts>({
    basis: 'Afspraak: wat iemand mag, hangt af van de rol',
    yes: (facts) => `Een ${callerOf(facts)} mag dit vragen`,
    no: (facts) => `dit niet mag als ${callerOf(facts)}`,
  }),
  checkHost: wording<{ readonly host: string; readonly allowed: readonly string[] }>({
    basis: 'Afspraak: de dienst antwoordt alleen onder zijn eigen naam',
    no: ({ host, allowed }) => `de dienst niet ${host} heet, maar ${formatList(allowed, 'disjunction')}`,
  }),
  crossOrigin: wording<{ readonly origin: string; readonly allowed: readonly string[] }>({
    basis: 'Afspraak: alleen bekende websites lezen de antwoorden',
    yes: ({ origin, allowed }) =>
      `De browser toont het antwoord niet, omdat ${origin} niet op de lijst staat (${formatList(allowed)})`,
  }),
  demandUsableKey: wording<{ readonly found: string }>({
    basis: ONCE,
    yes: ({ found }) =>
      found === 'done'
        ? 'Het eerste antwoord is herhaald, omdat ditzelfde verzoek al was uitgevoerd'
        : 'Het verzoek is uitgevoerd, omdat er onder deze sleutel nog geen antwoord was bewaard',
    no: ({ found }) =>
      found === 'busy'
        ? 'hetzelfde verzoek nog onderweg is'
        : 'de sleutel van dit verzoek al voor een ander verzoek is gebruikt',
  }),
  demandApplicationVersion: versionCheck,
  demandBriefEtag: versionCheck,
  simulatedFault: wording<{ readonly kind?: string }>({
    basis: 'Simulator: een storing die iemand heeft aangezet',
    yes: ({ kind }) =>
      `De dienst gaf een ander antwoord of was langzamer, omdat in deze wereld een storing aan staat (${kind ?? 'antwoordt laat'})`,
    no: ({ kind }) => `in deze wereld een storing van de dienst aan staat (${kind ?? 'antwoordt laat'})`,
  }),
  prefer: wording<
    { readonly code: string | null; readonly wait: number | null },
    { readonly genegeerd?: readonly string[] }
  >({
    basis: 'Simulator: een antwoord waarom het verzoek zelf vraagt',
    yes: ({ code, wait }, { genegeerd }) =>
      genegeerd === undefined
        ? `Het antwoord is ${code === null ? 'later' : 'een weigering'}, omdat Prefer daarom vroeg (${code ?? `wait=${wait}`})`
        : `${genegeerd.join(', ')} in Prefer is genegeerd, omdat dat bij deze aanroep niet kan`,
  }),
};
