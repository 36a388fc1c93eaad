/** From the content of a persona file to a persona, and from a persona to content that another file can extend. */
import { createHash } from 'node:crypto';
import { BEROEP_BY_CODE, CODE_BY_BEROEP } from '../../adapters/register/wire.ts';
import type { PersonAanvraag } from '../../fixtures/aanvraag.ts';
import type { Gemeente } from '../../fixtures/brp.ts';
import { PLAATSEN } from '../../fixtures/burgers/places.ts';
import { INSTELLINGEN, OPLEIDINGEN } from '../../fixtures/opleidingen.ts';
import type { Person, Persona } from '../../fixtures/person.ts';
import type { PersonaContent } from './schema.ts';

type ProfessionalContent = Extract<PersonaContent, { kind: 'professional' }>;
type PersonContent = ProfessionalContent['person'];

/** Returns a whole number from 0 to `below` (excluded), which depends only on the arguments. */
export const hashOf = (text: string, below: number): number =>
  Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 12), 16) % below;

/** Lowest serial number (third to ninth digit) in register numbers that personas from persona files get. */
const FIRST_SERIAL = 3_000_000;
/** `request` is a text that identifies the application. */
type VolgnummerFor = (request: string) => number;

/** Returns the municipality of a large town; undefined for a town that is not in the table `PLAATSEN`. */
export const gemeenteOf = (woonplaats: string): Gemeente | undefined =>
  PLAATSEN.find((plaats) => plaats.woonplaats === woonplaats)?.gemeente;

/** Without what only one person can have, such as the slug and the register numbers. */
export function contentOf(persona: Persona): Record<string, unknown> {
  if (persona.kind === 'letter') return { kind: 'letter', naam: persona.naam, role: persona.role };
  if (persona.kind === 'staff') return { kind: 'staff', naam: persona.naam, rollen: [...persona.rollen] };
  const { bsn, registraties, aanvragen, diplomas, verblijfplaats, beoogdBeroep, ...rest } = persona.person;
  const content = {
    ...rest,
    ...(bsn === null && { bsn }),
    beoogdBeroep: beoogdBeroep && BEROEP_BY_CODE.get(beoogdBeroep),
    verblijfplaats:
      verblijfplaats.soort === 'adres' && gemeenteOf(verblijfplaats.woonplaats) !== undefined
        ? { ...verblijfplaats, gemeente: undefined }
        : verblijfplaats,
    registraties: registraties.map(({ nummer, ...one }) => ({ beroep: BEROEP_BY_CODE.get(nummer.slice(-2)), ...one })),
    diplomas: diplomas.map(({ opleiding, instelling, behaaldOp }) => ({
      opleiding: keyOf(OPLEIDINGEN, opleiding),
      instelling: keyOf(INSTELLINGEN, instelling),
      behaaldOp,
    })),
    aanvragen: aanvragen?.map((aanvraag) => ({ ...aanvraag, volgnummer: undefined })),
  };
  return { kind: 'professional', person: JSON.parse(JSON.stringify(content)) };
}

const keyOf = <Row extends object>(table: Readonly<Record<string, Row>>, row: Row): string | Row =>
  Object.entries(table).find(([, one]) => JSON.stringify(one) === JSON.stringify(row))?.[0] ?? row;

/** Names of members that say the kind of an object. `merge` does not merge objects of different kinds. */
const KINDS = ['soort', 'tag', 'kind'];

/** Members that say more about another member of the same object, keyed by that other one. */
const BELONGING: Readonly<Record<string, readonly string[]>> = {
  woonplaats: ['gemeente'],
  straat: ['officieleStraat'],
  huisnummer: ['bijHuisnummer', 'huisletter', 'toevoeging'],
  geslachtsnaam: ['voorvoegsel'],
  plaats: ['code', 'land'],
};

/**
 * Merges objects, and replaces lists, dates and other values (compare RFC 7396). Null is kept, an object of another
 * kind replaces the whole, and a new value removes the old members that belong to it, such as `gemeente` to
 * `woonplaats`.
 */
export function merge(base: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const isOther = (key: string) => isObject(base) && Object.hasOwn(change, key) && change[key] !== base[key];
  const below = isObject(base) && !isDate(base) && !KINDS.some(isOther) ? base : {};
  const lost = Object.keys(BELONGING).flatMap((key) => (isOther(key) ? BELONGING[key] : []));
  const kept = Object.fromEntries(Object.entries(below).filter(([name]) => !lost.includes(name)));
  const names = [...new Set([...Object.keys(kept), ...Object.keys(change)])];
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(change, name) ? merge(kept[name], change[name]) : kept[name]]),
  );
}

/** Returns true for a relative date. `{}`, which is today, has nothing to keep when it is merged. */
const isDate = (value: Record<string, unknown>): boolean =>
  Object.keys(value).every((name) => ['years', 'months', 'days'].includes(name));

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** `bsn` is for a file without one; `base` is the slug of the persona that it extends, if any. */
export function toPersona(
  content: PersonaContent,
  bsn: string,
  volgnummerFor: VolgnummerFor,
  base: string | undefined,
): Persona {
  const { slug, toont, shows } = content;
  const said = toont ?? shows;
  const texts = {
    slug,
    toont: said ?? `Eigen persona${base === undefined ? '' : `, gemaakt van ${base}`}.`,
    shows: shows ?? said ?? `A persona of your own${base === undefined ? '' : `, made from ${base}`}.`,
  };
  switch (content.kind) {
    case 'letter':
      return { ...texts, kind: content.kind, naam: content.naam, role: content.role };
    case 'staff':
      return { ...texts, kind: content.kind, naam: content.naam, rollen: content.rollen };
    case 'professional':
      return { ...texts, kind: content.kind, person: toPerson(slug, content.person, bsn, volgnummerFor) };
  }
}

function toPerson(slug: string, content: PersonContent, bsn: string, volgnummerFor: VolgnummerFor): Person {
  const { registraties, diplomas, aanvragen, verblijfplaats, geheim, berichtenbox, beoogdBeroep, brp, ...rest } =
    content;
  return withoutNulls({
    ...rest,
    bsn: content.bsn === undefined ? bsn : content.bsn,
    naam: withoutNulls(content.naam),
    geheim: geheim === true ? true : undefined,
    berichtenbox: berichtenbox === true ? true : undefined,
    brp: brp ? toBrp(brp) : undefined,
    beoogdBeroep: beoogdBeroep ? CODE_BY_BEROEP.get(beoogdBeroep) : undefined,
    verblijfplaats:
      verblijfplaats.soort === 'adres'
        ? {
            ...withoutNulls(verblijfplaats),
            gemeente: verblijfplaats.gemeente ?? gemeenteOf(verblijfplaats.woonplaats),
          }
        : verblijfplaats,
    registraties: registraties.map(({ beroep, nummer, ...one }, index) => ({
      ...one,
      nummer: nummer ?? `90${FIRST_SERIAL + hashOf(`${slug}/${index}`, 7_000_000)}${CODE_BY_BEROEP.get(beroep)}`,
    })),
    diplomas: diplomas.map(({ opleiding, instelling, behaaldOp }) => ({
      opleiding: typeof opleiding === 'string' ? OPLEIDINGEN[opleiding] : opleiding,
      instelling: typeof instelling === 'string' ? INSTELLINGEN[instelling] : instelling,
      behaaldOp,
    })),
    aanvragen: aanvragen?.map((aanvraag, index) =>
      aanvraag.tag === 'Concept' ? aanvraag : { ...aanvraag, volgnummer: volgnummerFor(`${slug}/aanvraag/${index}`) },
    ) as readonly PersonAanvraag[] | undefined,
  }) as Person;
}

function toBrp({ partner, geboren, verblijfstitel, ...rest }: NonNullable<PersonContent['brp']>): object {
  return withoutNulls({
    ...rest,
    geboren: geboren && withoutNulls(geboren),
    verblijfstitel: verblijfstitel && withoutNulls(verblijfstitel),
    partner: partner && withoutNulls(partner),
  });
}

/** Members of which null says something: a person without a burgerservicenummer, or without a partner. */
const WITH_NULL = ['bsn', 'partner'];
const withoutNulls = <Row extends object>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([name, value]) => value !== undefined && (value !== null || WITH_NULL.includes(name))),
  ) as Row;
