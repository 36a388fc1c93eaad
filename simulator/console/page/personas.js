import { callAs } from './api.js';
import { panel } from './app.js';
import { badge, button, explain, field, textbox } from './controls.js';
import { copy, headerJson, headerLines } from './copy.js';
import { h, redraw } from './dom.js';
import { codeBlock, pretty } from './pretty.js';
import { situation } from './situation.js';
import { label, texts } from './texts.js';

/** @import { App } from './app.js' */
/** @import { PersonaCard } from './types.d.ts' */

const words = texts.personas;

/**
 * Returns the panel with a card for each persona.
 * @param {App} app
 */
export function personasPanel(app) {
  const { store } = app;
  const filter = textbox({ type: 'search', oninput: draw });
  const path = textbox({ placeholder: '/api/v1/dashboard-view' });
  const count = h('p', { class: 'utrecht-paragraph hint', role: 'status' });
  const list = h('ul', { class: 'cards' });
  /** Shown answers by persona and world, kept over a redraw. @type {Map<string, HTMLElement>} */
  const answers = new Map();
  const part = panel(
    'personen',
    words.title,
    h('div', { class: 'row' }, field(words.filter, filter), field(words.path, path)),
    explain(path, words.pathHint),
    count,
    list,
  );

  function draw() {
    const sought = filter.value.trim().toLowerCase();
    const shown = (store.known.personas ?? []).filter((persona) => searchable(persona).includes(sought));
    count.textContent = words.found(shown.length);
    redraw(list, ...shown.map(card));
  }

  /** @param {PersonaCard} persona */
  function card(persona) {
    const { slug, naam, kind, toont, headers, curl, nu } = persona;
    const of = words.of(naam);
    const place = `${slug}@${store.world}`;
    const answer = answers.get(place) ?? h('div', { class: 'answer' });
    answers.set(place, answer);
    return h(
      'li',
      { class: 'card', id: `persoon-${slug}`, tabindex: '-1' },
      h('div', { class: 'card__head' }, h('h3', { class: 'utrecht-heading-3' }, naam), badge(label(words.kinds, kind))),
      h('p', { class: 'hint' }, h('code', { class: 'utrecht-code' }, slug)),
      h('p', { class: 'utrecht-paragraph' }, toont),
      nu !== null && situation(nu),
      h(
        'div',
        { class: 'buttons' },
        button(words.try, () => tryAs(persona, answer), {
          look: 'primary-action',
          about: words.as(naam),
          key: `try-${slug}`,
        }),
        h(
          'a',
          {
            class: 'utrecht-link utrecht-link--html-a',
            href: mijnOf(slug, store.world),
            target: '_blank',
            rel: 'noopener',
            'aria-label': `${words.open[kind]} ${of}`,
            'data-key': `mijn-${slug}`,
          },
          words.open[kind],
        ),
        button(words.json, () => copy(app, part, headerJson(headers), words.what.json), {
          about: of,
          key: `json-${slug}`,
        }),
        button(words.lines, () => copy(app, part, headerLines(headers), words.what.lines), {
          look: 'subtle',
          about: of,
          key: `lines-${slug}`,
        }),
        button(words.curl, () => copy(app, part, curl, words.what.curl), {
          look: 'subtle',
          about: of,
          key: `curl-${slug}`,
        }),
      ),
      answer,
    );
  }

  /**
   * @param {PersonaCard} persona
   * @param {HTMLElement} answer
   */
  async function tryAs({ slug, kind, headers }, answer) {
    const target = path.value.trim() || (kind === 'professional' ? '/api/v1/dashboard-view' : '/api/v1/brief');
    await app.run(
      part,
      async () => {
        const { status, ms, text } = await callAs(target, headers);
        const name = texts.answerOf(`${target}, ${slug}`);
        answer.replaceChildren(
          h(
            'div',
            { class: 'answer__head' },
            badge(String(status), status < 400 ? 'success' : 'danger'),
            ` ${target} · ${ms} ms `,
            button(texts.close, () => close(slug, answer), { look: 'subtle', about: name, key: `close-${slug}` }),
          ),
          codeBlock(pretty(text), name),
        );
        return words.tried(status, ms);
      },
      (said) => said,
    );
  }

  /**
   * @param {string} slug
   * @param {HTMLElement} answer
   */
  function close(slug, answer) {
    answer.replaceChildren();
    /** @type {HTMLElement | null} */ (list.querySelector(`[data-key="try-${slug}"]`))?.focus();
  }

  store.on('personas', draw);
  return part.element;
}

/** @param {PersonaCard} persona */
const searchable = ({ slug, naam, toont, kind, situaties, nu }) =>
  [slug, naam, toont, ...situaties, label(words.kinds, kind), nu?.beroep, nu?.status, nu?.woonplaats]
    .join(' ')
    .toLowerCase();

/**
 * Returns the address of Mijn register as a person.
 * @param {string} slug
 * @param {string} world
 */
function mijnOf(slug, world) {
  const search = new URLSearchParams({ als: slug, ...(world !== 'default' && { wereld: world }) });
  return `/_simulator/mijn/?${search}`;
}
