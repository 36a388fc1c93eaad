/** The numbers that personas have: those in use, and free ones for personas from persona files. */
import type { Persona } from '../../fixtures/person.ts';
import { ownNumber } from '../people/numbers.ts';
import { hashOf } from './convert.ts';
import { refused } from './refused.ts';

/**
 * The lowest number in references of requests of personas from persona files, and how many there are. All other
 * references have lower numbers (people/burger.ts).
 */
const VOLGNUMMERS = { from: 900_000, slots: 100_000 };

/**
 * Returns an object that records which burgerservicenummers, register numbers and numbers of requests are in use. At
 * first these are the numbers of the built-in personas.
 */
export function takenBy(built: readonly Persona[]) {
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
  for (const persona of built) for (const [number] of numbersOf(persona)) owners.set(number, persona.slug);
  return {
    /**
     * Returns a free burgerservicenummer for the persona with this slug, but does not record it as used. The same files
     * give the same number in every process.
     */
    bsn(slug: string): string {
      let slot = hashOf(slug, ownNumber.slots);
      while (owners.has(ownNumber.at(slot))) slot = (slot + 1) % ownNumber.slots;
      return ownNumber.at(slot);
    },
    /**
     * Returns a free number for the reference of a request, and records it as used. The same files give the same number
     * in every process.
     */
    volgnummer(request: string): number {
      let slot = hashOf(request, VOLGNUMMERS.slots);
      while (volgnummers.has(slot)) slot = (slot + 1) % VOLGNUMMERS.slots;
      volgnummers.add(slot);
      return VOLGNUMMERS.from + slot;
    },
    /**
     * Records the numbers of a persona as used. Throws `Refused`, and records nothing, when another person already has
     * one of these numbers.
     */
    claim(persona: Persona): void {
      for (const [number, pointer] of numbersOf(persona)) {
        const owner = owners.get(number) ?? burgerWithNumber(number);
        if (owner !== undefined) throw refused(pointer, `This number belongs to ${owner}.`);
      }
      for (const [number] of numbersOf(persona)) owners.set(number, persona.slug);
    },
  };
}

/** Returns the slug of the generated citizen with this register number; undefined when there is no such citizen. */
function burgerWithNumber(nummer: string): string | undefined {
  const serial = Number(nummer.slice(2, 9));
  return nummer.length === 11 && serial > 1_000_000 && serial < 2_000_000 ? `burger-${serial - 1_000_000}` : undefined;
}
