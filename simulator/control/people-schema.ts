/** Schemas of the control API for searches for people and for persona files. */

import * as z from 'zod';
import { GESLACHTEN } from '../../fixtures/brp.ts';
import { ALL_BEROEPEN } from '../../src/wire/values.ts';
import { HERKOMSTEN, SITUATION_NAMES, STATUSES } from '../search/values.ts';

const day = z.iso.date().nullable();

/** A person who meets the conditions of a search, on one day, with the first registration that meets them. */
const PersonFound = z
  .strictObject({
    slug: z.string(),
    /** `NietGeregistreerd` for a person without a registration. */
    status: z.enum(STATUSES),
    beroep: z.enum(ALL_BEROEPEN).nullable(),
    /** Effective uiterste herregistratiedatum. */
    uhd: day,
    sinds: day,
    leeftijd: z.int(),
    geslacht: z.enum(GESLACHTEN),
    /** Town of the address in the Netherlands; null for a person without such an address. */
    woonplaats: z.string().nullable(),
    herkomst: z.enum(HERKOMSTEN),
    situaties: z.array(z.enum(SITUATION_NAMES)),
  })
  .meta({ id: 'PersonFound' });

export const PeopleFound = z
  .strictObject({
    personas: z.array(PersonFound),
    burgers: z.array(PersonFound),
    searched: z
      .int()
      .describe('All generated people up to this number were examined, or skipped because they cannot fit.'),
  })
  .meta({ id: 'PeopleFound' });

export const PersonaFileFault = z
  .strictObject({ file: z.string(), pointer: z.string(), detail: z.string(), allowed: z.array(z.string()).optional() })
  .meta({ id: 'PersonaFileFault' });

export const PersonaFiles = z
  .strictObject({
    folder: z.string().nullable(),
    personas: z.array(z.strictObject({ slug: z.string(), file: z.string() })),
    faults: z.array(PersonaFileFault),
  })
  .meta({ id: 'PersonaFiles' });

/** Accepts any object: the operation checks the content itself, to report all faults together. */
export const PersonaFileBody = z
  .record(z.string(), z.unknown())
  .meta({ id: 'PersonaFile', description: 'A persona as /_simulator/schemas/persona.json describes it.' });

export const PersonaSaved = z.strictObject({ slug: z.string(), file: z.string() }).meta({ id: 'PersonaSaved' });
