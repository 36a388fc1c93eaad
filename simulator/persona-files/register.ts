/** The parts of a persona file with registrations (in the register) and diplomas (at DUO). */
import * as z from 'zod';
import { BEROEP_BY_CODE } from '../../adapters/register/wire.ts';
import { INSTELLINGEN, OPLEIDINGEN } from '../../fixtures/opleidingen.ts';
import { Offset, text } from './primitives.ts';

const keysOf = <Row extends object>(row: Row) => Object.keys(row) as [keyof Row & string, ...(keyof Row & string)[]];

const Opleiding = z
  .union([
    z.enum(keysOf(OPLEIDINGEN)),
    z.strictObject({
      naam: text(100),
      code: text(50),
      niveau: z.enum(['eqf-4', 'eqf-6', 'eqf-7']),
      soort: z.enum(['vocational-diploma', 'bachelor', 'master']),
      taal: z
        .string()
        .regex(/^[a-z]{2}$/, 'must be two lower case letters')
        .describe('Language of instruction, ISO 639-1.'),
    }),
  ])
  .describe('Study programme: a known one by its name, or a programme of your own as an object.');

const Instelling = z
  .union([z.enum(keysOf(INSTELLINGEN)), z.strictObject({ naam: text(100), code: text(10).describe('BRIN code.') })])
  .describe('Institution: a known one by its name, or an institution of your own as an object.');

export const Diploma = z.strictObject({
  opleiding: Opleiding,
  instelling: Instelling,
  behaaldOp: Offset.nullable().describe('Date of the diploma; null: not obtained yet.'),
});

const Status = z
  .discriminatedUnion('soort', [
    z.strictObject({
      soort: z.literal('geschorst'),
      op: Offset,
      tot: Offset.nullable().describe(
        'First day after the suspension; null: a provisional measure without an end date.',
      ),
      reden: z.enum(['Schorsing door het tuchtcollege', 'Schorsing bij voorlopige voorziening']),
    }),
    z.strictObject({
      soort: z.literal('doorgehaald'),
      op: Offset,
      reden: z.enum([
        'Niet geherregistreerd',
        'Op eigen verzoek',
        'Tuchtmaatregel',
        'Overlijden',
        'Registratie van rechtswege vervallen',
      ]),
    }),
  ])
  .describe('Suspended or struck off. Leave it out for a person who is registered.');

const Aantekening = z.strictObject({
  soort: z.enum(['specialisme', 'vermelding', 'maatregel', 'beperking']),
  omschrijving: text(300),
  van: Offset,
  tot: Offset.optional(),
  openbaar: z.boolean().default(true),
});

export const Registratie = z
  .strictObject({
    beroep: z.enum([...new Set(BEROEP_BY_CODE.values())]),
    nummer: z
      .string()
      .regex(/^90\d{9}$/, 'must be eleven digits that begin with 90')
      .optional()
      .describe('Register number: 90, seven digits, and the two digits of the profession. Leave it out to get one.'),
    sinds: Offset.describe('First day of the registration; not before the diploma. An object as { "years": -12 }.'),
    uhd: Offset.nullable().describe('Uiterste herregistratiedatum, the deadline for renewal; null: none.'),
    status: Status.optional(),
    specialistTot: Offset.optional().describe('Last day of the registration as a specialist.'),
    aantekeningen: z.array(Aantekening).max(20).optional(),
  })
  .refine(({ beroep, nummer }) => nummer === undefined || BEROEP_BY_CODE.get(nummer.slice(-2)) === beroep, {
    path: ['nummer'],
    error: 'must end in the two digits of the profession',
  });
