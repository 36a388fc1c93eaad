import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Failure } from '../../components/parts.tsx';
import { PageError } from './api.ts';

/** A part of the page that shows the error of its last action, or another message. */
export interface Part {
  readonly message: Signal<ComponentChildren>;
}

export const createPart = (): Part => ({ message: signal(null) });
export const usePart = () => useMemo(createPart, []);

/** Shows the message of a part. */
export const Message = ({ of }: { of: Part }) => <div class="messages">{of.message.value}</div>;

/**
 * Shows the message of an error and what the user can do. An error that is not a `PageError` is a mistake in this page.
 * @param props `onRetry` tries again, when the simulator did not answer
 */
export function Problem({ of, onRetry }: { of: unknown; onRetry: () => unknown }) {
  const { message, errors, remedy, unreachable } =
    of instanceof PageError ? of : new PageError('Er ging iets mis in deze pagina.', [], String(of));
  return (
    <Failure title={message} retry="Probeer opnieuw" onRetry={unreachable ? onRetry : undefined}>
      {errors.length > 0 && (
        <ul class="utrecht-unordered-list">
          {errors.map(({ pointer, detail }) => (
            <li key={detail}>{pointer ? `${pointer}: ${detail}` : detail}</li>
          ))}
        </ul>
      )}
      {remedy !== null && <p class="utrecht-paragraph">{remedy}</p>}
    </Failure>
  );
}

type PanelProps = { id: string; title: string; of: Part; isInside?: boolean; children: ComponentChildren };

/**
 * Shows a panel: a section with a heading, and the message of the part `of`. With `isInside`, an element around it has
 * the same name, which would else be announced twice.
 */
export const Panel = ({ id, title, of, isInside = false, children }: PanelProps) => (
  <section class="panel" id={id} aria-labelledby={isInside ? undefined : `${id}-kop`} tabindex={-1}>
    <h2 class="utrecht-heading-2" id={`${id}-kop`}>
      {title}
    </h2>
    <Message of={of} />
    {children}
  </section>
);

/** Shows controls that are used less, which are hidden until the user opens them. */
export const More = ({ about, children }: { about: string; children: ComponentChildren }) => (
  <details class="more">
    <summary>
      Meer
      <span class="visually-hidden"> {about}</span>
    </summary>
    {children}
  </details>
);
