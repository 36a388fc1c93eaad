import type { App, Panel } from '../app/app.ts';
import { copy } from '../app/copy.ts';
import { badge, button } from '../elements/controls.ts';
import { momentText, shortDayText, timeText } from '../elements/dates.ts';
import { h } from '../elements/dom.ts';
import { codeBlock, factList, pretty, valueText } from '../elements/pretty.ts';
import { httpTone } from '../elements/tones.ts';
import { texts } from '../texts/texts.ts';
import type { Captured, Entry, Reason } from '../types.d.ts';
import { resultOf, waterfall } from './waterfall.ts';

const words = texts.journal;
/** Matches words that can be the slug (short name) of a persona, such as `sanne-de-wit`, `opname-1` and `kim`. */
const SLUG = /\b[a-z][a-z0-9]*(-[a-z0-9]+)*\b/g;

/**
 * Returns the list item for a journal entry (a recorded request to the service): a summary line, and details that are
 * made when the user first opens them.
 */
export function entryItem(app: App, part: Panel, entry: Entry) {
  const { at, worldAt, caller, request, response, upstream, problem, breach = [] } = entry;
  const ms = Math.round(entry.ms);
  const details = h(
    'details',
    {
      class: 'entry',
      'data-key': `entry-${entry.id}`,
      ontoggle() {
        if (details.open && details.childElementCount === 1) details.append(...detailsOf(app, part, entry));
      },
    },
    h(
      'summary',
      {},
      h('span', { class: 'entry__time' }, timeText(at)),
      ' ',
      badge(String(response.status), httpTone(response.status)),
      ' ',
      h('span', { class: 'entry__call' }, `${request.method} ${request.path}`),
      ' ',
      h(
        'span',
        { class: 'entry__who' },
        h('span', { 'data-slug': personText(caller) }, app.nameOf(personText(caller))),
        ` · ${ms}\u00a0ms · ${words.worldDay(shortDayText(worldAt))}${problem === null ? '' : ` · ${problem}`}`,
      ),
      ...(breach.length === 0 ? [] : [' ', badge(words.breach, 'danger')]),
      ...upstream.map((call) =>
        h('span', { class: 'entry__bron' }, ` ${call.operation ?? call.bron} ${resultOf(call)}`),
      ),
    ),
  );
  return h('li', {}, details);
}

/**
 * Returns the slug (short name) of a caller, without the world after `@`; a Dutch text for a request without a caller.
 */
export const personText = (caller: Entry['caller']) => caller?.subject.split('@')[0] ?? words.nobody;

/**
 * Returns the details of a journal entry (a recorded request), such as the rules that the service applied, the last one
 * first, and the upstream calls.
 */
const detailsOf = (app: App, part: Panel, entry: Entry) => {
  const { at, worldAt, request, response, why, traceId, curl, operation, problem, breach = [] } = entry;
  const call = `${request.method} ${request.path}`;
  return [
    h(
      'div',
      { class: 'entry__inside' },
      h(
        'p',
        { class: 'hint' },
        [operation, problem].filter(Boolean).join(' · '),
        h('br', {}),
        h('span', { class: 'entry__clock' }, words.times(momentText(at), momentText(worldAt))),
        h('span', { class: 'entry__trace' }, ` · ${words.trace} ${traceId}`),
      ),
      ...(breach.length === 0
        ? []
        : [
            h('h3', { class: 'utrecht-heading-4' }, words.breach),
            h('ul', {}, ...breach.map((fault) => h('li', {}, fault))),
          ]),
      h('h3', { class: 'utrecht-heading-4' }, words.why),
      why.length === 0
        ? h('p', { class: 'hint' }, words.noWhy)
        : h('ul', { class: 'reasons' }, ...why.toReversed().map((one) => reason(app, one))),
      h('h3', { class: 'utrecht-heading-4' }, words.upstream),
      waterfall(entry),
      ...captured(words.request, request),
      ...captured(words.response, response),
      button(words.curl, () => copy(app, part, curl, 'Curl'), { about: words.of(call) }),
    ),
  ];
};

/** Returns the list item for the decision of a rule: one sentence, and details that are collapsed. */
const reason = (app: App, { rule, source, sentence, outcome, facts }: Reason) =>
  h(
    'li',
    {},
    h('p', { class: 'utrecht-paragraph' }, sentence?.replace(SLUG, app.nameOf) ?? words.noFacts),
    h(
      'details',
      { class: 'more' },
      h('summary', {}, rule, source !== undefined && h('span', { class: 'hint' }, ` · ${source}`)),
      h('div', {}, h('strong', {}, words.outcome), factList(outcome)),
      h('div', {}, h('strong', {}, words.facts), factList(facts)),
    ),
  );

/** Returns the elements that show the body and the headers of a recorded request or response. */
const captured = (title: string, { headers, body, truncated }: Captured) => [
  h('h3', { class: 'utrecht-heading-4' }, title),
  body === null ? h('p', { class: 'hint' }, words.noBody) : codeBlock(pretty(body), title),
  truncated && h('p', { class: 'hint' }, words.truncated),
  h(
    'details',
    { class: 'more' },
    h('summary', {}, `${words.headers}`, h('span', { class: 'visually-hidden' }, ` ${title}`)),
    h(
      'dl',
      { class: 'facts' },
      ...Object.entries(headers).flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, valueText(value))]),
    ),
  ),
];
