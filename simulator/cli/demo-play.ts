/** Plays the steps of a demonstration from the command line. */
import { CliError, type ServiceAnswer } from './client.ts';
import { type Session, segment } from './command.ts';

/** A step of a demonstration: a change of a world (tenant of the simulator), a request to the service, or both. */
export interface DemoStep {
  readonly title: string;
  /** What the presenter says at this step. */
  readonly say?: string;
  /** Slug of the persona who makes the request. */
  readonly persona?: string;
  /** What resets the world before the request: true, or an object with the day to begin on. Absent for no reset. */
  readonly reset?: unknown;
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly form?: UploadForm;
  /** JSON Pointers to the parts of the answer that later steps use as `{name}`, keyed by that name. */
  readonly keep?: Readonly<Record<string, string>>;
}

/**
 * The form of an upload. The file is the sample file `sample` of the simulator, sent under the name `name`. `size` is
 * in bytes; null for the size that the sample has by itself.
 */
interface UploadForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly name: string; readonly sample: string; readonly size: number | null };
}

/**
 * The answer of the control API to the start of a step: the world now has the state for that step, and this is the
 * request to make.
 */
export interface StepAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly curl: string | null;
  /** URL of the step's request; null when the step makes no request. */
  readonly url: string | null;
}

/** Texts from the answers of earlier steps that later steps need, keyed by name. */
type Kept = Readonly<Record<string, string>>;

/**
 * A step that was played. `answer` is null when the step makes no request; `kept` has the texts that were kept from all
 * answers so far.
 */
export type PlayedStep = StepAnswer & {
  readonly title: string;
  readonly say?: string;
  readonly answer: ServiceAnswer | null;
  readonly kept: Kept;
};

/** The world in which the steps are played, and the client of the simulator. */
type Stage = Pick<Session, 'control' | 'world'>;

/**
 * Plays a step: brings the world to the state of the step, and makes its request as its persona. `before` has the parts
 * of earlier answers that were kept. Throws a `CliError` when the step needs a part that is not in `before`.
 */
export async function play({ control, world }: Stage, step: DemoStep, before: Kept = {}): Promise<PlayedStep> {
  const now = filledIn(step, before);
  const { headers, curl, url } = (await control.call('POST', `${world}/step`, now)) as StepAnswer;
  const { title, say, method, form, keep = {} } = now;
  const body = form === undefined ? now.body : await formOf(control, form);
  const answer = url === null ? null : await control.callService(url, { method, headers, body });
  const kept = { ...before, ...keptOf(keep, answer?.body) };
  return { title, ...(say !== undefined && { say }), headers, curl, url, answer, kept };
}

/**
 * Resets the world, unless the first step does that, and then plays all steps in order. Because of the reset, the steps
 * get the same answers each time. Throws when a step cannot be played; later steps are then not played.
 */
export async function playAll(stage: Stage, steps: readonly DemoStep[]): Promise<PlayedStep[]> {
  if (steps[0]?.reset === undefined) await stage.control.call('POST', `${stage.world}/reset`, {});
  const played: PlayedStep[] = [];
  for (const step of steps) played.push(await play(stage, step, played.at(-1)?.kept));
  return played;
}

/**
 * Returns a copy of the step in which each `{name}` is replaced by the part of an earlier answer with that name. Throws
 * a `CliError` when there is no such part.
 */
function filledIn(step: DemoStep, kept: Kept): DemoStep {
  const text = JSON.stringify(step).replace(/\{([a-zA-Z]+-\d+)\}/g, (_, name: string) => {
    if (kept[name] !== undefined) return JSON.stringify(kept[name]).slice(1, -1);
    throw new CliError(`This step needs ${name} from the answer of an earlier step. Play all steps, with --all.`);
  });
  return JSON.parse(text) as DemoStep;
}

/** Returns the parts of an answer at these JSON Pointers, keyed by name. A part that is not a text is left out. */
const keptOf = (keep: Readonly<Record<string, string>>, answer: unknown): Kept =>
  Object.fromEntries(
    Object.entries(keep).flatMap(([name, pointer]) => {
      const value = pointer
        .split('/')
        .slice(1)
        .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>((part, member) => (part as Record<string, unknown> | undefined)?.[member], answer);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

/** Returns the form to send for an upload. Gets its sample file from the control API. */
async function formOf(control: Stage['control'], { fields, file }: UploadForm): Promise<FormData> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const bytes = await control.bytes(`/samples/${segment(file.sample)}?size=${file.size ?? 0}`);
  form.append('file', new Blob([new Uint8Array(bytes)]), file.name);
  return form;
}
