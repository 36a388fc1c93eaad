import { signal } from '@preact/signals';
import { createRef, type RefObject } from 'preact';
import { Empty } from '../components/parts.tsx';
import { address, go, onPerson } from './app/address.ts';
import { onChange } from './app/api.ts';
import { store } from './app/store.ts';
import { NewTab } from './elements/controls.tsx';

/** Milliseconds after which the frame is loaded again when the service did not answer. */
const RETRY = 2_000;

/** In a frame it has a `screen`, such as `#/voorbeeld`, and not the bar in which the user chooses a person. */
function mijnOf(slug: string, world: string, screen = '') {
  const inWorld = world !== 'default' && { wereld: world };
  return `/_simulator/mijn/?${new URLSearchParams({ als: slug, ...(screen && { balk: 'nee' }), ...inWorld })}${screen}`;
}

/** `person` is the name of the person, for screen readers. */
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

type Slot = { key: number; address: string; title: string; element: RefObject<HTMLIFrameElement | null> };

const pageIn = (slot: Slot | undefined): Document | null => slot?.element.current?.contentDocument ?? null;

/**
 * Creates the frame that is shown, and behind it the one that is being loaded: the old screen stays until it is ready.
 * `onLoad` gets null for the error page of the browser; `isOwn` is false for a page that a link in the frame opened.
 */
function createFrames(onLoad: (page: Document | null, isOwn: boolean) => void) {
  const slots = signal<readonly Slot[]>([]);
  let isLoading = false;
  /** True while the picture stays as it is, and pages are loaded behind it. */
  let isHeld = false;
  let onSwap = () => {};

  /** Shows a frame in place of the one before it, when its screen has its data or has waited long enough for them. */
  async function swap(slot: Slot) {
    const since = performance.now();
    while (slots.value.at(-1) === slot && slots.value.length > 1) {
      const isReady = isSettled(pageIn(slot)) || performance.now() - since > MAX_WAIT;
      if (isReady && !isHeld) {
        slots.value = [slot];
        onSwap();
      } else await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }

  function hasLoaded(slot: Slot) {
    if (slot !== slots.value.at(-1)) return;
    const isOwn = isLoading;
    isLoading = false;
    const page = pageIn(slot);
    if (page !== null) swap(slot);
    onLoad(page, isOwn);
  }

  return {
    /** Loads a page in a frame of its own, which replaces a frame that is still being loaded. */
    load(address: string, title: string) {
      isLoading = true;
      const key = (slots.value.at(-1)?.key ?? 0) + 1;
      slots.value = [...slots.value.slice(0, 1), { key, address, title, element: createRef() }];
    },
    isLoading: () => isLoading,
    isEmpty: () => slots.value.length === 0,
    /** Returns the page that was loaded last, also behind the one that is shown. */
    newest: () => pageIn(slots.value.at(-1)),
    /** Returns the page that is shown while another one is loaded behind it, otherwise null. */
    before: () => (slots.value.length < 2 ? null : pageIn(slots.value[0])),
    /** True when the newest page is the one that is shown, or will be at `release`. */
    isReady: () => !isLoading && (slots.value.length < 2 || isHeld),
    isHeld: () => isHeld,
    hold(isOn: boolean) {
      isHeld = isOn;
    },
    /** Resolves when the newest page is shown, or when that takes too long. */
    isReplaced: () =>
      new Promise<void>((resolve) => {
        if (slots.value.length < 2) return resolve();
        onSwap = resolve;
        setTimeout(resolve, MAX_REPLACE);
      }),
    View: ({ hidden }: { hidden: boolean }) =>
      slots.value.map((slot, index) => (
        <iframe
          key={slot.key}
          ref={slot.element as RefObject<HTMLIFrameElement>}
          src={slot.address}
          class={`mijn ${index > 0 ? 'mijn--next' : slots.value.length > 1 ? 'mijn--waits' : ''}`}
          title={index === 0 ? slot.title : undefined}
          hidden={hidden}
          onLoad={() => hasLoaded(slot)}
        />
      )),
  };
}

type FrameOptions = { screen?: string; title: (naam: string) => string; onlyLetters?: boolean };

/** Creates a frame with Mijn register for the chosen person; with `onlyLetters`, only for one who works on letters. */
export function createMijnFrame({ screen = '', title, onlyLetters = false }: FrameOptions) {
  const frames = createFrames(onLoad);
  /** What the panel shows: the frame, or that there is no letter for this person. */
  const shows = signal<'frame' | 'none' | null>(null);
  const pageListeners: ((page: Document) => void)[] = [];
  /** The screen that `setScreen` chose, and the world at that moment. `stays`: the page is left as it is. */
  let step = { world: '', screen: '', stays: false };
  let isVisible = false;
  /** The address that the frame shows or loads; empty when it must be loaded again. */
  let loaded = '';
  /** The result of `stateOf` when the frame last read its data; empty when it must read them again. */
  let read = '';
  /** True when this page made a request that may have changed data of Mijn register, since the frame last read them. */
  let isChanged = false;

  const stateOf = () => {
    const { world } = store.known;
    return JSON.stringify([world?.world, world?.clock.today, world?.clock.firstDay, world?.faults.map(({ id }) => id)]);
  };

  const send = (event: string) => frames.newest()?.defaultView?.dispatchEvent(new Event(event));

  function open(address: string) {
    const page = frames.newest();
    page?.location.replace(address);
    page?.defaultView?.scrollTo(0, 0);
  }

  function addressOf(slug: string) {
    const own = step.world === store.world && step.screen !== '' ? `#/${step.screen}` : screen;
    return mijnOf(slug, store.world, own || '#/');
  }

  function show() {
    const persona = (store.known.personas ?? []).find(({ slug }) => slug === address.person.value);
    if (!isVisible || store.known.personas === undefined || store.known.world === undefined) return;
    const isShown = persona !== undefined && (!onlyLetters || persona.kind === 'letter');
    shows.value = isShown ? 'frame' : persona === undefined ? null : 'none';
    if (!isShown) return;
    const now = stateOf();
    const wanted = addressOf(persona.slug);
    if (wanted.split('#')[0] !== loaded.split('#')[0]) {
      read = now;
      isChanged = false;
      frames.load(wanted, title(persona.naam));
    } else if (step.world === store.world && step.stays) {
      // The person goes on with what is on the screen.
      if (read !== '') read = now;
      return;
    } else if (wanted !== loaded || now !== read) {
      if (wanted !== loaded) open(wanted);
      refresh();
    }
    loaded = wanted;
  }

  /** Lets the page read its data again and keep what was typed. One that is being loaded, or shows a step, has them. */
  function tell() {
    if (!isVisible) read = '';
    else if (!frames.isLoading() && loaded !== '' && store.known.world !== undefined && step.world !== store.world)
      send('data-changed');
  }

  /** Shows the screen as if it was just opened. Not a reload, in which the frame is white while the page loads. */
  function refresh() {
    isChanged = false;
    read = frames.isLoading() ? '' : stateOf();
    if (read !== '') send('world-changed');
  }

  /** Selects the person that the frame shows: a link in the page may have opened the page of another person. */
  function followFrame(page: Document) {
    const shown = new URLSearchParams(page.location.search);
    const slug = shown.get('als');
    if (slug === null || slug === address.person.value) return;
    const isShown = isVisible && (shown.get('wereld') ?? 'default') === store.world;
    loaded = isShown ? addressOf(slug) : '';
    if (isShown) go({ person: slug }, false);
  }

  function onLoad(page: Document | null, isOwn: boolean) {
    // The service did not answer.
    if (page === null) {
      loaded = '';
      setTimeout(show, RETRY);
      return;
    }
    for (const listener of pageListeners) listener(page);
    if (!isOwn) followFrame(page);
    if (read === '') refresh();
  }

  // While a picture is held, each step says which page it needs.
  for (const kind of ['world', 'personas'] as const)
    store.on(kind, () => {
      if (!frames.isHeld() || frames.isEmpty()) show();
    });
  for (const kind of ['zaken', 'brief', 'uploads'] as const) store.on(kind, tell);
  // An action may have changed what only the page in the frame has read, such as a request of a second ago.
  onChange(({ method, path }) => {
    if (method !== 'GET' && !path.endsWith('/journal')) isChanged = true;
  });
  store.onAction(() => {
    if (isChanged) tell();
    isChanged = false;
  });
  onPerson(show);
  return {
    Content: () => (
      <>
        <frames.View hidden={shows.value !== 'frame'} />
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
    page: () => (frames.isReady() && isVisible ? frames.newest() : null),
    /** Returns the slug of the person on the screen; null when it is the chosen one. */
    personBefore: () => {
      const before = isVisible ? frames.before() : null;
      return before && new URLSearchParams(before.location.search).get('als');
    },
    /** Resolves when the page of another person or world has replaced the one before it, or when that takes too long. */
    isReplaced: frames.isReplaced,
    /** Returns the screen that is shown, such as `aanvragen`; an empty text when there is none. */
    screen: () => frames.newest()?.location.hash.slice(2) ?? '',
    isHeld: frames.isHeld,
    /** Keeps the picture until `release`. The next page is loaded behind it, and can be used there. */
    hold() {
      frames.hold(true);
      loaded = '';
    },
    release: () => frames.hold(false),
    /** Notes whether the tab of this panel is visible. The frame is loaded only while it is. */
    setVisible(now: boolean) {
      isVisible = now;
      show();
    },
    /** Shows the screen in the frame as if it was just opened, while the tab is visible. */
    reload() {
      const before = loaded;
      show();
      if (!isVisible || before === '' || loaded !== before || step.stays) return;
      open(loaded);
      refresh();
    },
    /**
     * Chooses the screen of the next load in this world; null leaves the page as it is until `endStay`. In that world
     * the page does not read data again by itself, so that the audience sees what the person sees.
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
