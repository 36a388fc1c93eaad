import { computed, effect, signal } from '@preact/signals';
import { createRef } from 'preact';
import { address, go } from '../app/address.ts';
import { loadFromSession, saveInSession } from '../app/session.ts';
import { canvas } from '../canvas.tsx';
import { BarButton, closeDrawer } from '../elements/controls.tsx';
import { list } from '../journal/entries.ts';
import { personText } from '../journal/entry.tsx';
import { AudienceButton, audience } from './audience.tsx';
import { demo } from './demo.tsx';

/** Milliseconds without a movement of the mouse after which the controls fade. */
const RESTING = 3_000;

/**
 * Creates presentation mode, in which the page fills the screen with a demonstration. Page Down and Page Up play the
 * next and the previous step, also outside this mode. N shows the notes, W the calls of the service and why they ended so,
 * Q the QR code, B or a full stop (the button for a black screen of a remote control) makes the screen black until the
 * next key or click, and Escape closes what is open or ends the mode.
 */
export function createPresentation() {
  const isOn = computed(() => address.view.value === 'presentatie');
  const areCallsShown = signal(false);
  /** True once the call of the step is open: what the presenter opens after it stays. */
  let isOwnOpen = false;
  const areNotesShown = signal(loadFromSession('notities') === true);
  /** False after a reload of this mode, in which the browser ends full screen. */
  const isFull = signal(!isOn.value);
  let tabBefore = address.tab.value;
  const opener = createRef<HTMLButtonElement>();

  effect(() => {
    const { classList } = document.body;
    classList.toggle('presenting', isOn.value);
    classList.toggle('with-calls', areCallsShown.value);
    classList.toggle('with-notes', areNotesShown.value);
  });
  effect(() => saveInSession('notities', areNotesShown.value));
  effect(() => {
    const played = isOn.value ? demo.shown.value?.played : undefined;
    list.since.value = played?.stepDone.at ?? '';
    if (played === undefined || !areCallsShown.value || isOwnOpen) return;
    const { step } = played;
    // The acts on the screen make other calls than a terminal, which sends the path of the step.
    const own = list.shown.value.find(
      ({ caller, request: { method, path } }) =>
        personText(caller) === step.persona &&
        (step.acts === undefined || step.method === undefined
          ? [path, undefined].includes(step.path)
          : method === step.method),
    );
    if (own === undefined) return;
    isOwnOpen = true;
    go({ call: own.traceId }, false);
    // From the keyboard one goes on in the calls.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('#rechts details[open] > summary')?.focus());
  });
  // What Mijn register tells who builds a portal is not for an audience.
  let shownPage: Document | undefined;
  const showExtras = () => shownPage?.body.classList.toggle('no-extras', isOn.value);
  canvas.mijn.onPage((page) => {
    shownPage = page;
    showExtras();
    page.addEventListener('pointermove', wake);
    page.addEventListener('keyup', ({ key }) => key === 'Tab' && wake());
  });

  let resting: ReturnType<typeof setTimeout> | undefined;
  function wake() {
    document.body.classList.remove('resting');
    clearTimeout(resting);
    resting = setTimeout(() => document.body.classList.add('resting'), RESTING);
  }
  document.addEventListener('pointermove', wake);

  isOn.subscribe((on) => {
    showExtras();
    wake();
    if (!on) return end();
    scrollTo(0, 0);
    go({ tab: 'mijn' }, false);
  });

  async function start() {
    tabBefore = address.tab.value;
    go({ view: 'presentatie', tab: 'mijn' });
    await Promise.all([demo.beginChosen(), fill()]);
    // Else Enter or the space bar, which remote controls have too, ends the presentation.
    if (isOn.value) demo.focus();
  }

  async function fill() {
    isFull.value = true;
    await document.documentElement.requestFullscreen?.().catch(() => {});
  }

  const stop = () => go({ view: '', tab: tabBefore }, false);

  async function end() {
    document.body.classList.remove('black');
    showCalls(false);
    areNotesShown.value = false;
    audience.close();
    if (document.fullscreenElement !== null) await document.exitFullscreen().catch(() => {});
    opener.current?.focus();
  }

  /** Shows or hides the calls of the step as a drawer, with its own call opened at its reasons. */
  function showCalls(now: boolean) {
    if (areCallsShown.value && !now) {
      if (document.activeElement?.closest('#rechts')) demo.focus();
      go({ call: '' }, false);
    }
    isOwnOpen = false;
    areCallsShown.value = now;
  }

  function toggleNotes() {
    areNotesShown.value = !areNotesShown.value;
  }

  function leave() {
    if (document.body.classList.contains('black')) document.body.classList.remove('black');
    else if (audience.isShown()) audience.toggle();
    else if (areCallsShown.value) showCalls(false);
    else if (address.drawer.value !== '') closeDrawer();
    else stop();
  }

  function onKey(event: KeyboardEvent) {
    const on = isOn.value;
    const key = event.key.toLowerCase();
    // What a step does on the screen moves the focus into fields of Mijn register, in which the presenter does not type.
    const isActing = on && event.view !== window && demo.pace.value !== null;
    const isOwn = on && !isCombination(event) && (isActing || !isField(event.target));
    if (isActing && !isCombination(event) && /^(escape|[qwnb.])$/.test(key)) event.preventDefault();
    if (document.body.classList.contains('black')) {
      event.preventDefault();
      // Not for a key that is held down, nor for the first key of a combination.
      if (!event.repeat && !/^(Shift|Control|Alt|Meta)$/.test(event.key)) document.body.classList.remove('black');
    } else if (isOwn && key === 'q') audience.toggle();
    else if (/^page(down|up)$/.test(key)) turn(event);
    // Another key that is pressed in the dialog is for the dialog.
    else if (audience.isShown()) return;
    else if (event.key === 'Escape' && on) leave();
    else if (isOwn && key === 'w') showCalls(!areCallsShown.value);
    else if (isOwn && key === 'n') toggleNotes();
    else if (isOwn && /^[b.]$/.test(key)) document.body.classList.add('black');
  }

  function turn(event: KeyboardEvent) {
    // A remote control has no other way to close it.
    if (audience.isShown()) audience.toggle();
    if (!demo.isRunning() || (!isOn.value && usesPageKeys(event.target))) return;
    event.preventDefault();
    const hasDrawer = isOn.value && address.drawer.value !== '';
    if (hasDrawer) closeDrawer();
    // A step loads the frame again, and a frame that is being loaded gets no keys.
    if (hasDrawer || event.view !== window) demo.focus();
    showCalls(false);
    demo.moveBy(event.key === 'PageDown' ? 1 : -1);
  }

  // Before the drawer itself handles the key: then it is not known any more that it was open.
  document.addEventListener('keydown', onKey, true);
  document.addEventListener('click', () => document.body.classList.remove('black'));
  // A browser that is full screen uses Escape for that, and gives the page no key.
  document.addEventListener('fullscreenchange', () => {
    isFull.value = document.fullscreenElement !== null;
    if (!isFull.value && isOn.value) leave();
  });
  for (const frame of [canvas.mijn, canvas.paper])
    frame.onPage((page) => page.addEventListener('keydown', onKey, true));
  canvas.mijn.onPage(({ defaultView: page }) =>
    page?.navigation?.addEventListener('navigate', (event) => {
      // Back goes to the step before, also when several screens were opened in this one.
      if (!isOn.value || !event.hashChange || event.navigationType !== 'push') return;
      event.preventDefault();
      page.location.replace(event.destination.url);
    }),
  );
  return {
    isOn,
    isFull,
    fill: () => fill().then(demo.focus),
    areCallsShown,
    opener,
    areNotesShown,
    toggleNotes,
    dateBefore: demo.dateBefore,
    toggle: () => (isOn.value ? stop() : start()),
    toggleCalls: () => showCalls(!areCallsShown.value),
  };
}

export type Presentation = ReturnType<typeof createPresentation>;

export const PresentButtons = ({ of }: { of: Presentation }) => {
  const { isOn, isFull, areCallsShown, areNotesShown, opener, fill, toggle, toggleCalls, toggleNotes } = of;
  return (
    <>
      {!isFull.value && document.fullscreenEnabled && (
        <BarButton look="bar__notes" onClick={fill}>
          Weer volledig scherm
        </BarButton>
      )}
      <AudienceButton />
      <BarButton
        look="bar__notes"
        aria-expanded={areCallsShown.value}
        aria-keyshortcuts="W"
        title="De aanroepen van deze stap, en waarom zij zo eindigden: toets W"
        onClick={toggleCalls}
      >
        Waarom
      </BarButton>
      <BarButton
        look="bar__notes"
        aria-pressed={areNotesShown.value}
        aria-keyshortcuts="N"
        title="Toets N"
        onClick={toggleNotes}
      >
        Notities
      </BarButton>
      <BarButton look="bar__present" onClick={toggle} ref={opener}>
        {isOn.value ? 'Stop presenteren' : 'Presenteer'}
      </BarButton>
    </>
  );
};

const isCombination = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => ctrlKey || metaKey || altKey;

const isField = (target: EventTarget | null) =>
  /^(input|textarea|select)$/i.test((target as Element | null)?.tagName ?? '');

/** Returns true for an element in which Page Down scrolls or changes a choice. */
const usesPageKeys = (target: EventTarget | null) =>
  target instanceof Element && target.closest('.code, select, input, textarea, [role="listbox"]') !== null;
