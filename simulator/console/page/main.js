import { createApp } from './app.js';
import { clockPanel } from './clock.js';
import { demoPanel } from './demo.js';
import { h } from './dom.js';
import { faultsPanel } from './faults.js';
import { journalPanel } from './journal.js';
import { mailboxPanel } from './mailbox.js';
import { peoplePanel } from './people.js';
import { personasPanel } from './personas.js';
import { snapshotsPanel } from './snapshots.js';
import { statePanel } from './state.js';
import { createStore } from './store.js';
import { texts } from './texts.js';
import { worldPanel } from './world.js';

/** Milliseconds between two checks for changes that were made outside the page, by a test or the command line. */
const POLL_INTERVAL = 5_000;

const worldInAddress = () => new URL(location.href).searchParams.get('wereld') ?? 'default';
const place = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

const store = createStore(worldInAddress());
const app = createApp(store);
const journal = journalPanel(app);

/** Shows a world, and puts it in the address bar. @param {string} world */
async function go(world) {
  await look(world);
  history.pushState(null, '', addressOf(world));
}

/** Shows a world. When it cannot be loaded, the previous one stays. @param {string} world */
async function look(world) {
  const before = store.world;
  try {
    await store.look(world);
  } catch (error) {
    if (before !== world) await store.look(before).catch(() => {});
    throw error;
  }
  document.title = `${world} · ${texts.title} · ${texts.of}`;
  journal.look();
}

/** URL of the page for a world. @param {string} world */
function addressOf(world) {
  const url = new URL(location.href);
  if (world === 'default') url.searchParams.delete('wereld');
  else url.searchParams.set('wereld', world);
  return url;
}

const sections = /** @type {const} */ ([
  ['demonstratie', texts.demo.title],
  ['personen', texts.personas.title],
  ['mensen', texts.people.title],
  ['storingen', texts.faults.title],
  ['stand', texts.state.title],
  ['post', texts.mailbox.title],
  ['momentopnamen', texts.snapshots.title],
  ['journaal', texts.journal.title],
]);
const link = (/** @type {string} */ href, /** @type {string} */ text) =>
  h('a', { class: 'utrecht-link utrecht-link--html-a', href }, text);

place('top').append(
  h('h1', { class: 'utrecht-heading-1' }, `${texts.title} `, h('small', {}, texts.of)),
  h('p', { class: 'utrecht-paragraph lead' }, texts.subtitle),
  h(
    'p',
    { class: 'utrecht-paragraph' },
    texts.first[0],
    link('#persoon-sanne-de-wit', String(texts.first[1])),
    texts.first[2],
    link('#demonstratie', String(texts.first[3])),
    texts.first[4],
  ),
  h(
    'nav',
    { 'aria-label': texts.sections },
    h(
      'ul',
      { class: 'nav' },
      ...sections.map(([id, title]) => h('li', {}, link(`#${id}`, title))),
      h('li', {}, link('/docs', texts.api)),
      h('li', {}, link('/_simulator/openapi.json', texts.controlApi)),
    ),
  ),
);
place('panels').append(
  h(
    'div',
    { class: 'pair' },
    worldPanel(app, go, (world) => addressOf(world).href),
    clockPanel(app),
  ),
  demoPanel(app, go),
  personasPanel(app),
  peoplePanel(app),
  faultsPanel(app),
  statePanel(app),
  mailboxPanel(app),
  snapshotsPanel(app),
);
place('journal').append(journal.element);

const begin = { element: place('inhoud'), message: h('div', { class: 'messages' }) };
place('panels').prepend(begin.message);

await app.run(begin, () => look(store.world));
if (location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView();
addEventListener('popstate', () => app.run(begin, () => look(worldInAddress())));
// A browser has few connections per host: a hidden page closes its stream.
document.addEventListener('visibilitychange', () => {
  const visible = document.visibilityState === 'visible';
  journal.setVisible(visible);
  if (visible) store.poll().catch(() => {});
});
setInterval(() => {
  if (document.visibilityState === 'visible') store.poll().catch(() => {});
}, POLL_INTERVAL);
