import { signal } from '@preact/signals';
import { render } from 'preact';
import { createApp } from './app/app.tsx';
import { createPart, Message } from './app/part.tsx';
import { createStore } from './app/store.ts';
import { Bar } from './bar.tsx';
import { CanvasView, createCanvas } from './canvas.tsx';
import { AudienceDialog, createAudience } from './demo/audience.tsx';
import { createDemo, DemoPanel } from './demo/demo.tsx';
import { createPresentation } from './demo/present.tsx';
import { Drawer } from './elements/drawers.tsx';
import { Tabs } from './elements/tabs.tsx';
import { FaultsPanel } from './faults/faults.tsx';
import { createJournal, JournalPanel } from './journal/journal.tsx';
import { PeopleList } from './people/list.tsx';
import { PeoplePanel } from './people/people.tsx';
import { createRecorder, RecorderPart } from './recording/record.tsx';
import { layout } from './texts/layout.ts';
import { texts } from './texts/texts.ts';
import { ClockPanel } from './world/clock.tsx';
import { SnapshotsPanel } from './world/snapshots.tsx';
import { Timeline } from './world/timeline.tsx';
import { createUndo } from './world/undo.tsx';
import { WorldPanel } from './world/world.tsx';

/** Milliseconds between two checks for changes that were made outside the page. */
const POLL_INTERVAL = 5_000;
/** Slug (short name) of the person who is selected when the address of the page names none (`?als=`). */
const FIRST_PERSON = 'sanne-de-wit';

const inAddress = (name: string) => new URL(location.href).searchParams.get(name);
const worldInAddress = () => inAddress('wereld') ?? 'default';
const place = (id: string) => document.getElementById(id) as HTMLElement;

const store = createStore(worldInAddress());
const app = createApp(store, inAddress('als') ?? FIRST_PERSON);
const journal = createJournal(app);
const begin = createPart();

/** Shows a world, and adds the URL of the page for that world to the history of the browser. */
async function go(world: string) {
  await showWorld(world);
  history.pushState(null, '', addressOf(world));
}

/** Loads and shows a world. When that fails, shows the previous world again and rejects. */
async function showWorld(world: string) {
  const before = store.world;
  try {
    await store.showWorld(world);
  } catch (error) {
    if (before !== world) await store.showWorld(before).catch(() => {});
    throw error;
  }
  document.title = `${world} · ${texts.title} · ${texts.of}`;
  journal.showCurrentWorld();
}

/** Returns the URL of this page for a world, with the other query parameters of the current address. */
function addressOf(world: string) {
  const url = new URL(location.href);
  if (world === 'default') url.searchParams.delete('wereld');
  else url.searchParams.set('wereld', world);
  return url;
}

/**
 * Sets a query parameter of the URL of the page, so that a choice of the user survives a reload. With `isNew`, Back
 * returns to the choice before.
 */
function remember(name: string, value: string, isNew = false) {
  if (inAddress(name) === value) return;
  const url = new URL(location.href);
  url.searchParams.set(name, value);
  if (isNew) history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}

const undo = createUndo(app, begin, go);
app.snapshotForUndo = undo.snapshotForUndo;

const canvas = createCanvas(app, (tab) => remember('toon', tab));
const demo = createDemo(app, go, canvas);
const recorder = createRecorder(app, go);
const audience = createAudience(app, canvas);
const LEFT_TABS = ['mensen-lijst', 'zoeken', 'demos'];
const leftTab = signal(LEFT_TABS.find((id) => id === inAddress('links')) ?? 'mensen-lijst');

const Left = () => (
  <Tabs
    label={layout.leftTabs}
    shown={leftTab.value}
    show={(id) => {
      leftTab.value = id;
    }}
    all={[
      { id: 'mensen-lijst', title: layout.people, content: <PeopleList app={app} /> },
      { id: 'zoeken', title: layout.search, content: <PeoplePanel app={app} /> },
      {
        id: 'demos',
        title: layout.demos,
        content: (
          <>
            <DemoPanel app={app} of={demo} />
            <RecorderPart of={recorder} />
          </>
        ),
      },
    ]}
  />
);

const Drawers = () => (
  <>
    <Drawer id="wereld" title={texts.world.title}>
      <WorldPanel app={app} go={go} addressOf={(world) => addressOf(world).href} />
    </Drawer>
    <Drawer id="klok" title={texts.clock.title}>
      <ClockPanel app={app} />
    </Drawer>
    <Drawer id="faults" title={texts.faults.title}>
      <FaultsPanel app={app} />
    </Drawer>
    <Drawer id="momentopnamen" title={texts.snapshots.title}>
      <SnapshotsPanel app={app} />
    </Drawer>
    <AudienceDialog of={audience} app={app} />
  </>
);

const Middle = () => (
  <>
    <Message of={begin} />
    <CanvasView app={app} of={canvas} />
    <nav class="time" aria-label={layout.timeline}>
      <Timeline app={app} part={begin} />
    </nav>
  </>
);

render(<Middle />, place('inhoud'));
// After the frames are there: it listens to their keys.
const presentation = createPresentation(demo, canvas, audience, journal);
render(<Bar app={app} undo={undo} presentation={presentation} />, place('top'));
render(<Left />, place('links'));
render(<JournalPanel app={app} of={journal} />, place('rechts'));
render(<Drawers />, place('laden'));
place('links').setAttribute('aria-label', layout.left);
place('rechts').setAttribute('aria-label', layout.journal);
// The drawers begin below the bar, which has more rows in a narrow window.
new ResizeObserver(() => {
  document.body.style.setProperty('--bar', `${place('top').getBoundingClientRect().height}px`);
}).observe(place('top'), { box: 'border-box' });
selectTab();

/** Shows the tab of the main panel that the address names (`?toon=`), or else the tab of Mijn register. */
function selectTab() {
  canvas.show(inAddress('toon') ?? 'mijn');
}

app.selection.on((slug) => remember('als', slug, true));
demo.onShown(() => {
  leftTab.value = 'demos';
});

presentation.followAddress();
await app.run(begin, () => showWorld(store.world));
await demo.followAddress();
// Back and Forward show the world, the tab and the person of the address.
addEventListener('popstate', () =>
  app.run(begin, async () => {
    await showWorld(worldInAddress());
    selectTab();
    app.selection.choose(inAddress('als') ?? FIRST_PERSON);
    presentation.followAddress();
    await demo.followAddress();
  }),
);
// A browser allows few connections per host, so a hidden page closes its event stream.
document.addEventListener('visibilitychange', () => {
  const visible = document.visibilityState === 'visible';
  journal.setVisible(visible);
  if (visible) app.poll();
});
setInterval(() => {
  if (document.visibilityState === 'visible') app.poll();
}, POLL_INTERVAL);
