/**
 * Schemas of demonstrations (lists of steps that a presenter plays in order). A schema with an `id` is exported under
 * that name in the OpenAPI document of the control API.
 */
import * as z from 'zod';
import { LetterState, LetterTag } from './letters/schema.ts';
import { Besluit, ClockChange, Fault, Reset, UploadState, World } from './schema.ts';

/**
 * The form of an upload in a step: its fields, and a sample file that is sent under the name `name`. `sample` is the
 * name of a sample file, or `pdf`, `png` or `jpg` for a sample of `size` bytes.
 */
const SentSample = z.strictObject({
  fields: z.record(z.string(), z.string()),
  file: z.strictObject({ name: z.string(), sample: z.string(), size: z.int().min(0).nullable() }),
});

/** Matches the name, such as `document-1`, under which a step keeps a part of its answer for later steps. */
const KEPT = /^[a-zA-Z]+-\d+$/;

/** Schema of one step: changes of the world, and then a request to the service as `persona` when it has a `path`. */
export const Step = z
  .strictObject({
    title: z.string(),
    say: z.string().optional(),
    notes: z.string().optional(),
    screen: z
      .string()
      .regex(/^[a-z/-]{1,64}$/)
      .optional(),
    reset: z.union([z.literal(true), Reset]).optional(),
    restore: z.string().optional(),
    clock: ClockChange.optional(),
    scenarios: z.array(z.string()).optional(),
    /** The faults that are on from this step on, besides those of scenarios. They replace the faults set before. */
    faults: z.array(Fault).optional(),
    decide: Besluit.extend({ referentie: z.string().optional(), persona: z.string().optional() }).optional(),
    brief: z.union([LetterTag, LetterState]).optional(),
    /**
     * Puts an uploaded document in another state. The document is identified by its person, its wizard and its local
     * id, because these are the same in each world.
     */
    document: UploadState.extend({ persona: z.string(), wizardId: z.string(), localId: z.string() }).optional(),
    persona: z.string(),
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional(),
    path: z.string().optional(),
    body: z.unknown().optional(),
    /** The form of an upload, instead of `body`. */
    form: SentSample.optional(),
    /**
     * The parts of the answer that later steps use: for each name, a JSON Pointer to the part. In a later step,
     * `{name}` is replaced by that part.
     */
    keep: z.record(z.string().regex(KEPT), z.string().startsWith('/')).optional(),
  })
  .meta({ id: 'Step' });

export const Demo = z.strictObject({ name: z.string(), title: z.string(), steps: z.array(Step) }).meta({ id: 'Demo' });

export const StepDone = z
  .strictObject({
    world: World,
    headers: z.record(z.string(), z.string()),
    curl: z.string().nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'StepDone' });
