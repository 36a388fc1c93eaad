import { formatList, type Wording, type Wordings } from './wording.ts';

const KINDS: Readonly<Record<string, string>> = {
  professional: 'zorgverlener',
  staff: 'medewerker',
};

const admit: Wording<{ readonly operation: string; readonly kind: string; readonly roles: readonly string[] }> = {
  yes: ({ operation, kind, roles }) =>
    `De aanroeper mag ${operation} doen, omdat die ${KINDS[kind] ?? kind} is${roles.length === 0 ? '' : ` (${roles.join(', ')})`}`,
  no: ({ operation, kind, roles }) =>
    `${operation} niet mag met ${roles.length === 0 ? 'geen rol' : `de rol ${formatList(roles)}`} als ${KINDS[kind] ?? kind}`,
};

const checkHost: Wording<{ readonly host: string; readonly allowed: readonly string[] }> = {
  no: ({ host, allowed }) => `de dienst niet ${host} heet, maar ${formatList(allowed, 'disjunction')}`,
};

const crossOrigin: Wording<{ readonly origin: string; readonly allowed: readonly string[] }> = {
  yes: ({ origin, allowed }) =>
    `De browser toont het antwoord niet, omdat ${origin} niet op de lijst staat (${formatList(allowed)})`,
};

const demandUsableKey: Wording<{ readonly key: string; readonly found: string }> = {
  yes: ({ key, found }) =>
    found === 'done'
      ? `Het eerste antwoord is herhaald, omdat sleutel ${key} al voor ditzelfde verzoek is gebruikt`
      : `Het verzoek is uitgevoerd, omdat sleutel ${key} nog niet was gebruikt`,
  no: ({ key, found }) =>
    found === 'busy'
      ? `een verzoek met sleutel ${key} nog onderweg is`
      : `sleutel ${key} al voor een ander verzoek is gebruikt`,
};

const versionCheck: Wording<{
  readonly expected: readonly (string | number)[] | null;
  readonly found: string | number | null;
}> = {
  yes: ({ expected, found }) =>
    expected === null
      ? 'De versie is niet vergeleken, omdat het verzoek geen If-Match heeft'
      : `De versie klopt, omdat If-Match ${formatList(expected.map(String), 'disjunction')} noemt en dat er nu is (${found})`,
  no: ({ expected }) =>
    `If-Match ${formatList((expected ?? []).map(String), 'disjunction')} noemt en er intussen een andere versie is`,
};

const simulatedFault: Wording<{ readonly kind?: string }> = {
  yes: ({ kind }) =>
    `De dienst gaf een ander antwoord of was langzamer, omdat in deze wereld een storing aan staat (${kind ?? 'antwoordt laat'})`,
  no: ({ kind }) => `in deze wereld een storing van de dienst aan staat (${kind ?? 'antwoordt laat'})`,
};

const prefer: Wording<
  { readonly code: string | null; readonly wait: number | null },
  { readonly genegeerd?: readonly string[] }
> = {
  yes: ({ code, wait }, { genegeerd }) =>
    genegeerd === undefined
      ? `Het antwoord is ${code === null ? 'later' : 'een weigering'}, omdat Prefer daarom vroeg (${code ?? `wait=${wait}`})`
      : `${genegeerd.join(', ')} in Prefer is genegeerd, omdat dat bij deze aanroep niet kan`,
};

export const SERVICE: Wordings = {
  admit,
  checkHost,
  crossOrigin,
  demandUsableKey,
  demandApplicationVersion: versionCheck,
  demandBriefEtag: versionCheck,
  simulatedFault,
  prefer,
};
