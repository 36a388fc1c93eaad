import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Upload } from '../../src/ports/store/uploads.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { findingsOf } from '../persona-files/issues.ts';
import { parseJsonFile } from '../persona-files/json-file.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import { DEFAULT_SETTINGS } from '../worlds/settings.ts';
import { letterDepsOf } from './brief.ts';
import { clockSettingAfter } from './clock.ts';
import { curlOf } from './curl.ts';
import { Demo, DemoFile, Step, StepDone } from './demo-schema.ts';
import { type ControlDeps, loginNamed, present } from './deps.ts';
import { changeFaults, withFaults, withScenarios } from './faults.ts';
import { operation } from './operation.ts';
import { callerHeaders } from './people.ts';
import { PersonaFileFault } from './people-schema.ts';
import { type BodyError, ControlError } from './refusals.ts';
import { setLetter } from './set-letter.ts';
import { restoreNamed } from './snapshots.ts';
import { setUploadState } from './uploads.ts';
import { reset, setClock } from './worlds.ts';
import { openCaseOf, recordDecision } from './zaken.ts';

const TAG = 'Demonstrations';
const BUILT_IN = fileURLToPath(new URL('../../fixtures/demos', import.meta.url));

export const demoOperations = [
  operation(TAG, 'GET /demos', {
    id: 'demos',
    description: 'List the demonstrations: those of the simulator, and those in the folder demos of DATA_DIR',
    guide: [['Which demonstrations there are', 'Demonstratie: Kies een demonstratie', 'demo']],
    answers: { 200: z.array(Demo) },
    handle: (_, deps) => [...readDemos(BUILT_IN).demos, ...ownDemos(deps).demos],
  }),

  operation(TAG, 'GET /demos/faults', {
    id: 'demoFaults',
    description: 'List the faults in the other files in the folder demos of DATA_DIR',
    guide: [['Faults in your own demonstrations', 'Demonstratie: Kies een demonstratie', 'demo']],
    answers: { 200: z.array(PersonaFileFault) },
    handle: (_, deps) => ownDemos(deps).faults,
  }),

  operation(TAG, 'POST /demos/check', {
    id: 'checkDemo',
    description: 'Check all steps of a demonstration before the first is played',
    guide: [
      [
        'All steps of a demonstration checked, before the first is played',
        'Demonstratie: Begin, Of open een bestand (JSON)',
        'demo eigen.json',
      ],
    ],
    body: DemoFile,
    answers: { 204: null },
    handle: ({ body: { steps } }, deps) => demandPossible(deps, steps),
  }),

  operation(TAG, 'POST /worlds/{world}/step', {
    id: 'step',
    description: 'Prepare the world for one step of a demonstration, and get the request that the step makes',
    guide: [
      ['A call as somebody', 'Personen: Probeer', 'as sanne-de-wit /api/v1/applications'],
      ['A demonstration, a step at a time', 'Demonstratie: Begin, Volgende, Vorige', 'demo herregistratie --step 1'],
      ['A demonstration from a file', 'Demonstratie: Of open een bestand (JSON)', 'demo eigen.json --all'],
    ],
    body: Step,
    answers: { 200: StepDone },
    async handle({ world, body, origin }, deps) {
      if (world === DEFAULT_WORLD && SETTINGS.some((name) => body[name] !== undefined))
        throw new ControlError('geen-demonstratie-hier', {
          detail:
            'Een demonstratie verandert de wereld waarin zij speelt, en speelt dus niet in default. Noem een andere wereld, bijvoorbeeld demo.',
          english:
            'A demonstration changes its world, so it is not played in default. Name another world, such as demo.',
        });
      await applyStep(deps, world, body, origin);
      const at = new Date().toISOString();
      const login = loginNamed(deps, world, body.persona);
      const headers = await callerHeaders(deps, login);
      const { method = 'GET', path, body: stepBody, form } = body;
      const typed = stepBody === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
      const url = path === undefined ? null : origin + path;
      const text = stepBody === undefined ? null : JSON.stringify(stepBody);
      const curl = url && curlOf({ method, url, headers: typed, body: text, ...(form && { form }) });
      return { world: present(deps, world), headers, curl, url, at };
    },
  }),
];

/** Members of a step that change the world. A step with one of them is refused in the default world. */
const SETTINGS = ['reset', 'restore', 'clock', 'scenarios', 'faults', 'decide', 'brief', 'document'] as const;

/** The changes before one that is not possible remain. */
async function applyStep(deps: ControlDeps, world: string, step: z.output<typeof Step>, origin: string): Promise<void> {
  if (step.reset !== undefined) await reset(deps, world, step.reset === true ? undefined : step.reset.begin);
  if (step.restore !== undefined) await restoreNamed(deps, world, step.restore);
  if (step.clock !== undefined) await setClock(deps, world, step.clock);
  const { scenarios, faults, decide: decision, brief, document } = step;
  if (scenarios !== undefined) changeFaults(deps, world, (now) => withScenarios(deps, now, scenarios));
  if (faults !== undefined) changeFaults(deps, world, (now) => withFaults(deps, now, faults));
  if (decision !== undefined) {
    const { referentie, persona, ...besluit } = decision;
    await recordDecision(deps, world, referentie ?? openCaseOf(deps, world, persona ?? step.persona), besluit);
  }
  if (brief !== undefined)
    await setLetter(letterDepsOf(deps, origin), world, typeof brief === 'string' ? { tag: brief } : brief);
  if (document !== undefined) {
    const { persona, wizardId, localId, state } = document;
    const owner = loginNamed(deps, world, persona);
    const isMeant = (one: Upload) => one.owner === owner && one.wizardId === wizardId && one.localId === localId;
    await setUploadState(deps, world, isMeant, state);
  }
}

/** What depends on the world in which the step is played, such as a snapshot or a deadline, is not checked. */
function demandPossible(deps: ControlDeps, steps: readonly z.output<typeof Step>[]): void {
  const errors: BodyError[] = [];
  function check(pointer: string, apply: () => unknown): void {
    try {
      apply();
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      errors.push({ pointer, code: error.code, ...error.said });
    }
  }
  for (const [at, { persona, decide, document, clock, scenarios, faults }] of steps.entries()) {
    const people = { persona, 'decide/persona': decide?.persona, 'document/persona': document?.persona };
    for (const [member, slug] of Object.entries({ ...people, 'clock/deadline': clock?.deadline }))
      if (slug !== undefined) check(`/steps/${at}/${member}`, () => loginNamed(deps, DEFAULT_WORLD, slug));
    if (clock !== undefined && clock.deadline === undefined)
      check(`/steps/${at}/clock`, () => clockSettingAfter(deps, DEFAULT_WORLD, clock));
    if (scenarios !== undefined)
      check(`/steps/${at}/scenarios`, () => withScenarios(deps, DEFAULT_SETTINGS, scenarios));
    if (faults !== undefined) check(`/steps/${at}/faults`, () => withFaults(deps, DEFAULT_SETTINGS, faults));
  }
  if (errors.length > 0)
    throw new ControlError(
      'demonstratie-ongeldig',
      {
        detail: 'Deze demonstratie heeft een stap die niet kan.',
        english: 'The demonstration has a step that is not possible.',
      },
      errors,
    );
}

function ownDemos({ dataDir }: ControlDeps) {
  const taken = readDemos(BUILT_IN).demos.map(({ name }) => name);
  return readDemos(join(dataDir, 'demos'), taken);
}

/** A file with a name in `taken`, or of an earlier file, is refused. */
function readDemos(
  folder: string,
  taken: readonly string[] = [],
): { demos: z.output<typeof Demo>[]; faults: PersonaFault[] } {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /\.(json|ya?ml)$/i.test(file)) : [];
  const demos: z.output<typeof Demo>[] = [];
  const faults: PersonaFault[] = [];
  for (const file of files.sort()) {
    const { content, unreadable } = readJson(join(folder, file));
    const parsed = DemoFile.safeParse(content, { reportInput: true });
    if (unreadable !== undefined) faults.push({ file, pointer: '', detail: unreadable });
    else if (parsed.success) {
      const { name = file.slice(0, -'.json'.length), title = name, steps } = parsed.data;
      const detail = `There is already a demonstration ${name}. Give it another name.`;
      if (taken.includes(name) || demos.some((demo) => demo.name === name))
        faults.push({ file, pointer: '/name', detail });
      else demos.push({ name, title, steps });
    } else faults.push(...findingsOf(DemoFile, parsed.error.issues).map((finding) => ({ file, ...finding })));
  }
  return { demos, faults };
}

function readJson(path: string): { content?: unknown; unreadable?: string } {
  try {
    // To read a pipe can wait without end.
    if (!statSync(path).isFile()) return { unreadable: 'This is not a file.' };
    if (!/\.json$/i.test(path)) return { unreadable: 'Write the demonstration as JSON, in a file that ends in .json.' };
    return { content: parseJsonFile(readFileSync(path, 'utf8')) };
  } catch (error) {
    if (error instanceof SyntaxError) return { unreadable: `This file is ${error.message}.` };
    return { unreadable: `This file cannot be read (${(error as NodeJS.ErrnoException).code}).` };
  }
}
