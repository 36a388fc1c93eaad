/** Schemas of demonstrations. The `id` in `meta` is the name of the schema in the OpenAPI document. */
import * as z from 'zod';
import { Fault } from '../worlds/faults.ts';
import { Besluit, ClockChange, LetterState, LetterTag, Reset, UploadState, World } from './schema.ts';

/** `sample` is the name of a sample file, or `pdf`, `png` or `jpg` for a generated file of `size` bytes. */
const SentSample = z.strictObject({
  fields: z.record(z.string(), z.string()),
  file: z.strictObject({ name: z.string(), sample: z.string(), size: z.int().min(0).nullable() }),
});

/** Matches a name such as `document-1`, under which a part of an answer is kept for later steps. */
const KEPT = /^[a-zA-Z]+-\d+$/;

/** A field, an option, a button or a link is named by the text that the screen shows. */
const Act = z.union([
  z.strictObject({ fill: z.string(), with: z.string() }),
  z.strictObject({ choose: z.string() }),
  z.strictObject({ press: z.string() }),
]);

/** A step can change the world and, when it has a `path`, sends a request to the service as `persona`. */
export const Step = z
  .strictObject({
    title: z.string(),
    say: z.string().optional(),
    notes: z.string().optional(),
    screen: z
      .string()
      .regex(/^[a-z/-]{1,64}$/, 'must be the name of a screen of Mijn register, such as aanvragen')
      .optional(),
    reset: z.union([z.literal(true), Reset]).optional(),
    restore: z.string().optional(),
    clock: ClockChange.optional(),
    scenarios: z.array(z.string()).optional(),
    /** The faults that replace the present faults of the world. Scenarios stay on. */
    faults: z.array(Fault).optional(),
    decide: Besluit.extend({ referentie: z.string().optional(), persona: z.string().optional() }).optional(),
    brief: z.union([LetterTag, LetterState]).optional(),
    /** The uploaded document to bring to another state, without its id: document ids differ between worlds. */
    document: UploadState.extend({ persona: z.string(), wizardId: z.string(), localId: z.string() }).optional(),
    persona: z.string(),
    /**
     * What the console does in Mijn register as the persona, in place of the request of the step, which a terminal
     * sends. Without a `screen` it begins on the screen where the step before ended.
     */
    acts: z.array(Act).min(1).optional(),
    /** Texts that the screen shows at the end of the step. The console says which of them are missing. */
    visible: z.array(z.string()).optional(),
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional(),
    /** Path and query. Begins with one slash, so that the request stays at the service. */
    path: z
      .string()
      .regex(/^\/(?![/\\])/, 'must begin with one slash, such as /api/v1/dashboard-view')
      .optional(),
    body: z.unknown().optional(),
    /** The form of an upload, sent instead of `body`. */
    form: SentSample.optional(),
    /** JSON Pointers of the parts of the answer that later steps write as `{name}`, keyed by name. */
    keep: z.record(z.string().regex(KEPT), z.string().regex(/^\//, 'must be a JSON Pointer')).optional(),
  })
  .refine(({ method = 'GET', body, form }) => method !== 'GET' || (body === undefined && form === undefined), {
    path: ['method'],
    error: 'must be POST or PUT, because the step has a body',
  })
  .refine(({ path, method, body, form, keep }) => path !== undefined || !(method ?? body ?? form ?? keep), {
    path: ['path'],
    error: 'must be there, because the step has a request',
  })
  .meta({ id: 'Step' });

export const Demo = z
  .strictObject({ name: z.string(), title: z.string(), steps: z.array(Step).min(1) })
  .meta({ id: 'Demo' });

/** Schema of a file with a demonstration. Without a name or a title, it has that of the file. */
export const DemoFile = Demo.partial({ name: true, title: true }).meta({ id: 'DemoFile' });

export const StepDone = z
  .strictObject({
    world: World,
    headers: z.record(z.string(), z.string()),
    curl: z.string().nullable(),
    url: z.string().nullable(),
    at: z.iso.datetime().describe('When the world was ready, as `at` in the journal.'),
  })
  .meta({ id: 'StepDone' });
