import * as z from 'zod';
import type { ProblemCode } from '../../problem-codes.ts';
import { FILE_TYPES, UPSTREAM_NAMES } from '../../wire/values.ts';
import { text } from './names.ts';

const errors = z.array(z.strictObject({ pointer: text, code: text, detail: text }));
const bron = z.enum(UPSTREAM_NAMES);

/** The schemas of the members that only some problems have, keyed by member name. */
export const MEMBERS = {
  errors,
  bron,
  regel: z.enum(['antwoord-vereist', 'antwoord-ongeldig', 'punten-zonder-scholing', 'punten-ongeldig']),
  maxSizeMb: z.int(),
  acceptedTypes: z.array(z.enum(FILE_TYPES)),
  referentie: text,
} as const;
type ProblemMember = keyof typeof MEMBERS;

/**
 * The names from `MEMBERS` that a problem has, keyed by problem code; a name with `?` is sometimes absent. Codes that
 * are missing here have none of these members.
 */
export const MEMBERS_OF: Readonly<Partial<Record<ProblemCode, readonly (ProblemMember | `${ProblemMember}?`)[]>>> = {
  'ongeldig-verzoek': ['errors?'],
  'scholing-regel': ['regel', 'errors'],
  'upload-veld-onjuist': ['errors'],
  'categorie-onbekend': ['errors'],
  'aanvraag-al-ingediend': ['referentie?'],
  'aanvraag-onvolledig': ['errors?'],
  'lopende-aanvraag': ['errors?'],
  'niet-herregistreerbaar': ['errors'],
  'sectie-vergrendeld': ['errors'],
  'sectie-onvolledig': ['errors'],
  'plaatshouder-open': ['errors'],
  'plaatshouder-vervallen': ['errors'],
  'besluit-tegenstrijdig': ['errors'],
  'bestand-te-groot': ['maxSizeMb'],
  'bestandstype-niet-toegestaan': ['acceptedTypes'],
  'diplomaherkomst-ongeldig': ['errors'],
  'geen-duo-diploma': ['errors'],
  'al-geregistreerd': ['errors'],
  'herinschrijving-niet-mogelijk': ['errors'],
  'documenten-ongeldig': ['errors'],
  'uren-ongeldig': ['errors'],
  'urennorm-niet-gehaald': ['errors'],
  'adres-ongeldig': ['errors'],
  'adres-ongewijzigd': ['errors'],
  'bron-antwoord-ongeldig': ['bron'],
  'bron-niet-beschikbaar': ['bron'],
  'bron-te-laat': ['bron?'],
};
