import { api, inWorld } from '../app/api.ts';
import type { App, Panel } from '../app/app.ts';
import { badge, button, textbox } from '../elements/controls.ts';
import { dayOnOneLine } from '../elements/dates.ts';
import { h, redraw } from '../elements/dom.ts';
import { toneOf } from '../elements/tones.ts';
import { label, texts } from '../texts/texts.ts';
import type { Zaak } from '../types.d.ts';

const words = texts.state;

/**
 * Returns the list of the cases of the world (the requests that the simulated register received), with buttons to
 * decide on each.
 * @param part the panel that shows the errors
 */
export function cases(app: App, part: Panel) {
  const { store } = app;
  const list = h('ul', { class: 'lines' });
  /**
   * The text fields for reasons, so that typed text is not lost when the list is drawn again. The key is the world and
   * the reference of the case, because cases in two worlds can have the same reference.
   */
  const reasons: Map<string, HTMLInputElement> = new Map();

  /** Stores a decision (`besluit`) on a case in the simulated register; null withdraws the decision. */
  const decide = ({ referentie }: Zaak, besluit: { uitkomst: string; reden?: string } | null) => {
    const path = `${inWorld(store.world)}/zaken/${encodeURIComponent(referentie)}/besluit`;
    const stand = besluit === null ? words.statuses['in-behandeling'] : label(words.outcomes, besluit.uitkomst);
    return app.run(
      part,
      () => api(path, besluit === null ? { method: 'DELETE' } : { method: 'PUT', body: besluit }),
      words.decided(referentie, stand),
    );
  };

  /** Returns the list item of a case, with buttons to decide on it. */
  function item(zaak: Zaak) {
    const { referentie, soort, slug, status, handmatig, ontvangenOp, besluit } = zaak;
    const key = `${store.world}/${referentie}`;
    const reason = reasons.get(key) ?? textbox({ 'aria-label': words.reasonOf(referentie), placeholder: words.reason });
    reasons.set(key, reason);
    /** Returns a decision with the reason that the user typed, if any. */
    const withReason = (uitkomst: string) => {
      const reden = reason.value.trim();
      return { uitkomst, ...(reden !== '' && { reden }) };
    };
    return h(
      'li',
      { class: 'line' },
      h(
        'div',
        {},
        h('strong', {}, label(words.soorten, soort)),
        ` ${app.nameOf(slug)} · ${referentie} · `,
        dayOnOneLine(ontvangenOp),
        ' ',
        badge(
          besluit === null ? label(words.statuses, status) : label(words.outcomes, besluit.uitkomst),
          toneOf(besluit?.uitkomst ?? null),
        ),
        handmatig && ' ',
        handmatig && badge(words.byHand),
        besluit !== null && ' ',
        besluit !== null && dayOnOneLine(besluit.datum),
        besluit?.reden && `: ${besluit.reden}`,
      ),
      h(
        'div',
        { class: 'buttons' },
        button(words.grant, () => decide(zaak, { uitkomst: 'goedgekeurd' }), {
          about: referentie,
          key: `grant-${referentie}`,
        }),
        reason,
        button(words.refuse, () => decide(zaak, withReason('afgewezen')), {
          about: referentie,
          key: `refuse-${referentie}`,
        }),
        button(words.leave, () => decide(zaak, withReason('buiten-behandeling')), {
          about: referentie,
          key: `leave-${referentie}`,
        }),
        (besluit !== null || !handmatig) &&
          button(words.back, () => decide(zaak, null), { about: referentie, key: `back-${referentie}` }),
      ),
    );
  }

  function draw() {
    const zaken = store.known.zaken ?? [];
    redraw(list, ...(zaken.length === 0 ? [h('li', { class: 'hint' }, words.noZaken)] : zaken.map(item)));
  }

  store.on('zaken', draw);
  store.on('personas', draw);
  return list;
}
