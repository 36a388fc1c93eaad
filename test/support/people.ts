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
    ...naam.voornamen.split(' '),
    ...(bsn === null ? [] : [bsn]),
    ...registraties.map(({ nummer }) => nummer),
    ...at,
  ];
});

/** Returns the texts of `PERSONAL_DATA` and `more` that occur as whole words in a text, in any letter case. */
export function findPersonalData(text: string, more: readonly string[] = []): string[] {
  return [...PERSONAL_DATA, ...more].filter((value) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'iu').test(text),
  );
}
