/** Schemas of demonstrations and their steps. Each schema with an `id` is exported under that name in the OpenAPI document. */
import * as z from 'zod';
import { LetterState, LetterTag } from './letters/schema.ts';
import { Besluit, ClockChange, Fault, Reset, UploadState, World } from './schema.ts';

/**
 * A sample file that is uploaded instead of the file of the recording. `sample` is the name of a sample file, or `pdf`,
 * `png` or `jpg` for one of `size` bytes.
 */
const SentSample = z.strictObject({
  fields: z.record(z.string(), z.string()),
  file: z.strictObject({ name: z.string(), sample: z.string(), size: z.int().min(0).nullable() }),
});

/** Matches the name under which a step keeps a part of its answer for the steps after it. */
const KEPT = /^[a-zA-Z]+-\d+$/;

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
    /** The faults of one's own that are on from this step on, beside those of the scenarios. */
    faults: z.array(Fault).optional(),
    decide: Besluit.extend({ referentie: z.string().optional(), persona: z.string().optional() }).optional(),
    brief: z.union([LetterTag, LetterState]).optional(),
    /** Puts a document in another state. It is named by its person and its local id, which are the same in each world. */
    document: UploadState.extend({ persona: z.string(), wizardId: z.string(), localId: z.string() }).optional(),
    persona: z.string(),
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional(),
    path: z.string().optional(),
    body: z.unknown().optional(),
    /** The form of an upload, instead of `body`. */
    form: SentSample.optional(),
    /**
     * The parts of the answer that later steps use, as a JSON Pointer for each name. In a later step `{name}` stands for
     * that part.
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
