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
import { CASE_KINDS, label } from '../texts.ts';
import type { Zaak } from '../types.d.ts';

const STATUSES: Record<Zaak['status'], string> = {
  ontvangen: 'ontvangen',
  'in-behandeling': 'in behandeling',
  besloten: 'besloten',
};
const OUTCOMES = { goedgekeurd: 'toegewezen', afgewezen: 'afgewezen', 'buiten-behandeling': 'buiten behandeling' };

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
        <Empty action="Begin in Mijn register" onAction={() => go({ tab: 'mijn' })}>
          Er zijn geen zaken in deze wereld.
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
    const stand = besluit === null ? STATUSES['in-behandeling'] : label(OUTCOMES, besluit.uitkomst);
    return app.run(
      part,
      () => api(path, besluit === null ? { method: 'DELETE' } : { method: 'PUT', body: besluit }),
      `Zaak ${referentie}: ${stand}.`,
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
        <strong>{label(CASE_KINDS, soort)}</strong> {app.nameOf(slug)} · {referentie} ·{' '}
        <DayOnOneLine day={ontvangenOp} />{' '}
        <Badge tone={toneOf(besluit?.uitkomst ?? null)}>
          {besluit === null ? label(STATUSES, status) : label(OUTCOMES, besluit.uitkomst)}
        </Badge>{' '}
        {handmatig && <Badge tone="info">met de hand</Badge>} {besluit !== null && <DayOnOneLine day={besluit.datum} />}
        {besluit?.reden && `: ${besluit.reden}`}
      </div>
      <div class="buttons">
        <Button onClick={() => decide({ uitkomst: 'goedgekeurd' })} about={referentie}>
          Wijs toe
        </Button>
        <input
          class="utrecht-textbox"
          autocomplete="off"
          aria-label={`Reden om ${referentie} af te wijzen of niet te behandelen`}
          placeholder="Reden"
          value={reason.value}
          onInput={({ currentTarget }) => {
            reason.value = currentTarget.value;
          }}
        />
        <Button onClick={() => decideWithReason('afgewezen')} about={referentie}>
          Wijs af
        </Button>
        <Button onClick={() => decideWithReason('buiten-behandeling')} about={referentie}>
          Behandel niet
        </Button>
        {(besluit !== null || !handmatig) && (
          <Button onClick={() => decide(null)} about={referentie}>
            Terug in behandeling
          </Button>
        )}
      </div>
    </li>
  );
}
