/** The commands that send requests to the service as a persona: one request, or the steps of a demonstration. */
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import type * as z from 'zod';
import { DemoFile, type Demo as DemoSchema, type Step, type StepDone } from '../control/demo-schema.ts';
import { filledIn, type Kept, keptOf } from '../control/kept.ts';
import type { AudienceLinks } from '../control/schema.ts';
import { explainFault } from '../persona-files/explain.ts';
import { findingsOf } from '../persona-files/issues.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import { CliError, RefusedError, type ServiceAnswer } from './client.ts';
import { parseNumber, readJson, type Session } from './command.ts';

type Demo = z.output<typeof DemoSchema>;

const MAX_WORLD = 32;

/** The console plays in worlds with other names, so that a command never changes a world that a presenter shows. */
function worldNameOf(given: string, end = ''): string {
  const name = basename(given, '.json')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return `cli-${name}`.slice(0, MAX_WORLD - end.length) + end;
}

/** Makes a world for all steps of a demonstration, and returns its path: `cli-<name>-1`, or `-2`, … */
async function newWorldFor({ control }: Session, given: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = `/worlds/${worldNameOf(given, `-${number}`)}`;
    const made = await control.call('PUT', path).catch((error) => {
      if (!(error instanceof RefusedError) || error.problem.code !== 'wereld-bestaat') throw error;
    });
    if (made !== undefined) return path;
  }
}

async function playAllSteps(session: Session, given: string, { steps }: Demo): Promise<PlayedStep[]> {
  const { control } = session;
  if (session.namesWorld) return playAll({ control, world: session.world }, steps);
  const world = await newWorldFor(session, given);
  try {
    return await playAll({ control, world }, steps);
  } finally {
    await control.call('DELETE', world);
  }
}

const answerText = ({ status, ms, body }: ServiceAnswer): string =>
  `${status} in ${ms} ms\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`;

const stepText = ({ title, say, curl, answer }: Omit<PlayedStep, 'title' | 'kept'> & { title?: string }): string =>
  [title, say, curl, answer && answerText(answer)].filter((line) => line).join('\n');

function demoOf(all: readonly Demo[], given: string): Demo {
  const found = given.endsWith('.json')
    ? (readJson(given) as Partial<Demo> | null)
    : all.find(({ name }) => name === given);
  if (found === undefined)
    throw new CliError(
      `There is no demonstration ${given}. Choose from: ${all.map(({ name }) => name).join(', ')}; or name a .json file.`,
    );
  if (!Array.isArray(found?.steps) || found.steps.length === 0)
    throw new CliError(`${given} is not a demonstration. It needs a title, and steps that have a title and a persona.`);
  if (given.endsWith('.json')) demandDemo(basename(given), found);
  return found as Demo;
}

/** The service refuses it too, with a shorter text: its answers name no members of a union. */
function demandDemo(file: string, content: unknown): void {
  const { error } = DemoFile.safeParse(content, { reportInput: true });
  if (error === undefined) return;
  const findings = findingsOf(DemoFile, error.issues);
  throw new CliError(findings.map((finding) => explainFault({ file, ...finding })).join('\n'));
}

export function addDemoCommands(program: Command, session: Session): void {
  program
    .command('audience')
    .description('Print the links with which others on the network open Mijn register in this world, as a persona')
    .argument('<persona>', 'who they are; the command personas lists them')
    .option('--screen <name>', 'screen of Mijn register, such as aanvragen')
    .action(async (persona: string, { screen = '' }: { screen?: string }) => {
      const query = new URLSearchParams({ screen });
      const path = `${session.worldOf(persona)}/audience/${encodeURIComponent(persona)}?${query}`;
      const answer = (await session.control.call('GET', path)) as z.output<typeof AudienceLinks>;
      if (answer.reason !== null && !session.json)
        throw new CliError(`Others on the network cannot open Mijn register.\n${answer.reason}`);
      session.print({ json: answer, text: answer.links.join('\n') });
    });
  program
    .command('as')
    .description('Make one call as a persona, and show it as curl; with --json its headers too')
    .argument('<persona>', 'the command personas lists them')
    .argument('[path]', 'what to call, with or without /api/v1; the dashboard, or the letter for who works on letters')
    .action(async (persona: string, path: string | undefined) => {
      const { control } = session;
      const world = session.worldOf(persona);
      const { headers } = (await control.call('POST', `${world}/step`, { title: 'as', persona })) as StepAnswer;
      const usual = 'X-Role' in headers || 'X-Medewerker' in headers ? '/api/v1/brief' : '/api/v1/dashboard-view';
      if (path?.startsWith('/') === false) throw new CliError(`A path begins with a slash: ${usual}, not ${path}.`);
      // The OpenAPI document and the pages of problems name paths below /api/v1.
      const isBelow = path !== undefined && !/^\/(api|health|_simulator)([/?]|$)/.test(path);
      const called = isBelow ? `/api/v1${path}` : (path ?? usual);
      const { title: _, kept: __, ...played } = await play({ control, world }, { title: 'as', persona, path: called });
      session.print({ json: played, text: stepText(played) });
    });
  program
    .command('demo')
    .description(
      'List the demonstrations, or the steps of one; or play one step of it, or all, in the world cli-<name> unless --world names another',
    )
    .argument('[name]', 'name of a demonstration, or a .json file')
    .addOption(new Option('--step <n>', 'play this step').argParser(parseNumber).conflicts('all'))
    .option(
      '--all',
      'play all steps, in a new world that is deleted afterwards; or reset the world that --world names, and play in it',
    )
    .action(async (name: string | undefined, { step: number, all }: { step?: number; all?: true }) => {
      const demos = (await session.control.call('GET', '/demos')) as Demo[];
      if (name === undefined) {
        const faults = (await session.control.call('GET', '/demos/faults')) as PersonaFault[];
        const refused = faults.map((fault) => `refused: ${explainFault(fault)}`);
        const width = Math.max(...demos.map((demo) => demo.name.length));
        const lines = demos.map((demo) => `${demo.name.padEnd(width)}  ${demo.title}`);
        return session.print({ json: demos, text: [...lines, ...refused].join('\n') });
      }
      const demo = demoOf(demos, name);
      // All steps are checked first, so that a demonstration does not stop halfway at one that is wrong.
      await session.control.call('POST', '/demos/check', demo);
      const { steps } = demo;
      if (all) {
        const played = await playAllSteps(session, name, demo);
        const text = played.map((one, index) => `${index + 1}. ${stepText(one)}`).join('\n\n');
        return session.print({ json: played, text });
      }
      const titles = steps.map(({ title }, index) => `${index + 1}. ${title}`);
      if (number === undefined) return session.print({ json: demo, text: titles.join('\n') });
      const step = steps[number - 1];
      if (step === undefined) throw new CliError(`--step takes 1 to ${steps.length}.`);
      const world = session.namesWorld ? session.world : `/worlds/${worldNameOf(name)}`;
      const played = await play({ control: session.control, world }, step);
      session.print({ json: played, text: stepText(played) });
    });
}

type DemoStep = z.output<typeof Step>;
/** The request that a step makes, after the control API has made the changes of the step. */
type StepAnswer = Omit<z.output<typeof StepDone>, 'world' | 'at'>;

/** `answer` is null when the step sends no request. */
type PlayedStep = StepAnswer & {
  readonly title: string;
  readonly say?: string;
  readonly answer: ServiceAnswer | null;
  readonly kept: Kept;
};

type DemoSession = Pick<Session, 'control' | 'world'>;

/** Throws a `CliError` when the step needs a text that is not in `before`, those kept from earlier answers. */
async function play({ control, world }: DemoSession, step: DemoStep, before: Kept = {}): Promise<PlayedStep> {
  const now = filledIn(step, before, (name) => {
    throw new CliError(`This step needs ${name} from the answer of an earlier step. Play all steps, with --all.`);
  });
  const { headers, curl, url } = (await control.call('POST', `${world}/step`, now)) as StepAnswer;
  const { title, say, method, form, keep = {} } = now;
  const body = form === undefined ? now.body : await formOf(control, form);
  const answer = url === null ? null : await control.callService(url, { method, headers, body });
  const kept = { ...before, ...keptOf(keep, answer?.body) };
  return { title, ...(say !== undefined && { say }), headers, curl, url, answer, kept };
}

/** In the world after a reset, so that the answers are the same each time. Throws at the first step that fails. */
async function playAll(stage: DemoSession, steps: readonly DemoStep[]): Promise<PlayedStep[]> {
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
