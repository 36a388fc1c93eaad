/**
 * The operations whose answers can be recorded, each with its treatment: which values are kept and which are replaced.
 */
import { INSTELLINGEN, OPLEIDINGEN } from '../../fixtures/opleidingen.ts';
import type { OpnameAntwoord } from '../../fixtures/opname.ts';
import { DOORHALING } from '../../src/wire/values.ts';
import { matcher, type Params } from '../transport/paths.ts';
import { personen } from './brp.ts';
import {
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
  type Treatment,
} from './treatment.ts';

/** An operation of an upstream whose answers can be recorded. */
export interface RecordableOperation extends Pick<OpnameAntwoord, 'bron' | 'operatie'> {
  /** Returns the parameters in a path of this operation; null for another path. */
  match(path: string): Params | null;
  /** Converts an answer to what is written to the file. Throws `NotRecognised` for an unknown value. */
  readonly treatment: Treatment;
}

const code = matching(/^[\w-]{1,60}$/);
const naam = replaced((by) => by.volledigeNaam);

/** Replaces the reference of a request, but keeps its first three letters, which say the kind of request. */
const referentie = replaced((by, original) => {
  const [, prefix] = /^([A-Z]{3})-\d{4}-\d{6}$/.exec(original) ?? [];
  return prefix === undefined ? null : `${prefix}-2000-${String(900_000 + by.count('referentie', original))}`;
});

/** Replaces a register number, but keeps its last two digits: the code of the profession (domain.md 1.2). */
const registerNummer = replaced((by, original) =>
  /^\d{11}$/.test(original) ? `90${9_900_000 + by.count('registerNummer', original)}${original.slice(-2)}` : null,
);

/**
 * Returns the start of the id of a registration in a recording, in which `.{login}` follows. `number` is the sequence
 * number of the registration.
 */
export const registratieName = (number: number): string => `opname${number}`;

const registratie = members({
  registratieId: replaced((by, original) => `${registratieName(by.count('registratie', original))}.{login}`),
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
  straat: replaced((by) => `${by.adres.straat} ${by.adres.huisnummer}`),
  postcode: replaced((by) => by.adres.postcode.replace(/^\d{4}/, '$& ')),
  woonplaats: replaced((by) => by.adres.woonplaats),
});

const zaak = members({
  referentie,
  kenmerk: replaced((by, original) => {
    const number = String(by.count('kenmerk', original)).padStart(12, '0');
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
      diplomaId: replaced((by, original) => `d-opname-${by.count('diploma', original)}`),
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
    treatment: listOf(registratie),
  },
  {
    bron: 'register',
    operatie: 'correspondentieadres',
    match: matcher('*/correspondentieadressen/zoek'),
    treatment: listOf(correspondentieadres),
  },
  { bron: 'register', operatie: 'zaken', match: matcher('*/zaken/zoek'), treatment: listOf(zaak) },
  {
    bron: 'register',
    operatie: 'aantekeningen',
    match: matcher('*/registraties/:registratieId/aantekeningen'),
    treatment: listOf(aantekening),
  },
  { bron: 'brp', operatie: 'personen', match: () => ({}), treatment: personen },
  { bron: 'duo', operatie: 'diplomas', match: matcher('*/diplomas/raadplegen'), treatment: diplomas },
];
