import { render } from 'preact';
import { address, go, onBack, onPerson } from './app/address.ts';
import { app, createPart, Message, Problem } from './app/app.tsx';
import { store } from './app/store.ts';
import { showWorld } from './app/worlds.ts';
import { Bar } from './bar.tsx';
import { CanvasView } from './canvas.tsx';
import { AudienceDialog } from './demo/audience.tsx';
import { DemoPanel, demo } from './demo/demo.tsx';
import { createPresentation } from './demo/present.tsx';
import { Drawer, Tabs } from './elements/controls.tsx';
import { JournalPanel, journal } from './journal/journal.tsx';
import { PeopleList } from './people/person.tsx';
import { PeoplePanel } from './people/search.tsx';
import { RecorderPart } from './recording/record.tsx';
import { ClockPanel, Timeline } from './world/clock.tsx';
import { FaultsPanel } from './world/faults.tsx';
import { SnapshotsPanel } from './world/snapshots.tsx';
import { WorldPanel } from './world/world.tsx';

/** Milliseconds between two checks for changes that were made outside the page. */
const POLL_INTERVAL = 5_000;
const place = (id: string) => document.getElementById(id) as HTMLElement;

onPerson((slug) => {
  if (app.personOf(slug) === undefined) store.refreshPersonas().catch(() => {});
});
const begin = createPart();

const Left = () => (
  <Tabs
    label="Kiezen"
    shown={address.leftTab.value}
    show={(id) => go({ leftTab: id })}
    all={[
      { id: 'mensen-lijst', title: 'Personen', content: <PeopleList /> },
      { id: 'zoeken', title: 'Meer personen', content: <PeoplePanel /> },
      {
        id: 'demos',
        title: 'Demo’s',
        content: (
          <>
            <DemoPanel />
            <RecorderPart />
          </>
        ),
      },
    ]}
  />
);

const Drawers = () => (
  <>
    <Drawer id="wereld" title="Wereld">
      <WorldPanel />
    </Drawer>
    <Drawer id="klok" title="Klok">
      <ClockPanel />
    </Drawer>
    <Drawer id="faults" title="Scenario’s en storingen">
      <FaultsPanel />
    </Drawer>
    <Drawer id="momentopnamen" title="Momentopnamen">
      <SnapshotsPanel />
    </Drawer>
    <AudienceDialog />
  </>
);

const Middle = () => (
  <>
    <Message of={begin} />
    {app.offline.value !== null && <Problem of={app.offline.value} onRetry={app.poll} />}
    <CanvasView />
    <nav class="time" aria-label="Tijdlijn">
      <Timeline part={begin} />
    </nav>
  </>
);

render(<Middle />, place('inhoud'));
// After the frames are there: it listens to their keys.
const presentation = createPresentation();
render(<Bar part={begin} presentation={presentation} />, place('top'));
render(<Left />, place('links'));
render(<JournalPanel />, place('rechts'));
render(<Drawers />, place('laden'));
place('links').setAttribute('aria-label', 'Wie en wat');
place('rechts').setAttribute('aria-label', 'Journaal');
// The drawers begin below the bar, which has more rows in a narrow window.
new ResizeObserver(() => {
  document.documentElement.style.setProperty('--bar', `${place('top').getBoundingClientRect().height}px`);
}).observe(place('top'), { box: 'border-box' });

await app.run(begin, () => showWorld(store.world));
if (demo.busy.value === '') demo.follow(address.step.value);
onBack((world) => app.run(begin, async () => world !== store.world && showWorld(world)), demo.follow);
// A browser allows few connections per host, so a hidden page closes its event stream.
document.addEventListener('visibilitychange', () => {
  const visible = document.visibilityState === 'visible';
  journal.setVisible(visible);
  if (visible) app.poll();
});
setInterval(() => {
  if (document.visibilityState === 'visible') app.poll();
}, POLL_INTERVAL);
