import { signal, useSignal } from '@preact/signals';
import { createRef } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Select } from '../../components/fields.tsx';
import { Button, Dialog } from '../../components/parts.tsx';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { copy } from '../app/copy.tsx';
import { createPart, Message } from '../app/part.tsx';
import type { Canvas } from '../canvas.tsx';
import { bind } from '../elements/form.tsx';
import { layout } from '../texts/layout.ts';
import type { AudienceLinks } from '../types.d.ts';

const words = layout.audience;

/**
 * Creates what shows a QR code and a link with which an audience opens Mijn register on their own devices, as the chosen
 * person. When the service gives no link, shows the reason.
 */
export function createAudience(app: App, canvas: Canvas) {
  const { store, selection } = app;
  const part = createPart();
  const isShown = signal(false);
  const found = signal<AudienceLinks | null>(null);
  const dialog = createRef<HTMLDialogElement>();

  async function show() {
    found.value = null;
    isShown.value = true;
    await app.run(part, async () => {
      const screen = canvas.frames[0]?.current?.contentDocument?.location.hash.slice(2) ?? '';
      const query = new URLSearchParams({ screen });
      found.value = await api(`${inWorld(store.world)}/audience/${selection.slug}?${query}`);
    });
  }

  return {
    part,
    found,
    dialog,
    isShown,
    /** Shows the QR code, or closes it when it is shown. */
    toggle: () => (isShown.value ? dialog.current?.close() : show()),
  };
}

/** What shows the QR code, as `createAudience` returns it. */
export type AudienceTool = ReturnType<typeof createAudience>;

/** The button of the QR code. */
export const AudienceButton = ({ of }: { of: AudienceTool }) => (
  <button
    type="button"
    class="bar__button bar__audience"
    aria-keyshortcuts="Q"
    aria-haspopup="dialog"
    onClick={() => of.toggle()}
  >
    {words.open}
  </button>
);

/** The dialog with the QR code, while it is shown. */
export const AudienceDialog = ({ of, app }: { of: AudienceTool; app: App }) =>
  of.isShown.value && <OpenDialog of={of} app={app} />;

function OpenDialog({ of: { part, found, dialog, isShown }, app }: { of: AudienceTool; app: App }) {
  const chosen = useSignal('');
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const { links = [], codes = [], reason = null } = found.value ?? {};
  const index = Math.max(links.indexOf(chosen.value), 0);
  const link = links[index];
  const { size, path } = codes[index] ?? { size: 0, path: '' };
  return (
    <Dialog
      of={dialog}
      title={words.title}
      look="dialog--audience"
      onClose={() => {
        isShown.value = false;
      }}
    >
      <Message of={part} />
      <div class="audience">
        {reason !== null && <p class="utrecht-paragraph">{reason}</p>}
        {reason === null && link !== undefined && (
          <>
            <p class="utrecht-paragraph">{words.about(app.nameOf(app.selection.slug), app.store.world)}</p>
            <div>
              <svg viewBox={`0 0 ${size} ${size}`} class="qr" role="img" aria-label={words.image}>
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
                label={words.address}
                hint={words.addressHint}
                options={links.map((one) => [one, new URL(one).host])}
              />
            )}
            <p class="utrecht-paragraph hint">{words.network}</p>
          </>
        )}
      </div>
      <div class="buttons">
        {reason === null && link !== undefined && (
          <Button onClick={() => copy(app, part, link, words.copied)}>{words.copy}</Button>
        )}
        <Button onClick={() => dialog.current?.close()}>{layout.close}</Button>
      </div>
    </Dialog>
  );
}
