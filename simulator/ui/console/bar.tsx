import { useEffect, useRef } from 'preact/hooks';
import { address } from './app/address.ts';
import type { App } from './app/app.tsx';
import { type Presentation, PresentButtons } from './demo/present.tsx';
import { dayText } from './elements/dates.tsx';
import { DrawerButton } from './elements/drawers.tsx';
import { useRoving } from './elements/roving.ts';
import { layout } from './texts/layout.ts';
import { label, texts } from './texts/texts.ts';
import { type Undo, UndoButton } from './world/undo.tsx';

/** Shows the title, and a toolbar with the world, its date, its active faults and buttons. */
export function Bar({ app, undo, presentation }: { app: App; undo: Undo; presentation: Presentation }) {
  const { store, selection } = app;
  const tools = useRef<HTMLDivElement>(null);
  useRoving(tools);
  const world = store.shown.world.value;
  const faults = world?.faults.length ?? 0;
  const refreshLists = () => store.refreshLists().catch(() => {});
  return (
    <>
      <h1 class="bar__title">
        {texts.title} <small>{texts.of}</small>
      </h1>
      <div class="bar__tools" role="toolbar" aria-label={layout.bar} ref={tools}>
        <DrawerButton id="wereld" onOpen={refreshLists}>
          {texts.world.title} <strong class="bar__world">{world?.world}</strong>
        </DrawerButton>
        <DrawerButton id="klok">
          <span class="visually-hidden">{texts.clock.title} </span>
          <strong>{world ? dayText(world.clock.today) : layout.unknownDay}</strong>{' '}
          <span class="bar__mode">{world && label(texts.clock.modes, world.clock.mode)}</span>
        </DrawerButton>
        <DrawerButton id="faults" look={faults > 0 ? 'bar__button--alarm' : ''}>
          <strong>
            {world === undefined ? layout.unknownFaults : faults === 0 ? layout.noFaults : layout.faults(faults)}
          </strong>
        </DrawerButton>
        <DrawerButton id="momentopnamen" onOpen={refreshLists}>
          {texts.snapshots.title}
        </DrawerButton>
        <UndoButton of={undo} />
        <JournalButton />
        <span class="bar__space" />
        <a
          class="bar__link"
          href={`/docs?${new URLSearchParams({ wereld: world?.world ?? store.world, als: selection.slug })}`}
        >
          {texts.api}
        </a>
        <a class="bar__link" href="/_simulator/openapi.json">
          {texts.controlApi}
        </a>
        <PresentButtons of={presentation} />
      </div>
    </>
  );
}

/** Shows or hides the journal (the list of requests) on a narrow screen, where it is a drawer. */
function JournalButton() {
  const isOpen = address.drawer.value === 'journaal';
  useEffect(() => {
    document.getElementById('rechts')?.classList.toggle('right--open', isOpen);
  }, [isOpen]);
  return (
    <DrawerButton id="journaal" look="bar__journal" controls="rechts">
      {layout.journal}
    </DrawerButton>
  );
}
