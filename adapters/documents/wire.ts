/**
 * Schemas of the Documenten API's responses. They have only the members that the adapter uses, because real document
 * stores deviate from the OpenAPI document in other members (`link: ""`, `_expand: {}`). Of a URL only the last segment
 * is read, because its host can be an internal one.
 */
import * as z from 'zod';
import { listOf } from '../../src/wire/primitives.ts';
import { someOf, tolerant, tolerantListOf } from '../http/tolerant.ts';

/** Path of the documents in a Documenten API. */
export const PATH = '/enkelvoudiginformatieobjecten';

const UUID = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** A schema that reads a URL of the document store as the UUID in its last segment: the id of the document or part. */
const uuidOf = z.string().transform((url, issue) => {
  const [path = ''] = url.split('?', 1);
  const [, uuid] = UUID.exec(path) ?? [];
  if (uuid !== undefined) return uuid;
  issue.addIssue('no id at the end');
  return z.NEVER;
});

export const BestandsdeelWire = z.object({
  url: uuidOf,
  volgnummer: z.int(),
  omvang: z.int().nonnegative(),
  lock: z.string().nullish(),
});
export type BestandsdeelWire = z.output<typeof BestandsdeelWire>;

/** The official document does not require an `identificatie`. Documents of this service have one. */
const identificatie = z.string().nullish();

export const DocumentWire = z.object({
  url: uuidOf,
  identificatie,
  bestandsomvang: z.int().nonnegative().nullish(),
  integriteit: tolerant(z.object({ algoritme: z.string().nullish(), waarde: z.string().nullish() }).nullish()),
  locked: z.boolean().nullish(),
  lock: z.string().nullish(),
  bestandsdelen: listOf(BestandsdeelWire).max(10_000).nullish(),
});
export type DocumentWire = z.output<typeof DocumentWire>;

export const LijstWire = z.object({ results: someOf(DocumentWire, 100) });

/** A schema of one page of a list of documents. `next` is null or absent on the last page. */
export const PaginaWire = z.object({
  next: z.string().nullish(),
  results: tolerantListOf(
    z.object({ url: uuidOf, identificatie, beginRegistratie: tolerant(z.string().nullish()) }),
    1_000,
  ),
});
