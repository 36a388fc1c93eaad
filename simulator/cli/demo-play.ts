/** Plays the steps of a demonstration from the command line. */
import type * as z from 'zod';
import type { Step, StepDone } from '../control/demo-schema.ts';
import { CliError, RefusedError, type ServiceAnswer } from './client.ts';
import type { Session } from './command.ts';

type DemoStep = z.output<typeof Step>;
/** The request that a step makes, after the control API has made the changes of the step. */
export type StepAnswer = Omit<z.output<typeof StepDone>, 'world'>;

type Kept = Readonly<Record<string, string>>;

/**
 * A step that was played. `answer` is null when the step sends no request. `kept` has the texts that this step and
 * earlier steps kept from their answers.
 */
export type PlayedStep = StepAnswer & {
  readonly title: string;
  readonly say?: string;
  readonly answer: ServiceAnswer | null;
  readonly kept: Kept;
};

type DemoSession = Pick<Session, 'control' | 'world'>;

/**
 * Plays a step: makes its changes in the world, and sends its request, if it has one. `before` has the texts kept from
 * the answers of earlier steps. Throws a `CliError` when the step needs a text that is not in `before`.
 */
export async function play({ control, world }: DemoSession, step: DemoStep, before: Kept = {}): Promise<PlayedStep> {
  const now = filledIn(step, before);
  const { headers, curl, url } = (await control.call('POST', `${world}/step`, now)) as StepAnswer;
  const { title, say, method, form, keep = {} } = now;
  const body = form === undefined ? now.body : await formOf(control, form);
  const answer = url === null ? null : await control.callService(url, { method, headers, body });
  const kept = { ...before, ...keptOf(keep, answer?.body) };
  return { title, ...(say !== undefined && { say }), headers, curl, url, answer, kept };
}

/** In the world after a reset, so that the answers are the same each time. Throws at the first step that fails. */
export async function playAll(stage: DemoSession, steps: readonly DemoStep[]): Promise<PlayedStep[]> {
  if (steps[0]?.reset === undefined) await stage.control.call('POST', `${stage.world}/reset`, {});
  const played: PlayedStep[] = [];
  for (const [at, step] of steps.entries())
    try {
      played.push(await play(stage, step, played.at(-1)?.kept));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const message = `Step ${at + 1}, ${step.title}: ${error.message}`;
      throw error instanceof RefusedError ? new RefusedError(message, error.problem) : new CliError(message);
    }
  return played;
}

function filledIn(step: DemoStep, kept: Kept): DemoStep {
  const text = JSON.stringify(step).replace(/\{([a-zA-Z]+-\d+)\}/g, (_, name: string) => {
    if (kept[name] !== undefined) return JSON.stringify(kept[name]).slice(1, -1);
    throw new CliError(`This step needs ${name} from the answer of an earlier step. Play all steps, with --all.`);
  });
  return JSON.parse(text) as DemoStep;
}

/** A value that is not a text is left out. */
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

async function formOf(
  control: DemoSession['control'],
  { fields, file }: NonNullable<DemoStep['form']>,
): Promise<FormData> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const bytes = await control.bytes(`/samples/${encodeURIComponent(file.sample)}?size=${file.size ?? 0}`);
  form.append('file', new Blob([new Uint8Array(bytes)]), file.name);
  return form;
}
