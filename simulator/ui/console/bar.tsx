import { useRef, useState } from 'preact/hooks';
import { address } from './app/address.ts';
import type { Part } from './app/app.tsx';
import { store } from './app/store.ts';
import { type Presentation, PresentButtons } from './demo/present.tsx';
import { BarButton, DrawerButton, useRoving } from './elements/controls.tsx';
import { dayText } from './elements/values.tsx';
import { CLOCK_MODES, faultCount, label } from './texts.ts';
import { UndoButton } from './world/snapshots.tsx';

export function Bar({ part, presentation }: { part: Part; presentation: Presentation }) {
  const tools = useRef<HTMLDivElement>(null);
  useRoving(tools);
  const [isAllShown, setAllShown] = useState(false);
  const world = store.shown.world.value;
  const faults = world?.faults.length ?? 0;
  const refreshLists = () => store.refreshLists().catch(() => {});
  return (
    <>
      <h1 class={presentation.isOn.value ? 'visually-hidden' : 'bar__title'}>
        Simulator <small>Zorgregister BFF</small>
      </h1>
      <div
        class={`bar__tools ${isAllShown ? 'bar__tools--all' : ''}`}
        role="toolbar"
        aria-label="Wereld, klok en storingen"
        ref={tools}
      >
        <DrawerButton id="wereld" look="bar__world" onOpen={refreshLists}>
          Wereld <strong>{world?.world}</strong>
        </DrawerButton>
        <DrawerButton id="klok">
          <span class="visually-hidden">Klok </span>
          <strong>{world ? dayText(presentation.dateBefore.value ?? world.clock.today) : 'Geen datum'}</strong>{' '}
          <span class="bar__mode">{world && label(CLOCK_MODES, world.clock.mode)}</span>
        </DrawerButton>
        <DrawerButton id="faults" look={faults > 0 ? 'bar__button--alarm' : ''}>
          <strong>{world === undefined ? 'Storingen' : faultCount(faults)}</strong>
        </DrawerButton>
        <DrawerButton id="journaal" look="bar__journal" controls="rechts">
          Journaal
        </DrawerButton>
        <BarButton look="bar__more" aria-expanded={isAllShown} onClick={() => setAllShown(!isAllShown)}>
          Meer
        </BarButton>
        <DrawerButton id="momentopnamen" onOpen={refreshLists}>
          Momentopnamen
        </DrawerButton>
        <UndoButton part={part} />
        <span class="bar__space" />
        <a
          class="bar__link"
          href={`/docs?${new URLSearchParams({ wereld: world?.world ?? store.world, als: address.person.value })}`}
        >
          API uitproberen
        </a>
        <PresentButtons of={presentation} />
      </div>
    </>
  );
}
