import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { onChange } from './app/api.ts';
import type { App } from './app/app.tsx';
import { layout } from './texts/layout.ts';

/** Milliseconds after which the frame is loaded again when the service did not answer. */
const RETRY = 2_000;

/**
 * Returns the URL path of Mijn register (the example portal) for a person in a world. `screen` is the screen to open,
 * such as `#/voorbeeld`. `framed` hides the bar in which the user chooses a person.
 */
function mijnOf(
  slug: string,
  world: string,
  { screen = '', framed = false }: { screen?: string; framed?: boolean } = {},
) {
  const search = new URLSearchParams({
    als: slug,
    ...(framed && { balk: 'nee' }),
    ...(world !== 'default' && { wereld: world }),
  });
  return `/_simulator/mijn/?${search}${screen}`;
}

/**
 * Shows a link to Mijn register (the example portal) for a person in a world, which opens in another tab.
 * @param props `person` is the name of the person, for screen readers
 */
export const MijnLink = ({ slug, world, text, person }: MijnLinkProps) => (
  <a
    class="utrecht-link utrecht-link--html-a"
    href={mijnOf(slug, world)}
    target="_blank"
    rel="noopener"
    aria-label={`${text}: ${person}`}
  >
    {text}
  </a>
);

interface MijnLinkProps {
  slug: string;
  world: string;
  text: string;
  person: string;
}

/**
 * Creates a frame that shows Mijn register (the example portal) for the chosen person. `title` returns the
 * title of the frame for the name of that person. With `onlyLetters`, the frame is hidden unless that person has the
 * kind `letter` (works on letters).
 */
export function createMijnFrame(
  app: App,
  {
    screen = '',
    title,
    onlyLetters = false,
  }: { screen?: string; title: (naam: string) => string; onlyLetters?: boolean },
) {
  const { store, selection } = app;
  const frame = createRef<HTMLIFrameElement>();
  /** What the panel shows: the frame, or that there is no letter for this person. */
  const shows = signal<'frame' | 'none' | null>(null);
  const frameTitle = signal('');
  /** The screen that the last call of `setScreen` chose, and the world that was shown at that moment. */
  let step = { world: '', screen: '' };
  let visible = false;
  let loaded = '';
  /** The result of `stateOf` when the frame last read its data. With another result its screen is shown again. */
  let read = '';
  let loading = false;
  /** True when the world changed while the frame was being loaded, so that its screen must be shown again. */
  let again = false;
  /** True when this page made a request that may have changed data of Mijn register, since the last action ended. */
  let isChanged = false;
  /** True when data changed while the tab was not visible, so that the frame shows older data. */
  let stale = false;

  const stateOf = () => {
    const { world } = store.known;
    return JSON.stringify([world?.world, world?.clock.today, world?.clock.firstDay, world?.faults.map(({ id }) => id)]);
  };

  /** Returns the URL path with which the frame is loaded for a person. */
  function addressOf(slug: string) {
    const own = step.world === store.world && step.screen !== '' ? `#/${step.screen}` : screen;
    return mijnOf(slug, store.world, { screen: own, framed: true });
  }

  function show() {
    const persona = (store.known.personas ?? []).find(({ slug }) => slug === selection.slug);
    if (!visible || store.known.personas === undefined || store.known.world === undefined) return;
    const isShown = persona !== undefined && (!onlyLetters || persona.kind === 'letter');
    shows.value = isShown ? 'frame' : persona === undefined ? null : 'none';
    if (!isShown) return;
    frameTitle.value = title(persona.naam);
    const address = addressOf(persona.slug);
    const now = stateOf();
    if (address.split('#')[0] !== loaded.split('#')[0]) {
      loading = true;
      again = false;
      frame.current?.contentWindow?.location.replace(address);
    } else if (address !== loaded || now !== read || stale) {
      if (address !== loaded) frame.current?.contentWindow?.location.replace(address);
      refresh();
    }
    loaded = address;
    read = now;
    stale = false;
  }

  /**
   * Tells the page in the frame that data of the world have changed, so that it reads them again and keeps what the user
   * typed. While the tab is not visible, notes it instead. A page that is being loaded reads the new data anyway.
   */
  function tell() {
    if (!visible) stale = true;
    else if (!loading && loaded !== '' && store.known.world !== undefined)
      frame.current?.contentWindow?.dispatchEvent(new Event('data-changed'));
  }

  /**
   * Tells the page in the frame to show its screen as if it was just opened, after a load that is in progress. Not a
   * reload, in which the frame is white for as long as the page takes.
   */
  function refresh() {
    again = loading;
    if (!loading) frame.current?.contentWindow?.dispatchEvent(new Event('world-changed'));
  }

  /**
   * Selects the person that the frame shows. Each screen of Mijn register is an entry in the history of the browser, so
   * Back can load the page of the person before.
   */
  function followFrame() {
    const shown = new URLSearchParams(frame.current?.contentDocument?.location.search);
    const slug = shown.get('als');
    if (slug === null || slug === selection.slug) return;
    const isShown = visible && (shown.get('wereld') ?? 'default') === store.world;
    loaded = isShown ? addressOf(slug) : '';
    if (isShown) selection.choose(slug);
  }

  function onLoad() {
    const isOwn = loading;
    loading = false;
    // The browser shows its own error page, which is of another origin, when the service did not answer.
    if (frame.current?.contentDocument == null) {
      loaded = '';
      setTimeout(show, RETRY);
      return;
    }
    if (!isOwn) followFrame();
    if (again) refresh();
  }

  store.on('world', show);
  store.on('personas', show);
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
        <iframe ref={frame} class="mijn" title={frameTitle.value} hidden={shows.value !== 'frame'} onLoad={onLoad} />
        {shows.value === 'none' && <p class="utrecht-paragraph hint mijn-panel__none">{layout.noPaper}</p>}
      </>
    ),
    frame,
    /** Notes whether the tab of this panel is visible. The frame is loaded only while it is. */
    setVisible(now: boolean) {
      visible = now;
      show();
    },
    /** Shows the screen in the frame as if it was just opened, while the tab is visible. */
    reload() {
      const before = loaded;
      show();
      if (visible && before !== '' && loaded === before) refresh();
    },
    /**
     * Chooses the screen, such as `berichten`, that the frame gets at its next load in the current world. An empty text
     * chooses the screen in the options.
     */
    setScreen(chosen: string) {
      step = { world: store.world, screen: chosen };
    },
  };
}
