import { createApp } from './app/app.js';
import { createStore } from './app/store.js';
import { createBar } from './bar.js';
import { createCanvas } from './canvas.js';
import { createAudience } from './demo/audience.js';
import { demoPanel } from './demo/demo.js';
import { createPresentation } from './demo/present.js';
import { h } from './elements/dom.js';
import { createDrawers } from './elements/drawers.js';
import { tabs } from './elements/tabs.js';
import { faultsPanel } from './faults/faults.js';
import { journalPanel } from './journal/journal.js';
import { peopleList } from './people/list.js';
import { peoplePanel } from './people/people.js';
import { recorder } from './recording/record.js';
import { layout } from './texts/layout.js';
import { texts } from './texts/texts.js';
import { clockPanel } from './world/clock.js';
import { snapshotsPanel } from './world/snapshots.js';
import { timeline } from './world/timeline.js';
import { createUndo } from './world/undo.js';
import { worldPanel } from './world/world.js';

/** Milliseconds between two checks for changes that were made outside the page. */
const POLL_INTERVAL = 5_000;
/** Slug (short name) of the person who is selected when the address of the page names none (`?als=`). */
const FIRST_PERSON = 'sanne-de-wit';

const inAddress = (/** @type {string} */ name) => new URL(location.href).searchParams.get(name);
const worldInAddress = () => inAddress('wereld') ?? 'default';
const place = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

const store = createStore(worldInAddress());
const app = createApp(store, inAddress('als') ?? FIRST_PERSON);
const journal = journalPanel(app);
const begin = { element: place('inhoud'), message: h('div', { class: 'messages' }) };

/**
 * Shows a world, and adds the URL of the page for that world to the history of the browser.
 * @param {string} world
 */
async function go(world) {
  await showWorld(world);
  history.pushState(null, '', addressOf(world));
}

/**
 * Loads and shows a world. When that fails, shows the previous world again and rejects.
 * @param {string} world
 */
async function showWorld(world) {
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

/**
 * Returns the URL of this page for a world, with the other query parameters of the current address.
 * @param {string} world
 */
function addressOf(world) {
  const url = new URL(location.href);
  if (world === 'default') url.searchParams.delete('wereld');
  else url.searchParams.set('wereld', world);
  return url;
}

/**
 * Sets a query parameter of the URL of the page, so that a choice of the user survives a reload.
 * @param {string} name
 * @param {string} value
 */
function remember(name, value) {
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
