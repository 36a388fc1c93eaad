import { api } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { panel } from '../app/app.ts';
import { copy } from '../app/copy.ts';
import { button, field, form, submitButton, textbox } from '../elements/controls.ts';
import { dayText } from '../elements/dates.ts';
import { h, redraw } from '../elements/dom.ts';
import { mijnLink } from '../mijn.ts';
import { texts } from '../texts/texts.ts';
import type { PeopleFound, PersonaFileFault, PersonFound } from '../types.d.ts';
import { personaForm } from './persona-form.ts';

const words = texts.people;

/**
 * Returns the panel in which the user finds people by conditions, makes a persona, and sees what is wrong in persona
 * files.
 */
export function peoplePanel(app: App) {
  const { store } = app;
  const where = textbox({ placeholder: 'status=Geschorst uhd<+6months', spellcheck: 'false' });
  const number = textbox({ type: 'number', min: '1', max: '100', value: '5', required: true });
  const found = h('ul', { class: 'lines' });
  const result = h('p', { class: 'utrecht-paragraph hint', role: 'status' });
  const faults = h('ul', { class: 'lines', lang: 'en' });
  const part = panel(
    'mensen',
    words.title,
    form(search, field(words.where, where, words.whereHint), field(words.number, number), submitButton(words.search)),
    result,
    found,
  );
  const own = personaForm(app, part);
  part.element.append(own.element, faults);

  async function search() {
    const query = new URLSearchParams({ n: number.value, world: store.world });
    for (const condition of conditionsIn(where.value)) query.append('where', condition);
    await app.run(part, async () => {
      const answer = (await api(`people?${query}`)) as PeopleFound;
      result.textContent = words.found(answer.personas.length, answer.burgers.length, answer.searched);
      redraw(found, ...[...answer.personas, ...answer.burgers].map(line));
    });
  }

  /** Returns the list item of a person that was found. */
  const line = ({ slug, status, beroep, uhd, leeftijd, woonplaats, situaties }: PersonFound) =>
    h(
      'li',
      { class: 'line' },
      h(
        'div',
        {},
        h('strong', {}, slug),
        ` · ${[status, beroep, uhd && words.uhd(dayText(uhd)), words.age(leeftijd), woonplaats, ...situaties].filter(Boolean).join(', ')}`,
      ),
      h(
        'div',
        { class: 'buttons' },
        mijnLink(slug, store.world, texts.personas.open.professional, slug),
        button(words.copy, () => copy(app, part, subjectOf(slug), words.header), { about: slug, key: `copy-${slug}` }),
      ),
    );

  const subjectOf = (slug: string) => `X-Subject: ${store.world === 'default' ? slug : `${slug}@${store.world}`}`;

  store.on('personaFiles', ({ folder, faults: wrong }) => {
    own.setFolder(folder);
    redraw(faults, ...wrong.map(faultLine));
  });
  return part.element;
}

/** Returns the list item of a mistake in a persona file or a demonstration file. */
export const faultLine = ({ file, pointer, detail, allowed }: PersonaFileFault) =>
  h(
    'li',
    {},
    h('strong', {}, file),
    ` ${pointer} ${detail}${allowed === undefined ? '' : ` Allowed: ${allowed.join(', ')}.`}`,
  );

/**
 * Returns the conditions in a text, such as `status=Geschorst`, which are separated by spaces. A word without `=`, `<`
 * or `>` belongs to the value before it, as in `woonplaats=Den Haag`.
 */
function conditionsIn(text: string) {
  const found: string[] = [];
  for (const word of text.trim().split(/\s/)) {
    const last = found.at(-1);
    if (last === undefined || /[=<>]/.test(word)) found.push(word);
    else found[found.length - 1] = `${last} ${word}`;
  }
  return found.filter((condition) => condition !== '');
}
