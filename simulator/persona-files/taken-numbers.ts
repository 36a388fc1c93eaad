/** The numbers of personas: which are in use, and free ones for personas from persona files. */
import type { Persona } from '../../fixtures/person.ts';
import { bsnAt, OWN_NUMBERS } from '../people/numbers.ts';
import { hashOf } from './convert.ts';
import { fileRefused } from './rules.ts';

/** Other applications have lower numbers (people/burger.ts). */
const VOLGNUMMER_RANGE = { from: 900_000, slots: 100_000 };

/** Creates a record of the numbers in use. At first, those of the personas in `builtIn` are in use. */
export function createNumberRegistry(builtIn: readonly Persona[]) {
  const owners = new Map<string, string>();
  const volgnummers = new Set<number>();
  const numbersOf = (persona: Persona): [number: string, pointer: string][] =>
    persona.kind !== 'professional'
      ? []
      : [
          ...(persona.person.bsn === null ? [] : [[persona.person.bsn, '/person/bsn'] satisfies [string, string]]),
          ...persona.person.registraties.map(({ nummer }, index): [string, string] => [
            nummer,
            `/person/registraties/${index}/nummer`,
          ]),
        ];
  for (const persona of builtIn) for (const [number] of numbersOf(persona)) owners.set(number, persona.slug);
  return {
    /** Does not record it as used. The same files give the same number in each process. */
    freeBsn(slug: string): string {
      let slot = hashOf(slug, OWN_NUMBERS.slots);
      while (owners.has(bsnAt(OWN_NUMBERS, slot))) slot = (slot + 1) % OWN_NUMBERS.slots;
      return bsnAt(OWN_NUMBERS, slot);
    },
    /** Records it as used. The same files give the same number in each process; `request` is the application. */
    takeVolgnummer(request: string): number {
      let slot = hashOf(request, VOLGNUMMER_RANGE.slots);
      while (volgnummers.has(slot)) slot = (slot + 1) % VOLGNUMMER_RANGE.slots;
      volgnummers.add(slot);
      return VOLGNUMMER_RANGE.from + slot;
    },
    /** Throws `RefusedFileError`, and records nothing, when another person already has one of them. */
    takeNumbers(persona: Persona): void {
      for (const [number, pointer] of numbersOf(persona)) {
        const owner = owners.get(number) ?? burgerWithNumber(number);
        if (owner !== undefined) throw fileRefused(pointer, `This number belongs to ${owner}.`);
      }
      for (const [number] of numbersOf(persona)) owners.set(number, persona.slug);
    },
  };
}

function burgerWithNumber(nummer: string): string | undefined {
  const serial = Number(nummer.slice(2, 9));
  return nummer.length === 11 && serial > 1_000_000 && serial < 2_000_000 ? `burger-${serial - 1_000_000}` : undefined;
}
