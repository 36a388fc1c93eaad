import { signal } from '@preact/signals';
import { Button } from '../../components/parts.tsx';
import { address, onPerson } from '../app/address.ts';
import { api, inWorld, onChange } from '../app/api.ts';
import { app, createPart, Message } from '../app/app.tsx';
import { loadFromSession, saveInSession } from '../app/session.ts';
import { store } from '../app/store.ts';
import { freeWorld, leaveWorld, visit } from '../app/worlds.ts';
import { download } from '../elements/controls.tsx';
import { dayText } from '../elements/values.tsx';
import type { Entry } from '../types.d.ts';
import {
  actionOf,
  notRepeatableCall,
  notRepeatableChange,
  type RecordedAction,
  settingOf,
  stepsOf,
  withKeptIds,
} from './steps.ts';

const STORAGE = 'opname';
const LIMIT = 200;

/** `from` is the world to show afterwards; `notRepeatable` are the changes, in Dutch, that no step can make. */
type OpenRecording = { world: string; from: string; actions: RecordedAction[]; notRepeatable: string[] };

const recording = signal<OpenRecording | null>(loadFromSession(STORAGE));
const part = createPart();
const done = signal('');

function keep(now: OpenRecording | null) {
  recording.value = now;
  saveInSession(STORAGE, now);
}

async function begin() {
  const day = store.known.world?.clock.today;
  const from = store.world;
  await app.run(part, async () => {
    // Another recorder may use the first one.
    const world = await freeWorld('opname');
    // First the reset: it would remove what the user does in a world that is shown already.
    await api(`${inWorld(world)}/reset`, { method: 'POST', body: { begin: day } });
    await visit(world);
    const reset = day === undefined ? true : { begin: day };
    keep({ world, from, actions: [{ at: Date.now(), persona: address.person.value, reset }], notRepeatable: [] });
  });
}

async function end() {
  const { value: ended } = recording;
  if (ended === null) return;
  await app.run(part, async () => {
    const entries: Entry[] = await api(`${inWorld(ended.world)}/journal?limit=${LIMIT}`);
    const writes = entries.filter(({ request }) => !['GET', 'HEAD', 'OPTIONS'].includes(request.method));
    const calls = writes.map(actionOf);
    const actions = withKeptIds([...ended.actions, ...calls.filter((one) => one !== null)], entries);
    const notRepeatable = [
      ...(entries.length === LIMIT ? [`de aanroepen vóór de laatste ${LIMIT}`] : []),
      ...ended.notRepeatable,
      ...writes.filter((_, at) => calls[at] === null).map(notRepeatableCall),
    ];
    const steps = stepsOf(actions, titleOf, 'Schrijf hier wat u vertelt.');
    download('opname.json', { name: 'opname', title: 'Opgenomen demonstratie', steps });
    keep(null);
    await leaveWorld(ended.world, ended.from);
    const files = actions.flatMap(({ form }) => form?.file.name ?? []);
    done.value = doneText(steps.length, new Set(files), new Set(notRepeatable));
  });
}

function titleOf(action: RecordedAction) {
  const { persona, reset, clock, scenarios, faults, decide, brief, document, method, path, form } = action;
  const naam = app.nameOf(persona);
  if (form !== undefined) return `${naam} uploadt ${form.file.name}`;
  if (path !== undefined)
    return `${naam}: ${method ?? 'GET'} ${path.replace('/api/v1', '').replace(/\{[^{}]+\}/g, '…')}`;
  if (reset !== undefined) return reset === true ? 'Het begint' : `Het begint op ${dayText(reset.begin ?? '')}`;
  if (decide !== undefined) return 'Er wordt besloten';
  if (brief !== undefined) return 'De brief verandert';
  if (document !== undefined) return 'Een document krijgt een andere stand';
  if (scenarios !== undefined || faults !== undefined) return 'De storingen veranderen';
  return clock === undefined ? `Kijk mee met ${naam}` : 'De tijd gaat verder';
}

function add(action: Omit<RecordedAction, 'at' | 'persona'>, at = Date.now(), persona: string = address.person.value) {
  const { value: now } = recording;
  if (now !== null) keep({ ...now, actions: [...now.actions, { at, persona, ...action }] });
}

onChange((change) => {
  const { value: now } = recording;
  if (now === null || store.world !== now.world) return;
  if (change.as !== undefined) {
    // Requests that change data are read from the journal at the end, with those of Mijn register.
    if (change.method === 'GET') add({ path: change.path }, change.at, change.as.split('@')[0]);
    return;
  }
  // A reset of all worlds also resets the recorded world, and there a step can only reset that one.
  if (change.path === 'reset') return add({ reset: true }, change.at);
  if (!change.path.startsWith(`${inWorld(now.world)}/`)) return;
  if (/^PUT [^/]+\/[^/]+\/snapshots/.test(`${change.method} ${change.path}`)) return;
  const setting = settingOf(change, store.known.world ?? { scenarios: [], faults: [] }, store.known.uploads ?? []);
  if (setting !== null) add(setting, change.at);
  else keep({ ...now, notRepeatable: [...now.notRepeatable, notRepeatableChange(change)] });
});
onPerson((slug) => {
  if (store.world === recording.value?.world) add({}, Date.now(), slug);
});

function doneText(steps: number, files: ReadonlySet<string>, notRepeatable: ReadonlySet<string>) {
  const sentences = [`opname.json heeft ${steps === 1 ? '1 stap' : `${steps} stappen`}.`];
  if (files.size > 0)
    sentences.push(
      `Van een geüpload bestand bewaart de opname de naam, de soort en de grootte, niet de inhoud: bij het afspelen gaat er een voorbeeld voor in de plaats (${[...files].join(', ')}).`,
    );
  if (notRepeatable.size > 0)
    sentences.push(
      `Niet opgenomen, omdat een stap het niet kan: ${[...notRepeatable].join('; ')}. Doe dit bij het afspelen zelf, of bewaar vooraf een momentopname en noem die in "restore".`,
    );
  return sentences.join(' ');
}

export function RecorderPart() {
  const { value: now } = recording;
  return (
    <div id="opname">
      <h3 class="utrecht-heading-3">Neem een demonstratie op</h3>
      <p class="utrecht-paragraph hint">
        Wat u daarna doet, op deze pagina en in Mijn register, wordt een bestand om bij te werken en af te spelen. Het
        gebeurt in een wereld die vandaag begint, en die daarna weg is.
      </p>
      <Message of={part} />
      <p class="utrecht-paragraph" role="status">
        {now === null
          ? done.value
          : `De opname loopt, in wereld ${now.world}: ${now.actions.length === 1 ? '1 handeling' : `${now.actions.length} handelingen`}.`}
      </p>
      <div class="buttons">
        <Button onClick={now ? end : begin} look={now ? 'primary-action' : 'secondary-action'}>
          {now ? 'Rond de opname af' : 'Neem op'}
        </Button>
      </div>
    </div>
  );
}
