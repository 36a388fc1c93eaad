import { h } from '../elements/dom.ts';
import { label, texts } from '../texts/texts.ts';

import type { Entry, UpstreamCall } from '../types.d.ts';

const words = texts.journal;

/**
 * Returns a journal entry (a recorded request) as bars on one time scale: the request to the service, and below it its
 * upstream calls, in the order in which they began.
 */
export function waterfall({ ms, operation, response, upstream }: Entry) {
  const end = Math.max(ms, ...upstream.map((call) => call.start + call.ms), 1);
  const calls = upstream.toSorted((one, other) => one.start - other.start);
  return h(
    'ol',
    { class: 'waterfall', 'aria-label': words.upstream },
    bar(end, { start: 0, ms }, operation ?? words.service, words.service, String(response.status), false),
    ...calls.map((call) =>
      bar(
        end,
        call,
        call.operation ?? call.bron,
        label(texts.faults.upstreams, call.bron),
        resultOf(call),
        isTrouble(call),
      ),
    ),
  );
}

/**
 * Returns a Dutch text for the result of an upstream call: the outcome, and also the number of attempts when there was
 * more than one, and the simulated fault if there was one.
 */
export const resultOf = ({ outcome, attempts, fault }: UpstreamCall) =>
  outcomeText(outcome) +
  words.attempts(attempts) +
  (fault === undefined ? '' : `, ${label(texts.faults.kinds, fault)}`);

/** Returns true for an upstream call with another outcome than status 200, or with a simulated fault. */
const isTrouble = ({ outcome, fault }: UpstreamCall) => outcome !== 200 || fault !== undefined;

/**
 * Returns the list item for one request: a line of text, and a bar at its time on the scale.
 * @param end length of the whole scale in milliseconds
 * @param time begin and duration of the request, in milliseconds
 * @param of name of the upstream, shown when it differs from `name`
 * @param trouble true for the colour of a failed call
 */
function bar(
  end: number,
  { start, ms }: { start: number; ms: number },
  name: string,
  of: string,
  result: string,
  trouble: boolean,
) {
  const line = h('span', { class: trouble ? 'waterfall__bar waterfall__bar--trouble' : 'waterfall__bar' });
  // A style attribute is refused by the Content-Security-Policy; a property is not.
  line.style.marginInlineStart = `${(100 * start) / end}%`;
  line.style.inlineSize = `${(100 * ms) / end}%`;
  return h(
    'li',
    {},
    h(
      'span',
      { class: 'waterfall__name' },
      h('strong', {}, name),
      name === of ? '' : ` ${of}`,
      h('span', { class: 'hint' }, ` ${result} · ${words.span(Math.round(start), Math.round(ms))}`),
    ),
    h('span', { class: 'waterfall__track', 'aria-hidden': 'true' }, line),
  );
}

/** Returns the outcome of an upstream call as Dutch text: the status, or how the call failed. */
const outcomeText = (outcome: number | string) =>
  typeof outcome === 'number' ? String(outcome) : label(words.outcomes, outcome);
