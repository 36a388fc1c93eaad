import { PERSONAS } from '../../fixtures/personas/index.ts';

/** Personal data of the personas that no log may contain, such as names, numbers and addresses. */
export const PERSONAL_DATA: readonly string[] = PERSONAS.flatMap((persona) => {
  if (persona.kind !== 'professional') return [persona.slug, persona.naam];
  const { bsn, naam, registraties, verblijfplaats } = persona.person;
  const at =
    verblijfplaats.soort === 'adres'
      ? [verblijfplaats.straat, verblijfplaats.postcode, verblijfplaats.postcode.replace(' ', '')]
      : [];
  return [
    persona.slug,
    naam.geslachtsnaam,
    ...(naam.voornamen?.split(' ') ?? []),
    ...(bsn === null ? [] : [bsn]),
    ...registraties.map(({ nummer }) => nummer),
    ...at,
  ];
});

/** The fields of log lines that a client chooses (docs/reference/logs.md, "Requests"). They are not searched. */
const CLIENT_FIELDS = ['traceId', 'trace_id', 'foreign_operation'];

/** Returns the JSON of log lines without the fields that a client chooses. */
export const searchable = (lines: readonly unknown[]): string =>
  JSON.stringify(lines, (name, value) => (CLIENT_FIELDS.includes(name) ? undefined : value));

/** Returns the texts of `PERSONAL_DATA` and `more` that occur as whole words in a text, in any letter case. */
export function findPersonalData(text: string, more: readonly string[] = []): string[] {
  return [...PERSONAL_DATA, ...more].filter((value) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'iu').test(text),
  );
}
