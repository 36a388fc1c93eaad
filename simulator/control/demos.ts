import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Upload } from '../../src/ports/store/uploads.ts';
import { DEFAULT_WORLD } from '../people/directory.ts';
import { curlOf } from './curl.ts';
import { Demo, Step, StepDone } from './demo-schema.ts';
import { type ControlDeps, loginNamed, present, worldNamed } from './deps.ts';
import { changeFaults, withFaults, withScenarios } from './faults.ts';
import { setLetter } from './letters/brief.ts';
import { ControlError, ok, operation } from './operation.ts';
import { callerHeaders } from './people/personas.ts';
import { restoreNamed, type SnapshotStore } from './snapshots/operations.ts';
import { setUploadState } from './uploads.ts';
import { reset, setClock } from './worlds.ts';
import { openCaseOf, recordDecision } from './zaken.ts';

const TAG = 'Demonstraties';
const BUILT_IN = fileURLToPath(new URL('../../fixtures/demos', import.meta.url));

/**
 * Returns the operations that list the demonstrations, and that prepare a world (separate copy of the simulated data)
 * for one step of a demonstration.
 */
export const demoOperations = (deps: ControlDeps, snapshotStore: SnapshotStore) => [
  operation({
    id: 'demos',
    method: 'GET',
    path: '/demos',
    tag: TAG,
    summary: 'De demonstraties die er zijn: van hier, en uit de map demos in DATA_DIR',
    answers: { 200: z.array(Demo) },
    handle: () => ok([...demosIn(BUILT_IN), ...demosIn(join(deps.dataDir, 'demos'))]),
  }),

  operation({
    id: 'step',
    method: 'POST',
    path: '/worlds/{world}/step',
    tag: TAG,
    summary: 'Eén stap van een demonstratie',
    body: Step,
    answers: { 200: StepDone },
    async handle({ params, body, origin }) {
      const world = worldNamed(params);
      if (world === DEFAULT_WORLD && SETTINGS.some((name) => body[name] !== undefined))
        throw new ControlError(
          409,
          'geen-demonstratie-hier',
          'Een demonstratie verandert de wereld waarin zij speelt, en speelt dus niet in default. Noem een andere wereld, bijvoorbeeld demo.',
        );
      await applyStep(deps, snapshotStore, world, body, origin);
      const login = loginNamed(deps, world, body.persona);
      const headers = await callerHeaders(deps, login);
      const { method = 'GET', path, body: stepBody, form } = body;
      const typed = stepBody === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
      const url = path === undefined ? null : origin + path;
      const text = stepBody === undefined ? null : JSON.stringify(stepBody);
      return ok({
        world: present(deps, world),
        headers,
        curl: url && curlOf({ method, url, headers: typed, body: text, ...(form && { form }) }),
        url,
      });
    },
  }),
];

/** Members of a step that change the world. A step with one of them is refused in the default world. */
const SETTINGS = ['reset', 'restore', 'clock', 'scenarios', 'faults', 'decide', 'brief', 'document'] as const;

/**
 * Makes the changes of a step in a world (separate copy of the simulated data), one after the other. Throws a
 * `ControlError` when a change is not possible; the changes before it remain. `origin` is the URL of this service.
 */
async function applyStep(
  deps: ControlDeps,
  snapshotStore: SnapshotStore,
  world: string,
  step: z.output<typeof Step>,
  origin: string,
): Promise<void> {
  if (step.reset !== undefined) await reset(deps, world, step.reset === true ? undefined : step.reset.begin);
  if (step.restore !== undefined) await restoreNamed(deps, snapshotStore, world, step.restore);
  if (step.clock !== undefined) await setClock(deps, world, step.clock);
  const { scenarios, faults, decide: decision, brief, document } = step;
  if (scenarios !== undefined) changeFaults(deps, world, (now) => withScenarios(deps, now, scenarios));
  if (faults !== undefined) changeFaults(deps, world, (now) => withFaults(deps, now, faults));
  if (decision !== undefined) {
    const { referentie, persona, ...besluit } = decision;
    await recordDecision(deps, world, referentie ?? openCaseOf(deps, world, persona ?? step.persona), besluit);
  }
  if (brief !== undefined) await setLetter(deps, world, typeof brief === 'string' ? { tag: brief } : brief, origin);
  if (document !== undefined) {
    const { persona, wizardId, localId, state } = document;
    const owner = loginNamed(deps, world, persona);
    const isMeant = (one: Upload) => one.owner === owner && one.wizardId === wizardId && one.localId === localId;
    await setUploadState(deps, world, isMeant, state);
  }
}

/**
 * Returns the demonstrations in a folder, sorted by file name. Files that are not a valid demonstration are skipped. An
 * empty list when the folder does not exist.
 */
function demosIn(folder: string): z.output<typeof Demo>[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      try {
        const parsed = Demo.safeParse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
        return parsed.success ? [parsed.data] : [];
      } catch {
        return [];
      }
    });
}
