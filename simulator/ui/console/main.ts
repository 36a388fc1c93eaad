import { createApp } from './app/app.ts';
import { createStore } from './app/store.ts';
import { createBar } from './bar.ts';
import { createCanvas } from './canvas.ts';
import { createAudience } from './demo/audience.ts';
import { demoPanel } from './demo/demo.ts';
import { createPresentation } from './demo/present.ts';
import { h } from './elements/dom.ts';
import { createDrawers } from './elements/drawers.ts';
import { tabs } from './elements/tabs.ts';
import { faultsPanel } from './faults/faults.ts';
import { journalPanel } from './journal/journal.ts';
import { peopleList } from './people/list.ts';
import { peoplePanel } from './people/people.ts';
import { recorder } from './recording/record.ts';
import { layout } from './texts/layout.ts';
import { texts } from './texts/texts.ts';
import { clockPanel } from './world/clock.ts';
import { snapshotsPanel } from './world/snapshots.ts';
import { timeline } from './world/timeline.ts';
import { createUndo } from './world/undo.ts';
import { worldPanel } from './world/world.ts';

/** Milliseconds between two checks for changes that were made outside the page. */
const POLL_INTERVAL = 5_000;
/** Slug (short name) of the person who is selected when the address of the page names none (`?als=`). */
const FIRST_PERSON = 'sanne-de-wit';

const inAddress = (name: string) => new URL(location.href).searchParams.get(name);
const worldInAddress = () => inAddress('wereld') ?? 'default';
const place = (id: string) => document.getElementById(id) as HTMLElement;

const store = createStore(worldInAddress());
const app = createApp(store, inAddress('als') ?? FIRST_PERSON);
const journal = journalPanel(app);
const begin = { element: place('inhoud'), message: h('div', { class: 'messages' }) };

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

/** Sets a query parameter of the URL of the page, so that a choice of the user survives a reload. */
function remember(name: string, value: string) {
  const url = new URL(location.href);
  url.searchParams.set(name, value);
  history.replaceState(null, '', url);
}

const undo = createUndo(app, begin, go);
app.snapshotForUndo = undo.snapshotForUndo;

const drawers = createDrawers(place('laden'));
const canvas = createCanvas(app, (tab) => remember('toon', tab));
const demo = demoPanel(app, go, canvas);
const presentation = createPresentation(demo, canvas, createAudience(app, canvas));
const left = tabs(layout.leftTabs, [
  { id: 'mensen-lijst', title: layout.people, panel: h('div', {}, peopleList(app)) },
  { id: 'zoeken', title: layout.search, panel: h('div', {}, peoplePanel(app)) },
  { id: 'demos', title: layout.demos, panel: h('div', {}, demo.element, recorder(app, go)) },
]);

place('top').append(
  ...createBar(app, drawers, undo.element, presentation.tools, {
    world: worldPanel(app, go, (world) => addressOf(world).href),
    clock: clockPanel(app),
    faults: faultsPanel(app),
    snapshots: snapshotsPanel(app),
    journal: journal.element,
    journalPlace: place('rechts'),
  }),
);
// The drawers begin below the bar, which has more rows in a narrow window.
new ResizeObserver(() => {
  document.body.style.setProperty('--bar', `${place('top').getBoundingClientRect().height}px`);
}).observe(place('top'), { box: 'border-box' });
place('links').append(left.list, ...left.panels);
place('links').setAttribute('aria-label', layout.left);
place('rechts').setAttribute('aria-label', layout.journal);
place('inhoud').append(
  begin.message,
  canvas.element,
  h('nav', { class: 'time', 'aria-label': layout.timeline }, timeline(app, begin)),
);
left.show(inAddress('links') ?? 'mensen-lijst');
selectTab();

/** Shows the tab of the main panel that the address names (`?toon=`), or else the tab of Mijn register. */
function selectTab() {
  canvas.show(inAddress('toon') ?? 'mijn');
}

app.selection.on((slug) => remember('als', slug));
demo.onShown(() => left.show('demos'));

await app.run(begin, () => showWorld(store.world));
// Back and Forward show the world, the tab and the person of the address.
addEventListener('popstate', () =>
  app.run(begin, async () => {
    await showWorld(worldInAddress());
    selectTab();
    app.selection.choose(inAddress('als') ?? FIRST_PERSON);
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
