import { callAs } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { copy, headerJson, headerLines } from '../app/copy.ts';
import { badge, button, explain, field, textbox } from '../elements/controls.ts';
import { h, redraw } from '../elements/dom.ts';
import { codeBlock, pretty } from '../elements/pretty.ts';
import { roving } from '../elements/roving.ts';
import { httpTone } from '../elements/tones.ts';
import { mijnLink } from '../mijn.ts';
import { label, texts } from '../texts/texts.ts';
import type { PersonaCard } from '../types.d.ts';
import { badgesOf, situation, storyDay } from './situation.ts';

const words = texts.personas;

/**
 * Creates the parts of the main panel about the chosen person: a heading (`head`), their data and actions (`panel`),
 * and the place for errors (`message`).
 */
export function personView(app: App) {
  const { store, selection } = app;
  const path = textbox({ placeholder: '/api/v1/dashboard-view' });
  /** The elements with answers, keyed by persona and world, to keep them when the panel is drawn again. */
  const answers: Map<string, HTMLElement> = new Map();
  const head = h('header', { class: 'person-head' });
  const dayOfStory = h('span', {});
  const message = h('div', { class: 'messages' });
  const part = { element: head, message };
  const facts = h('div', {});
  const actions = roving(h('div', { class: 'buttons', role: 'group', 'aria-label': texts.personas.copies }));
  const place = h('div', {});
  const panel = h(
    'div',
    { class: 'person-panel' },
    h('div', { class: 'row' }, field(words.path, path)),
    explain(path, words.pathHint),
    actions,
    place,
    facts,
  );

  function draw() {
    const persona = (store.known.personas ?? []).find(({ slug }) => slug === selection.slug);
    if (persona === undefined) {
      if (store.known.personas === undefined) return;
      redraw(head, h('p', { class: 'utrecht-paragraph', role: 'status' }, words.gone(selection.slug)));
      for (const part of [actions, place, facts]) part.replaceChildren();
      return;
    }
    const { slug, naam, kind, toont, headers, curl, nu } = persona;
    const of = words.of(naam);
    const where = `${slug}@${store.world}`;
    const answer = answers.get(where) ?? h('div', { class: 'answer' });
    answers.set(where, answer);
    redraw(
      head,
      h(
        'div',
        { class: 'person-head__line' },
        h('h2', { class: 'utrecht-heading-2' }, naam),
        nu === null ? badge(label(words.kinds, kind)) : badgesOf(nu),
        mijnLink(slug, store.world, words.open[kind], naam),
      ),
      h('p', { class: 'hint' }, nu !== null && dayOfStory, toont, ' ', h('code', { class: 'utrecht-code' }, slug)),
    );
    redraw(
      actions,
      button(words.try, () => tryAs(persona, answer), {
        look: 'primary-action',
        about: words.as(naam),
        key: `try-${slug}`,
      }),
      ...(
        [
          ['json', headerJson(headers)],
          ['lines', headerLines(headers)],
          ['curl', curl],
        ] as const
      ).map(([what, text]) =>
        button(words[what], () => copy(app, part, text, words.what[what]), {
          look: what === 'json' ? 'secondary-action' : 'subtle',
          about: of,
          key: `${what}-${slug}`,
        }),
      ),
    );
    place.replaceChildren(answer);
    redraw(facts, nu !== null && situation(nu));
  }

  /**
   * Calls the service as a persona, and shows its answer in the element `answer`. The path is the one in the field, or
   * else a default path.
   */
  async function tryAs({ slug, kind, headers }: PersonaCard, answer: HTMLElement) {
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
            badge(String(status), httpTone(status)),
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

  /** Empties the element `answer`, and moves the focus to the button that calls the service. */
  function close(slug: string, answer: HTMLElement) {
    answer.replaceChildren();
    (actions.querySelector(`[data-key="try-${slug}"]`) as HTMLElement | null)?.focus();
  }

  store.on('world', (world) => {
    const day = storyDay(world);
    dayOfStory.textContent = day && words.storyOf(day);
  });
  store.on('personas', draw);
  selection.on(draw);
  return { head, message, panel };
}
