/** The part of a persona file with recorded answers of real upstreams. */
import * as z from 'zod';

const BRONNEN = ['register', 'brp', 'duo'] as const;
const OPERATIES = ['registraties', 'correspondentieadres', 'zaken', 'aantekeningen', 'personen', 'diplomas'] as const;

/** Schema of the recorded answers of real upstreams about one person. */
export const Opname = z
  .strictObject({
    vandaag: z
      .string()
      .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'must be a day: 2000-01-01')
      .describe('Day on which the answers are read as they are. On another day all their dates move along.'),
    antwoorden: z
      .array(
        z.strictObject({
          bron: z.enum(BRONNEN),
          operatie: z.enum(OPERATIES),
          velden: z.array(z.string().max(100)).max(130).optional().describe('Fields that were requested of the BRP.'),
          registratie: z.string().max(40).optional().describe('Registration that notes were requested of.'),
          status: z.union([z.literal(200), z.literal(404)]),
          inhoud: z.json().optional().describe('Body of the answer. {bsn} and {login} are those of the persona.'),
        }),
      )
      .max(40),
  })
  .describe('Answers of real upstreams, as RECORD wrote them. The simulated upstreams send them about this persona.');
