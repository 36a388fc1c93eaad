import { badge, button } from './controls.js';
import { copy } from './copy.js';
import { h } from './dom.js';
import { codeBlock, factList, pretty, valueText } from './pretty.js';
import { label, texts, timeText } from './texts.js';
import { httpTone } from './tones.js';

/** @import { App, Panel } from './app.js' */
/** @import { Captured, Entry, Reason, UpstreamCall } from './types.d.ts' */

const words = texts.journal;

/**
 * Returns the list item for a journal entry: a summary line, with details that are made when they are opened.
 * @param {App} app
 * @param {Panel} part
 * @param {Entry} entry
 */
export function entryItem(app, part, entry) {
  const { at, caller, request, response, upstream, problem, breach = [] } = entry;
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
        `${app.nameOf(personText(caller))} · ${ms}\u00a0ms${problem === null ? '' : ` · ${problem}`}`,
      ),
      ...(breach.length === 0 ? [] : [' ', badge(words.breach, 'danger')]),
      ...upstream.map(({ bron, outcome, fault }) =>
        h('span', { class: 'entry__bron' }, ` ${bron} ${outcomeText(outcome)}${fault ? ` (${fault})` : ''}`),
      ),
    ),
  );
  return h('li', {}, details);
}

/**
 * Returns the subject of a caller without its world, because all entries are of the same world.
 * @param {Entry['caller']} caller
 */
export const personText = (caller) => caller?.subject.split('@')[0] ?? words.nobody;

/**
 * Returns the details of a journal entry. The rule that was applied last comes first, because it decided the answer.
 * @param {App} app
 * @param {Panel} part
 * @param {Entry} entry
 */
const detailsOf = (app, part, { request, response, upstream, why, traceId, curl, operation, problem, breach = [] }) => {
  const call = `${request.method} ${request.path}`;
  return [
    h(
      'div',
      { class: 'entry__inside' },
      h(
        'p',
        { class: 'hint' },
        [operation, problem].filter(Boolean).join(' · '),
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
        : h('ul', { class: 'reasons' }, ...why.toReversed().map(reason)),
      h('h3', { class: 'utrecht-heading-4' }, words.upstream),
      upstream.length === 0 ? h('p', { class: 'hint' }, words.noUpstream) : upstreamTable(upstream),
      ...captured(words.request, request),
      ...captured(words.response, response),
      button(words.curl, () => copy(app, part, curl, 'Curl'), { about: words.of(call) }),
    ),
  ];
};

/** Returns the list item for a rule that was applied. @param {Reason} one */
const reason = ({ rule, source, outcome, facts }) =>
  h(
    'li',
    {},
    h('p', { class: 'utrecht-paragraph' }, h('strong', {}, rule), source !== undefined && ` · ${source}`),
    h('div', {}, `${words.outcome}: `, factList(outcome)),
    JSON.stringify(facts ?? null).length > MAX_SHOWN
      ? h('details', { class: 'more' }, h('summary', {}, words.facts), factList(facts))
      : h('div', {}, `${words.facts}: `, factList(facts)),
  );

/** Number of characters of JSON above which the input of a rule is collapsed. */
const MAX_SHOWN = 300;

/** Returns the table of the upstream calls of a request. @param {UpstreamCall[]} calls */
const upstreamTable = (calls) =>
  h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': words.upstream },
    h(
      'table',
      { class: 'utrecht-table' },
      h(
        'thead',
        { class: 'utrecht-table__header' },
        h(
          'tr',
          {},
          ...words.columns.map((name) => h('th', { scope: 'col', class: 'utrecht-table__header-cell' }, name)),
        ),
      ),
      h(
        'tbody',
        { class: 'utrecht-table__body' },
        ...calls.map(({ bron, operation, outcome, ms, attempts, fault }) =>
          h(
            'tr',
            { class: 'utrecht-table__row' },
            ...[
              bron,
              operation ?? '',
              outcomeText(outcome) + words.attempts(attempts),
              String(Math.round(ms)),
              fault ?? '',
            ].map((text) => h('td', { class: 'utrecht-table__cell' }, text)),
          ),
        ),
      ),
    ),
  );

/** Returns the headers and body of a request or a response. @param {string} title @param {Captured} message */
const captured = (title, { headers, body, truncated }) => [
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

/** Returns the outcome of an upstream call as Dutch text. @param {number | string} outcome */
const outcomeText = (outcome) => (typeof outcome === 'number' ? String(outcome) : label(words.outcomes, outcome));
