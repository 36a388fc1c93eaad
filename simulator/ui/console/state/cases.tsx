import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Badge, Button, Empty } from '../../components/parts.tsx';
import { address, go } from '../app/address.ts';
import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import type { Part } from '../app/part.tsx';
import { DayOnOneLine } from '../elements/dates.tsx';
import { Lines } from '../elements/lines.tsx';
import { toneOf } from '../elements/tones.ts';
import { label, texts } from '../texts/texts.ts';
import type { Zaak } from '../types.d.ts';

const words = texts.state;

/**
 * Shows the cases of the world (the requests that the simulated register received), with buttons to decide on each.
 * @param props `part` shows the errors
 */
export function Cases({ app, part }: { app: App; part: Part }) {
  const { store } = app;
  /**
   * The reasons that the user typed. The key is the world and the reference of the case, because cases in two worlds can
   * have the same reference.
   */
  const reasons = useMemo(() => new Map<string, Signal<string>>(), []);
  const items = (store.shown.zaken.value ?? []).map((zaak) => {
    const key = `${store.world}/${zaak.referentie}`;
    const reason = reasons.get(key) ?? signal('');
    reasons.set(key, reason);
    return <Case key={key} of={zaak} reason={reason} app={app} part={part} />;
  });
  return (
    <Lines
      items={items}
      empty={
        <Empty action={words.toMijn} onAction={() => go({ tab: 'mijn' })}>
          {words.noZaken}
        </Empty>
      }
    />
  );
}

/** Shows a case, with buttons to decide on it. */
function Case({ of, reason, app, part }: { of: Zaak; reason: Signal<string>; app: App; part: Part }) {
  const { referentie, soort, slug, status, handmatig, ontvangenOp, besluit } = of;
  /** The case that the address names, such as that of a letter. */
  const isMarked = address.case.value === referentie;
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMarked) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);

  /** Stores a decision (`besluit`) on the case in the simulated register; null withdraws the decision. */
  function decide(besluit: { uitkomst: string; reden?: string } | null) {
    const path = `${inWorld(app.store.world)}/zaken/${encodeURIComponent(referentie)}/besluit`;
    const stand = besluit === null ? words.statuses['in-behandeling'] : label(words.outcomes, besluit.uitkomst);
    return app.run(
      part,
      () => api(path, besluit === null ? { method: 'DELETE' } : { method: 'PUT', body: besluit }),
      words.decided(referentie, stand),
    );
  }

  /** Stores a decision with the reason that the user typed, if any. */
  function decideWithReason(uitkomst: string) {
    const reden = reason.value.trim();
    return decide({ uitkomst, ...(reden !== '' && { reden }) });
  }

  return (
    <li class="line" aria-current={isMarked ? 'true' : undefined} ref={line}>
      <div>
        <strong>{label(words.soorten, soort)}</strong> {app.nameOf(slug)} · {referentie} ·{' '}
        <DayOnOneLine day={ontvangenOp} />{' '}
        <Badge tone={toneOf(besluit?.uitkomst ?? null)}>
          {besluit === null ? label(words.statuses, status) : label(words.outcomes, besluit.uitkomst)}
        </Badge>{' '}
        {handmatig && <Badge tone="info">{words.byHand}</Badge>}{' '}
        {besluit !== null && <DayOnOneLine day={besluit.datum} />}
        {besluit?.reden && `: ${besluit.reden}`}
      </div>
      <div class="buttons">
        <Button onClick={() => decide({ uitkomst: 'goedgekeurd' })} about={referentie}>
          {words.grant}
        </Button>
        <input
          class="utrecht-textbox"
          autocomplete="off"
          aria-label={words.reasonOf(referentie)}
          placeholder={words.reason}
          value={reason.value}
          onInput={({ currentTarget }) => {
            reason.value = currentTarget.value;
          }}
        />
        <Button onClick={() => decideWithReason('afgewezen')} about={referentie}>
          {words.refuse}
        </Button>
        <Button onClick={() => decideWithReason('buiten-behandeling')} about={referentie}>
          {words.leave}
        </Button>
        {(besluit !== null || !handmatig) && (
          <Button onClick={() => decide(null)} about={referentie}>
            {words.back}
          </Button>
        )}
      </div>
    </li>
  );
}
