import { signal } from '@preact/signals';
import { createRef, type RefObject } from 'preact';
import { Empty } from '../components/parts.tsx';
import { go } from './app/address.ts';
import { onChange } from './app/api.ts';
import { selection } from './app/app.tsx';
import { store } from './app/store.ts';
import { NewTab } from './elements/controls.tsx';

/** Milliseconds after which the frame is loaded again when the service did not answer. */
const RETRY = 2_000;

/**
 * Returns the URL path of Mijn register (the example portal) for a person in a world. In a frame it has a `screen`, such
 * as `#/voorbeeld`, and not the bar in which the user chooses a person.
 */
function mijnOf(slug: string, world: string, screen = '') {
  const inWorld = world !== 'default' && { wereld: world };
  return `/_simulator/mijn/?${new URLSearchParams({ als: slug, ...(screen && { balk: 'nee' }), ...inWorld })}${screen}`;
}

/**
 * Shows a link to Mijn register (the example portal) for a person in a world, which opens in another tab.
 * @param props `person` is the name of the person, for screen readers
 */
export const MijnLink = ({ slug, world, text, person }: Record<'slug' | 'world' | 'text' | 'person', string>) => (
  <NewTab href={mijnOf(slug, world)} name={`${text}: ${person}`}>
    {text}
  </NewTab>
);

/** Milliseconds for which the old screen stays when the new page has loaded and still waits for its data. */
const MAX_WAIT = 3_000;
/** Milliseconds after which the text of a demonstration no longer waits for a page that does not load. */
const MAX_REPLACE = 10_000;
/** Milliseconds between two looks at a page in a frame. */
const LOOK = 30;

type FrameOptions = { screen?: string; title: (naam: string) => string; onlyLetters?: boolean };

/** A frame: the one that is shown, or one that is being loaded and takes its place when its screen is ready. */
type Slot = { key: number; address: string; title: string; element: RefObject<HTMLIFrameElement | null> };

/**
 * Creates a frame that shows Mijn register (the example portal) for the chosen person. `title` returns the
 * title of the frame for the name of that person. With `onlyLetters`, the frame is hidden unless that person has the
 * kind `letter` (works on letters). The page of another person is loaded in a second frame, which is hidden until its
 * screen is ready: the old screen stays until then.
 */
export function createMijnFrame({ screen = '', title, onlyLetters = false }: FrameOptions) {
  /** The frame that is shown, and after it the one that is being loaded, if there is one. */
  const slots = signal<readonly Slot[]>([]);
  /** What the panel shows: the frame, or that there is no letter for this person. */
  const shows = signal<'frame' | 'none' | null>(null);
  const pageListeners: ((page: Document) => void)[] = [];
  /**
   * The screen that the last call of `setScreen` chose, and the world that was shown at that moment. `stays`: the page is
   * left as it is.
   */
  let step = { world: '', screen: '', stays: false };
  let visible = false;
  let keys = 0;
  let loaded = '';
  /** The result of `stateOf` when the frame last read its data. With another result its screen is shown again. */
  let read = '';
  let loading = false;
  /** True when the world changed while the frame was being loaded, so that its screen must be shown again. */
  let again = false;
  /** True while the picture stays as it is, and pages are loaded behind it. */
  let held = false;
  let onSwap = () => {};
  /** True when this page made a request that may have changed data of Mijn register, since the frame last read them. */
  let isChanged = false;
  /** True when data changed while the tab was not visible, so that the frame shows older data. */
  let stale = false;

  const stateOf = () => {
    const { world } = store.known;
    return JSON.stringify([world?.world, world?.clock.today, world?.clock.firstDay, world?.faults.map(({ id }) => id)]);
  };

  const newest = () => slots.value.at(-1)?.element.current?.contentWindow ?? undefined;

  function open(address: string) {
    const page = newest();
    page?.location.replace(address);
    page?.scrollTo(0, 0);
  }

  function addressOf(slug: string) {
    const own = step.world === store.world && step.screen !== '' ? `#/${step.screen}` : screen;
    return mijnOf(slug, store.world, own || '#/');
  }

  /** Loads a page in a frame of its own, which replaces a frame that is still being loaded. */
  function load(address: string, frameTitle: string) {
    loading = true;
    again = false;
    isChanged = false;
    keys += 1;
    slots.value = [...slots.value.slice(0, 1), { key: keys, address, title: frameTitle, element: createRef() }];
  }

  function show() {
    const persona = (store.known.personas ?? []).find(({ slug }) => slug === selection.slug);
    if (!visible || store.known.personas === undefined || store.known.world === undefined) return;
    const isShown = persona !== undefined && (!onlyLetters || persona.kind === 'letter');
    shows.value = isShown ? 'frame' : persona === undefined ? null : 'none';
    if (!isShown) return;
    const now = stateOf();
    const address = addressOf(persona.slug);
    if (address.split('#')[0] !== loaded.split('#')[0]) load(address, title(persona.naam));
    else if (step.world === store.world && step.stays) {
      // The person goes on with what is on the screen.
      read = now;
      return;
    } else if (address !== loaded || now !== read || stale) {
      if (address !== loaded) open(address);
      refresh();
    }
    loaded = address;
    read = now;
    stale = false;
  }

  /**
   * Tells the page in the frame that data of the world have changed, so that it reads them again and keeps what the user
   * typed. While the tab is not visible, notes it instead. A page that is being loaded reads the new data anyway, and one
   * that shows a step of a demonstration has read them after the step.
   */
  function tell() {
    if (!visible) stale = true;
    else if (!loading && loaded !== '' && store.known.world !== undefined && step.world !== store.world)
      newest()?.dispatchEvent(new Event('data-changed'));
  }

  /**
   * Tells the page in the frame to show its screen as if it was just opened, after a load that is in progress. Not a
   * reload, in which the frame is white for as long as the page takes.
   */
  function refresh() {
    again = loading;
    isChanged = false;
    if (!loading) newest()?.dispatchEvent(new Event('world-changed'));
  }

  /** Selects the person that the frame shows: a link in the page may have opened the page of another person. */
  function followFrame() {
    const shown = new URLSearchParams(newest()?.location.search);
    const slug = shown.get('als');
    if (slug === null || slug === selection.slug) return;
    const isShown = visible && (shown.get('wereld') ?? 'default') === store.world;
    loaded = isShown ? addressOf(slug) : '';
    if (isShown) selection.follow(slug);
  }

  /** Shows a frame in place of the one before it, when its screen has its data or has waited long enough for them. */
  async function swap(slot: Slot) {
    const since = performance.now();
    while (slots.value.at(-1) === slot && slots.value.length > 1) {
      const isReady = isSettled(slot.element.current?.contentDocument) || performance.now() - since > MAX_WAIT;
      if (isReady && !held) {
        slots.value = [slot];
        onSwap();
      } else await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }

  function onLoad(slot: Slot) {
    if (slot !== slots.value.at(-1)) return;
    const isOwn = loading;
    loading = false;
    const page = slot.element.current?.contentDocument;
    // The browser shows its own error page, which is of another origin, when the service did not answer.
    if (page == null) {
      loaded = '';
      setTimeout(show, RETRY);
      return;
    }
    for (const listener of pageListeners) listener(page);
    swap(slot);
    if (!isOwn) followFrame();
    if (again) refresh();
  }

  // While a picture is held, each step says which page it needs.
  for (const kind of ['world', 'personas'] as const) store.on(kind, () => (held && slots.value.length > 0) || show());
  for (const kind of ['zaken', 'brief', 'uploads'] as const) store.on(kind, tell);
  // An action may have changed what only the page in the frame has read, such as a request of a second ago.
  onChange(({ method, path }) => {
    if (method !== 'GET' && !path.endsWith('/journal')) isChanged = true;
  });
  store.onAction(() => {
    if (isChanged) tell();
    isChanged = false;
  });
  selection.on(show);
  return {
    Content: () => (
      <>
        {slots.value.map((slot, index) => (
          <iframe
            key={slot.key}
            ref={slot.element as RefObject<HTMLIFrameElement>}
            src={slot.address}
            class={`mijn ${index > 0 ? 'mijn--next' : slots.value.length > 1 ? 'mijn--waits' : ''}`}
            title={index === 0 ? slot.title : undefined}
            hidden={shows.value !== 'frame'}
            onLoad={() => onLoad(slot)}
          />
        ))}
        {shows.value === 'none' && (
          <div class="mijn-panel__none">
            <Empty action="Naar Post" onAction={() => go({ tab: 'brievenbus' })}>
              Alleen wie aan brieven werkt, heeft een brief op papier. De post van een zorgverlener staat onder Post.
            </Empty>
          </div>
        )}
      </>
    ),
    onPage(listener: (page: Document) => void) {
      pageListeners.push(listener);
    },
    /** Returns the page of the chosen person; null while it is being loaded. */
    page: () =>
      loading || (slots.value.length > 1 && !held) || !visible
        ? null
        : (slots.value.at(-1)?.element.current?.contentDocument ?? null),
    /** Returns the slug of the person on the screen; null when it is the chosen one. */
    personBefore: () =>
      slots.value.length < 2 || !visible
        ? null
        : new URLSearchParams(slots.value[0]?.element.current?.contentWindow?.location.search).get('als'),
    /** Resolves when the page of another person or world has replaced the one before it, or when that takes too long. */
    isReplaced: () =>
      new Promise<void>((resolve) => {
        if (slots.value.length < 2) return resolve();
        onSwap = resolve;
        setTimeout(resolve, MAX_REPLACE);
      }),
    /** Returns the screen that is shown, such as `aanvragen`; an empty text when there is none. */
    screen: () => slots.value.at(-1)?.element.current?.contentDocument?.location.hash.slice(2) ?? '',
    isHeld: () => held,
    /** Keeps the picture until `release`. The next page is loaded behind it, and can be used there. */
    hold() {
      held = true;
      loaded = '';
    },
    release() {
      held = false;
    },
    /** Notes whether the tab of this panel is visible. The frame is loaded only while it is. */
    setVisible(now: boolean) {
      visible = now;
      show();
    },
    /** Shows the screen in the frame as if it was just opened, while the tab is visible. */
    reload() {
      const before = loaded;
      show();
      if (!visible || before === '' || loaded !== before || step.stays) return;
      open(loaded);
      refresh();
    },
    /**
     * Chooses the screen, such as `berichten`, that the frame gets at its next load in the current world. An empty text
     * chooses the screen in the options; null leaves the page as it is until `endStay`. In that world the page does not
     * read data again by itself, so that the audience sees what the person sees.
     */
    setScreen(chosen: string | null) {
      step = { world: store.world, screen: chosen ?? step.screen, stays: chosen === null };
    },
    /** Lets the page follow the clock and the faults of the world again. */
    endStay() {
      step.stays = false;
    },
  };
}

/** Returns true for a page of Mijn register that shows a screen with its data. */
export const isSettled = (page: Document | null | undefined): page is Document =>
  page?.querySelector('main h1') != null && page.querySelector('.loading:not(.letter-columns__paper *)') === null;
