import { signal, useSignal } from '@preact/signals';
import { createRef } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Select } from '../../components/fields.tsx';
import { Button, Dialog } from '../../components/parts.tsx';
import { address } from '../app/address.ts';
import { api, BASE, inWorld } from '../app/api.ts';
import { app, copy, createPart, Message } from '../app/app.tsx';
import { store } from '../app/store.ts';
import { canvas } from '../canvas.tsx';
import { BarButton, bind } from '../elements/controls.tsx';
import type { AudienceLinks } from '../types.d.ts';

const CONSEQUENCES = [
  'Wie op dat netwerk zit en het adres heeft, kan elke verzonnen persoon in deze wereld bekijken.',
  'Zij kunnen alleen lezen. Andere werelden, de console en de klok blijven op deze machine.',
  'Het stopt als u Stop met meekijken kiest, een andere wereld opent of deze pagina verlaat, en anders na vier uur.',
];

const part = createPart();
/** The number of times that the dialog was opened; it stays in the page when it is closed. */
const timesShown = signal(0);
const found = signal<AudienceLinks | null>(null);
const dialog = createRef<HTMLDialogElement>();

async function ask() {
  found.value = null;
  await app.run(part, async () => {
    const query = new URLSearchParams({ screen: canvas.mijn.screen() });
    found.value = await api(`${inWorld(store.world)}/audience/${address.person.value}?${query}`);
  });
}

/** Name of the world that this page opened to the network; null when there is none. */
const opened = signal<string | null>(null);

async function open() {
  const { world } = store;
  const isOpen = await app.run(part, () => api(`${inWorld(world)}/audience`, { method: 'POST', body: {} }));
  if (!isOpen) return;
  opened.value = world;
  await ask();
}

async function close() {
  const world = opened.value;
  opened.value = null;
  if (world !== null) await app.run(part, () => api(`${inWorld(world)}/audience`, { method: 'DELETE' }));
}

// The page is left: its last request may outlive it.
addEventListener('pagehide', () => {
  if (opened.value !== null)
    fetch(`${BASE}/${inWorld(opened.value)}/audience`, { method: 'DELETE', keepalive: true }).catch(() => {});
  opened.value = null;
});
store.on('world', ({ world }) => {
  if (opened.value !== null && opened.value !== world) close();
});

// Not a note of the event `close`, which comes later, maybe after the next press.
const isShown = () => dialog.current?.open ?? false;

async function stop() {
  await close();
  dialog.current?.close();
  app.say('Niemand kan meer meekijken.');
}

function toggle() {
  if (isShown()) return dialog.current?.close();
  timesShown.value += 1;
  return ask();
}

export const audience = { isShown, toggle, close };

export const AudienceButton = () => (
  <BarButton look="bar__audience" aria-keyshortcuts="Q" aria-haspopup="dialog" onClick={toggle}>
    {opened.value === null ? 'Laat meekijken' : 'Er wordt meegekeken'}
  </BarButton>
);

export const AudienceDialog = () => timesShown.value > 0 && <OpenDialog />;

function OpenDialog() {
  const chosen = useSignal('');
  useLayoutEffect(() => dialog.current?.showModal(), [timesShown.value]);
  // The button that opened the world is gone, and the focus with it.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) dialog.current?.querySelector('a')?.focus();
  }, [found.value]);
  const { links = [], codes = [], reason = null, canOpen = false } = found.value ?? {};
  const index = Math.max(links.indexOf(chosen.value), 0);
  const link = links[index];
  const { size, path } = codes[index] ?? { size: 0, path: '' };
  return (
    <Dialog
      of={dialog}
      title={canOpen ? 'Anderen laten meekijken?' : 'Kijk mee op uw eigen apparaat'}
      look="dialog--audience"
    >
      <Message of={part} />
      <div class="audience">
        {reason !== null && !canOpen && <p class="utrecht-paragraph">{reason}</p>}
        {canOpen && (
          <>
            <p class="utrecht-paragraph">{`De dienst luistert nu alleen op deze machine. Wilt u wereld ${store.world} openen voor het netwerk waarop deze machine is aangesloten?`}</p>
            <ul class="utrecht-unordered-list">
              {CONSEQUENCES.map((one) => (
                <li key={one} class="utrecht-unordered-list__item">
                  {one}
                </li>
              ))}
            </ul>
          </>
        )}
        {reason === null && link !== undefined && (
          <>
            <p class="utrecht-paragraph">{`Scan de code of typ het adres. U opent Mijn register als ${app.nameOf(address.person.value)}, in wereld ${store.world}.`}</p>
            <div>
              <svg viewBox={`0 0 ${size} ${size}`} class="qr" role="img" aria-label="QR-code met het adres hieronder">
                <path d={path} />
              </svg>
            </div>
            <p class="utrecht-paragraph">
              <a class="utrecht-link utrecht-link--html-a audience__link" href={link} target="_blank" rel="noopener">
                {link}
              </a>
            </p>
            {links.length > 1 && (
              <Select
                {...bind(chosen)}
                value={link}
                label="Adres van deze machine"
                hint="Kies het adres op het netwerk van uw publiek."
                options={links.map((one) => [one, new URL(one).host])}
              />
            )}
            <p class="utrecht-paragraph hint">
              {`Dit werkt voor wie op hetzelfde netwerk zit. Wie meekijkt, kan ${opened.value === null ? 'ook iets invullen' : 'alleen lezen'}.`}
            </p>
          </>
        )}
      </div>
      <div class="buttons">
        {canOpen && (
          <Button look="primary-action" onClick={open}>
            Ja, laat meekijken
          </Button>
        )}
        {opened.value !== null && <Button onClick={stop}>Stop met meekijken</Button>}
        {reason === null && link !== undefined && (
          <Button onClick={() => copy(part, link, 'Het adres')}>Kopieer adres</Button>
        )}
        <Button onClick={() => dialog.current?.close()}>Sluiten</Button>
      </div>
    </Dialog>
  );
}
