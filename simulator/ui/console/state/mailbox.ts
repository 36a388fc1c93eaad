import { api, BASE, inWorld } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { panel } from '../app/app.ts';
import { badge, button, field, select, setOptions } from '../elements/controls.ts';
import { dayOnOneLine, dayText } from '../elements/dates.ts';
import { h, redraw } from '../elements/dom.ts';
import { label, texts } from '../texts/texts.ts';
import type { SentLetterSummary } from '../types.d.ts';
import { paper } from './paper.ts';

const words = texts.mailbox;

/**
 * Returns the panel with the letters that the simulated register sent to one persona, whom the user chooses in it.
 */
export function mailboxPanel(app: App) {
  const { store } = app;
  const persona = select([], { onchange: load });
  const list = h('ul', { class: 'lines' });
  const part = panel(
    'post',
    words.title,
    h('p', { class: 'utrecht-paragraph' }, words.intro),
    h('div', { class: 'row' }, field(words.of, persona)),
    list,
  );
  /** The letters that are shown in full, keyed by path, to keep them when the list is drawn again. */
  const shown: Map<string, HTMLElement> = new Map();
  let first = true;
  /** Number of the last request for the list of letters, to ignore the answer to an earlier request. */
  let turn = 0;

  async function load() {
    turn += 1;
    const mine = turn;
    const mailbox = `${inWorld(store.world)}/post/${encodeURIComponent(persona.value)}`;
    await app.run(part, async () => {
      const letters: SentLetterSummary[] = persona.value === '' ? [] : await api(mailbox);
      if (mine !== turn) return;
      const paths = new Set(letters.map(({ id }) => `${mailbox}/${id}`));
      for (const path of shown.keys()) if (!paths.has(path)) shown.delete(path);
      redraw(
        list,
        ...(letters.length === 0 ? [h('li', { class: 'hint' }, words.none)] : letters.map((one) => item(mailbox, one))),
      );
    });
  }

  /**
   * Returns the list item of a letter, with a button to show the whole letter and a link to its PDF.
   * @param mailbox path of the mailbox in the control API
   */
  function item(mailbox: string, { id, date, channel, subject }: SentLetterSummary) {
    const path = `${mailbox}/${id}`;
    const place = shown.get(path) ?? h('div', { class: 'answer' });
    if (place.childElementCount > 0) shown.set(path, place);
    const about = `${subject}, ${dayText(date)}`;
    return h(
      'li',
      { class: 'line line--letter' },
      h('div', {}, h('strong', {}, subject), ' ', dayOnOneLine(date), ' ', badge(label(words.channels, channel))),
      h(
        'div',
        { class: 'buttons' },
        button(words.show, () => show(path, place), { about, key: `show-${path}` }),
        h(
          'a',
          {
            class: 'utrecht-link utrecht-link--html-a',
            href: `${BASE}/${path}/pdf`,
            target: '_blank',
            rel: 'noopener',
            'aria-label': `${words.pdf} ${about}`,
            'data-key': `pdf-${path}`,
          },
          words.pdf,
        ),
      ),
      place,
    );
  }

  /** Loads the letter at `path`, shows the whole letter in `place`, and scrolls to it. */
  async function show(path: string, place: HTMLElement) {
    await app.run(part, async () => {
      const { letter, subject } = await api(path);
      const close = button(texts.close, () => hide(path, place), {
        look: 'subtle',
        about: subject,
        key: `close-${path}`,
      });
      place.replaceChildren(close, paper(letter));
      place.closest('li')?.scrollIntoView();
      shown.set(path, place);
    });
  }

  /** Removes the letter from `place`, and moves the focus to the button that shows it. */
  function hide(path: string, place: HTMLElement) {
    place.replaceChildren();
    shown.delete(path);
    (list.querySelector(`[data-key="show-${CSS.escape(path)}"]`) as HTMLElement | null)?.focus();
  }

  const follow = () => {
    if (store.known.personas?.some(({ slug, kind }) => slug === app.selection.slug && kind === 'professional'))
      persona.value = app.selection.slug;
  };
  app.selection.on(() => {
    follow();
    load();
  });
  store.on('personas', (personas) => {
    const professionals = personas.filter(({ kind }) => kind === 'professional');
    setOptions(
      persona,
      professionals.map(({ slug, naam }) => [slug, naam]),
    );
    if (first) follow();
    first = false;
    load();
  });
  let today = '';
  store.on('world', (world) => {
    if (world.clock.today !== today) load();
    today = world.clock.today;
  });
  store.on('zaken', load);
  store.on('brief', load);
  return part.element;
}
