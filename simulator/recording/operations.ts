/** The operations whose answers can be recorded, each with a function that anonymizes its answer. */
import { INSTELLINGEN, OPLEIDINGEN } from '../../fixtures/opleidingen.ts';
import type { OpnameAntwoord } from '../../fixtures/opname.ts';
import { DOORHALING } from '../../src/wire/values.ts';
import { matcher, type Params } from '../transport/paths.ts';
import {
  type Anonymizer,
  birthDate,
  date,
  flag,
  freeText,
  knownText,
  listOf,
  matching,
  members,
  oneOf,
  replaced,
} from './anonymizers.ts';
import { personen } from './brp.ts';

/** An operation of an upstream whose answers can be recorded. */
export interface RecordableOperation extends Pick<OpnameAntwoord, 'bron' | 'operatie'> {
  /** Returns the parameters in a path of this operation; null for another path. */
  match(path: string): Params | null;
  /**
   * Returns an answer without data of the test person, as it is written to the file. Throws `UnknownValueError` for an
   * unknown value.
   */
  readonly anonymize: Anonymizer;
}

const code = matching(/^[\w-]{1,60}$/);
const naam = replaced((replacement) => replacement.volledigeNaam);

/** Replaces the reference of a request, but keeps its first three letters, which say the kind of request. */
const referentie = replaced((replacement, original) => {
  const [, prefix] = /^([A-Z]{3})-\d{4}-\d{6}$/.exec(original) ?? [];
  return prefix === undefined
    ? null
    : `${prefix}-2000-${String(900_000 + replacement.numberOf('referentie', original))}`;
});

/** Replaces a register number, but keeps its last two digits: the code of the profession (domain.md 1.2). */
const registerNummer = replaced((replacement, original) =>
  /^\d{11}$/.test(original)
    ? `90${9_900_000 + replacement.numberOf('registerNummer', original)}${original.slice(-2)}`
    : null,
);

/**
 * Returns the start of the id of a registration in a recording; `.{login}` follows it. `number` is the sequence number
 * of the registration.
 */
export const registratieIdStart = (number: number): string => `opname${number}`;

const registratie = members({
  registratieId: replaced(
    (replacement, original) => `${registratieIdStart(replacement.numberOf('registratie', original))}.{login}`,
  ),
  registerNummer,
  naam,
  beroepCode: matching(/^\d{2}$/),
  registratiedatum: date,
  geboortedatum: birthDate,
  uhd: date,
  status: members({
    soort: oneOf('geregistreerd', 'geschorst', 'doorgehaald'),
    datum: date,
    tot: date,
    reden: knownText(
      [...Object.values(DOORHALING), 'Schorsing door het tuchtcollege', 'Schorsing bij voorlopige voorziening'],
      'Andere reden',
    ),
  }),
  specialistTot: date,
  lopendeHerregistratie: members({ referentie }),
});

const correspondentieadres = members({
  straat: replaced((replacement) => `${replacement.adres.straat} ${replacement.adres.huisnummer}`),
  postcode: replaced((replacement) => replacement.adres.postcode.replace(/^\d{4}/, '$& ')),
  woonplaats: replaced((replacement) => replacement.adres.woonplaats),
});

const zaak = members({
  referentie,
  kenmerk: replaced((replacement, original) => {
    const number = String(replacement.numberOf('kenmerk', original)).padStart(12, '0');
    return `00000000-0000-4000-8000-${number}`;
  }),
  status: oneOf('ontvangen', 'in-behandeling', 'besloten'),
  handmatig: flag,
  besluit: members({
    uitkomst: oneOf('goedgekeurd', 'afgewezen', 'buiten-behandeling'),
    reden: freeText,
    datum: date,
  }),
});

const aantekening = members({
  soort: oneOf('specialisme', 'vermelding', 'maatregel', 'beperking'),
  omschrijving: freeText,
  ingangsdatum: date,
  einddatum: date,
  openbaar: flag,
});

const namesOf = (table: Readonly<Record<string, { readonly naam: string }>>) =>
  Object.values(table).map(({ naam }) => naam);

const diplomas = members({
  gevonden: flag,
  diplomas: listOf(
    members({
      diplomaId: replaced((replacement, original) => `d-opname-${replacement.numberOf('diploma', original)}`),
      opleiding: members({
        naam: knownText(namesOf(OPLEIDINGEN), 'Opleiding'),
        code,
        niveau: code,
        soort: code,
        taal: matching(/^[a-z]{2}$/),
      }),
      instelling: members({
        naam: knownText(namesOf(INSTELLINGEN), 'Instelling'),
        code: knownText(
          Object.values(INSTELLINGEN).map((one) => one.code),
          '00ZZ',
        ),
      }),
      behaaldOp: date,
      status: oneOf('passed', 'failed', 'in-progress'),
    }),
  ),
});

/** All operations whose answers can be recorded. None of them changes data of the upstream. */
export const RECORDABLE: readonly RecordableOperation[] = [
  {
    bron: 'register',
    operatie: 'registraties',
    match: matcher('*/registraties/zoek'),
    anonymize: listOf(registratie),
  },
  {
    bron: 'register',
    operatie: 'correspondentieadres',
    match: matcher('*/correspondentieadressen/zoek'),
    anonymize: listOf(correspondentieadres),
  },
  { bron: 'register', operatie: 'zaken', match: matcher('*/zaken/zoek'), anonymize: listOf(zaak) },
  {
    bron: 'register',
    operatie: 'aantekeningen',
    match: matcher('*/registraties/:registratieId/aantekeningen'),
    anonymize: listOf(aantekening),
  },
  { bron: 'brp', operatie: 'personen', match: () => ({}), anonymize: personen },
  { bron: 'duo', operatie: 'diplomas', match: matcher('*/diplomas/raadplegen'), anonymize: diplomas },
];
