import { badge } from '../elements/controls.ts';
import { dayText } from '../elements/dates.ts';
import { h } from '../elements/dom.ts';
import { toneOf } from '../elements/tones.ts';
import { label, texts } from '../texts/texts.ts';

import type { Situation, World } from '../types.d.ts';

const words = texts.personas;

/**
 * Returns the day of the stories of all personas as Dutch text, when the clock of the world has another day: a story may
 * then not be true any more. Otherwise returns an empty text.
 */
export const storyDay = ({ clock: { firstDay, today } }: World) =>
  firstDay === null || firstDay === today ? '' : dayText(firstDay);

/** Returns the current status of a persona as coloured labels. */
export function badgesOf({ status, uhd, eligible, geheim, aanvragen }: Situation) {
  const isRequested = aanvragen.some(({ type, tag }) => type === 'herregistratie' && tag === 'InBehandeling');
  const renewal = eligible ? words.eligible : isRequested ? words.requested : words.notEligible;
  return h(
    'p',
    { class: 'badges' },
    badge(status ?? words.unregistered, toneOf(status)),
    // Without a registration there is nothing to renew.
    status !== null && badge(renewal, eligible ? 'success' : 'neutral'),
    geheim && badge(words.secret, 'warning'),
    uhd !== null && h('span', { class: 'hint' }, `${words.uhd} ${dayText(uhd)}`),
  );
}

/** Returns an element with the current data of a persona, such as the profession, the deadline and the uploads. */
export function situation({
  beroep,
  uhd,
  eligible,
  reason,
  woonplaats,
  geheim,
  diplomas,
  aanvragen,
  uploads,
}: Situation) {
  return h(
    'div',
    { class: 'situation' },
    !eligible && reason !== null && h('p', { class: 'hint' }, reason),
    h(
      'dl',
      { class: 'facts' },
      ...row('Beroep', beroep),
      ...row(words.uhd, uhd === null ? null : dayText(uhd)),
      ...row(words.lives, woonplaats ?? (geheim ? words.secret : words.unknown)),
      ...row(words.diplomas, String(diplomas)),
      ...row(
        words.requests,
        aanvragen
          .map(
            ({ type, tag, referentie }) =>
              `${type} ${label(words.requestStates, tag)}${referentie ? ` (${referentie})` : ''}`,
          )
          .join(', '),
      ),
      ...row(
        words.uploads,
        uploads
          .map(
            ({ bestandsnaam, state }) =>
              `${bestandsnaam ?? texts.state.nameless}: ${label(texts.state.uploadStates, state)}`,
          )
          .join(', '),
      ),
    ),
  );
}

/** Returns the elements of a term and its value; an empty list when the value is empty or null. */
const row = (term: string, value: string | null) => (value ? [h('dt', {}, term), h('dd', {}, value)] : []);
