import { computed, signal } from '@preact/signals';
import { createRef } from 'preact';
import { useRef } from 'preact/hooks';
import { Select } from '../../components/fields.tsx';
import { Badge, Button } from '../../components/parts.tsx';
import { address, go } from '../app/address.ts';
import { api, PageError, parsed } from '../app/api.ts';
import { app, createPart, Panel } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { canvas } from '../canvas.tsx';
import { FileField } from '../elements/controls.tsx';
import { CodeBlock, httpTone, pretty } from '../elements/values.tsx';
import { FileFaults } from '../people/search.tsx';
import type { Demo, Step } from '../types.d.ts';
import { createPace, type Pace, perform, seen } from './acts.ts';
import { createPlayer, type DemoProgress, loadProgress, type ShownStep } from './player.ts';

/** The error for an address with a step, in a tab that plays no demonstration. */
const ELSEWHERE = new PageError('Deze stap hoort bij een ander venster.', 'Kies een demonstratie en begin opnieuw.');

const part = createPart(true);
const opened = signal<readonly Demo[]>([]);
const wanted = signal('');
const all = computed(() => [...opened.value, ...(store.shown.demos.value ?? [])]);
const chosen = computed(() => all.value.find(({ name }) => name === wanted.value) ?? all.value[0]);
/** The step that is shown; null when no demonstration is being played. */
const shown = signal<DemoProgress | null>(null);
/** The step that was shown last, or is shown when its screen is ready. */
let latest: DemoProgress | null = null;
/** What the page says while a step is being played; empty when none is. */
const busy = signal('');
/** The date of the world of the text that is shown, while the step after it is prepared; otherwise null. */
const dateBefore = signal<string | null>(null);
const pace = signal<Pace | null>(null);
/** Ends when the next step begins. */
let checking: Pace | null = null;
const stage = createRef<HTMLDivElement>();
/** Name of the world that was shown last; null before a world is shown. */
let world: string | null = null;

async function open(file: File) {
  await app.run(part, async () => {
    select(await toDemo(parsed(await file.text()), file.name));
    await begin();
  });
}

function select(demo: Demo) {
  if (demo.name.startsWith(FROM_FILE)) opened.value = [demo, ...opened.value.filter(({ name }) => name !== demo.name)];
  wanted.value = demo.name;
}

async function begin() {
  if (chosen.value !== undefined) await player.goTo(0, chosen.value);
  // Presentation mode hides the list, and with it the button that was pressed.
  if (document.activeElement === document.body) focus();
}

const focus = () => stage.current?.focus({ preventScroll: true });

/** Null hides the demonstration. The text, date and address of the step before stay for as long as its screen does. */
async function show(now: DemoProgress | null) {
  latest = now;
  if (now === null) {
    shown.value = null;
    go({ step: '' }, false);
    return;
  }
  const { persona, screen, acts } = now.played.step;
  const isSame = address.person.value === persona;
  // A step that goes on where the one before ended leaves the screen as it is.
  canvas.mijn.setScreen(screen ?? (isSame && acts !== undefined ? null : ''));
  go({ leftTab: 'demos', person: persona, ...(acts !== undefined && { tab: 'mijn' }) }, false);
  // Another person is loaded already.
  if (isSame) canvas.reload();
  if (!canvas.mijn.isHeld()) await reveal(now);
}

/** Shows the text, the date and the address of a step when its screen is there. Back returns to the step before. */
async function reveal(now: DemoProgress | null) {
  await canvas.mijn.isReplaced();
  if (now === null || latest !== now) return;
  const step = String(now.at + 1);
  // After Back and Forward the history has the step already.
  go({ step }, history.state === null && !['', step].includes(address.step.value));
  shown.value = now;
  dateBefore.value = null;
}

async function release() {
  if (!canvas.mijn.isHeld()) return;
  canvas.mijn.release();
  await reveal(latest);
}

/** Leaves the screen as it is until the next step is shown. */
function prepare() {
  checking?.cancel();
  canvas.mijn.setScreen(null);
}

/** Does the acts of a step in Mijn register, at once when `isFast` or when the user wants no motion. */
async function act(step: Step, isFast: boolean) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const focused = document.activeElement as HTMLElement | null;
  pace.value = createPace(isFast || isCalm);
  await perform(step, canvas.mijn.page, pace.value).finally(canvas.mijn.endStay);
  // The next step would leave a screen that still waits for its answer.
  await seen(step, canvas.mijn.page, pace.value);
  // Mijn register takes the focus when it opens a screen, and its keys are those of the page.
  focused?.focus({ preventScroll: true });
}

/** Says which texts of a step without acts Mijn register does not show, when it is visible and has had the time for it. */
function check(step: Step | undefined) {
  // The reason why a step stopped is already there.
  if (step === undefined || step.acts !== undefined || address.tab.value !== 'mijn' || part.message.value !== null)
    return;
  const own = createPace(true);
  checking = own;
  seen(step, canvas.mijn.page, own).catch((error) => app.run(part, () => Promise.reject(error)));
}

const player = createPlayer({
  run: (action) => app.run(part, action),
  begin(text) {
    busy.value = text;
    dateBefore.value ??= store.known.world?.clock.today ?? null;
  },
  prepare,
  show,
  act,
  hold: canvas.mijn.hold,
  isHeld: canvas.mijn.isHeld,
  release,
  end(step) {
    busy.value = '';
    dateBefore.value = null;
    pace.value = null;
    check(step);
  },
  cancel: () => pace.value?.cancel(),
});

/** Shows a step, after the rest of the acts of the one that is being played. */
function goTo(at: number) {
  pace.value?.skip();
  return player.goTo(at);
}

store.on('world', (seen) => {
  if (seen.world === world) return;
  const isFirst = world === null;
  world = seen.world;
  const kept = loadProgress(world);
  if (kept !== null) select(kept.demo);
  else if (isFirst && address.step.value !== '') app.run(part, () => Promise.reject(ELSEWHERE));
  player.resume(kept);
});

/** Plays a demonstration in a world of its own, which is deleted at its end. The progress survives a reload. */
export const demo = {
  shown,
  busy,
  dateBefore,
  /** Goes to the step of an address. Returns false when that one is shown already, or there is none. */
  follow(step: string) {
    const isOther = player.current !== null && /^[1-9]\d{0,2}$/.test(step) && Number(step) - 1 !== player.at;
    if (isOther) goTo(Number(step) - 1);
    return isOther;
  },
  /** Plays the step that is `by` steps after the current one. While acts are being done slowly, does the rest at once. */
  moveBy(by: number) {
    if (pace.value?.isSkipped !== false) return player.moveBy(by);
    pace.value.skip();
    return by < 0 ? player.moveBy(by) : undefined;
  },
  pace,
  isRunning: () => player.current !== null,
  focus,
  /** Begins the chosen demonstration, unless it is the one that is being played. */
  beginChosen: () => (player.current?.demo.name === chosen.value?.name ? Promise.resolve() : begin()),
};

export function DemoPanel() {
  const row = useRef<HTMLDivElement>(null);
  const now = shown.value;
  const steps = now?.demo.steps ?? [];
  const at = now?.at ?? 0;
  const isLast = at >= steps.length - 1;

  async function stop() {
    if (await player.stop()) row.current?.querySelector('button')?.focus();
  }

  return (
    <Panel id="demonstratie" title="Demonstratie" of={part}>
      <div class="row" ref={row}>
        <Select
          label="Kies een demonstratie"
          // The list is as wide as its part of the page, and cuts a long title off.
          hint={chosen.value && `${chosen.value.title} (${stepsText(chosen.value)})`}
          value={chosen.value?.name ?? ''}
          onInput={(name) => (wanted.value = name)}
          options={all.value.map(({ name, title }) => [name, title])}
        />
        <Button onClick={begin} look="primary-action" aria-disabled={busy.value !== ''}>
          Begin
        </Button>
        <FileField label="Of open een bestand (JSON)" onFile={open} />
      </div>
      <FileFaults of={store.shown.demoFaults.value ?? []} />
      <div class="running" hidden={now === null && busy.value === ''}>
        <p class="utrecht-paragraph lead" role="status">
          {now &&
            `Stap ${at + 1} van ${steps.length}: ${steps[at]?.title}${isLast ? '. Dit was de laatste stap.' : ''}`}
        </p>
        <div class="buttons">
          <Button onClick={() => demo.moveBy(-1)} aria-keyshortcuts="PageUp" aria-disabled={at === 0}>
            Vorige
          </Button>
          <Button
            onClick={() => demo.moveBy(1)}
            look="primary-action"
            aria-keyshortcuts="PageDown"
            aria-disabled={isLast}
          >
            Volgende
          </Button>
          <Button onClick={() => goTo(0)}>Opnieuw vanaf het begin</Button>
          {address.view.value !== 'presentatie' && (
            <Button onClick={stop} look="subtle">
              Stop
            </Button>
          )}
        </div>
        <div class="pace">
          <p class="waiting" aria-live="polite">
            {pace.value?.isSkipped === false ? 'Kijk mee op het scherm…' : busy.value}
          </p>
          {pace.value !== null && !pace.value.isSkipped && (
            <Button onClick={() => pace.value?.skip()} aria-keyshortcuts="PageDown">
              Sla over
            </Button>
          )}
        </div>
        <div class="stage" tabindex={-1} ref={stage}>
          {now && <StepView of={now} />}
          {now && (
            <p class="hint">
              Met Page Down en Page Up gaat u ook verder en terug. Bij het presenteren maakt B het scherm zwart.
            </p>
          )}
        </div>
      </div>
    </Panel>
  );
}

const stepsText = ({ steps: { length } }: Demo) => (length === 1 ? '1 stap' : `${length} stappen`);

function StepView({ of: { demo, at, played } }: { of: DemoProgress }) {
  const { step, answer } = played;
  // The person did it on the screen, with the requests of that screen.
  const isRequest = step.path !== undefined && step.acts === undefined;
  // Mijn register reads the same, and shows why it cannot.
  const isRead = (step.method ?? 'GET') === 'GET';
  const call = `${step.method ?? 'GET'} ${step.path ?? ''}`;
  return (
    <>
      <div aria-live="polite">
        {step.say !== undefined && <p class="utrecht-paragraph say">{step.say}</p>}
        {answer !== null && answer.status >= 400 && !isRead && <Refusal of={answer} />}
      </div>
      {(step.notes !== undefined || address.view.value === 'presentatie') && (
        <p class="utrecht-paragraph notes">
          <strong>{'Voor wie presenteert: '}</strong>
          {step.notes ?? 'Geen notities bij deze stap.'}
        </p>
      )}
      <p class="utrecht-paragraph call">
        Als <strong>{app.nameOf(step.persona)}</strong>
        {isRequest && `: ${call}`}
      </p>
      {answer !== null && (
        <div class="answer">
          <p>
            <Badge tone={httpTone(answer.status)}>{String(answer.status)}</Badge> {answer.ms} ms
          </p>
          <CodeBlock text={pretty(answer.text)} name={`Antwoord op ${call}`} />
        </div>
      )}
      <h3 class="utrecht-heading-4">Stappen</h3>
      <ol class="steps">
        {demo.steps.map(({ title }, index) => (
          <li key={title} aria-current={index === at ? 'step' : undefined}>
            {title}
          </li>
        ))}
      </ol>
    </>
  );
}

function Refusal({ of: { status, text } }: { of: NonNullable<ShownStep['answer']> }) {
  const { title, detail } = parsed(text) ?? {};
  return (
    <p class="utrecht-paragraph refusal">
      <Badge tone={httpTone(status)}>{String(status)}</Badge>
      {' De dienst antwoordt:'}
      {title !== undefined && <strong> {title}.</strong>}
      {detail !== undefined && ` ${detail}`}
    </p>
  );
}

const FROM_FILE = 'bestand:';

/** Rejects with a `PageError` when the file has no steps, or when the control API refuses one of them. */
// biome-ignore lint/suspicious/noExplicitAny: the control API checks the file
async function toDemo(value: any, fileName: string): Promise<Demo> {
  const steps = value?.steps;
  if (!Array.isArray(steps) || steps.length === 0)
    throw new PageError('Dit bestand bevat geen JSON van de simulator.', null, [
      { pointer: '/steps', detail: 'Een demonstratie heeft een title en steps; elke stap een title en een persona.' },
    ]);
  await api('demos/check', { method: 'POST', body: value });
  return { name: FROM_FILE + fileName, title: `${value.title ?? fileName} (${fileName})`, steps };
}
