import { api, inWorld } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { panel } from '../app/app.ts';
import { button, checkbox, field, form, select, setOptions, submitButton, textbox } from '../elements/controls.ts';
import { dayText, timeText } from '../elements/dates.ts';
import { h, showOneOf } from '../elements/dom.ts';
import { label, texts } from '../texts/texts.ts';

const words = texts.clock;

/**
 * Returns the panel that shows and changes the clock of the shown world: the date and time that the simulator uses as
 * now.
 */
export function clockPanel(app: App) {
  const { store, selection } = app;
  const now = h('p', { class: 'utrecht-paragraph lead' });
  const firstDay = h('p', { class: 'hint' });
  const date = h('input', { type: 'date', class: 'utrecht-textbox', required: true });
  const frozen = checkbox(words.frozen);
  frozen.input.checked = true;
  const shift = textbox({ required: true, placeholder: '+4months' });
  const persona = select([]);

  /**
   * Changes the clock of the shown world.
   * @param change body of the request
   */
  const change = (change: Record<string, unknown>) =>
    app.run(
      part,
      () => api(`${inWorld(store.world)}/clock`, { method: 'POST', body: change }),
      (world) => words.moveDone(dayText(world.clock.today)),
    );

  const freeze = button(words.freeze, () => change({ frozen: true }));
  const run = button(words.run, () => change({ frozen: false }));
  const part = panel(
    'klok',
    words.title,
    now,
    firstDay,
    h(
      'div',
      { class: 'buttons' },
      ...words.moves.map(([text = '', move]) => button(text, () => change({ move }))),
      freeze,
      run,
      button(words.real, () => change({ real: true })),
    ),
    h(
      'div',
      { class: 'row' },
      field(words.deadline, persona),
      h(
        'div',
        { class: 'buttons', role: 'group', 'aria-label': words.deadlineDays },
        ...words.days.map(([text, days]) => button(String(text), () => change({ deadline: persona.value, days }))),
      ),
    ),
    h(
      'details',
      { class: 'more' },
      h('summary', {}, texts.more, h('span', { class: 'visually-hidden' }, ` ${words.title}`)),
      form(
        () => change({ set: date.value, frozen: frozen.input.checked }),
        field(words.date, date),
        frozen.element,
        submitButton(words.set),
      ),
      form(
        () => change({ move: shift.value.trim() }),
        field(words.move, shift, words.moveHint),
        submitButton(words.moveGo),
      ),
    ),
  );

  store.on('world', ({ clock }) => {
    const time = clock.mode === 'frozen' ? '' : ` ${timeText(clock.now)}`;
    now.replaceChildren(h('strong', {}, dayText(clock.today)), `${time} · ${label(words.modes, clock.mode)}`);
    firstDay.textContent = clock.firstDay === null ? '' : words.firstDay(dayText(clock.firstDay));
    firstDay.hidden = clock.firstDay === null;
    if (document.activeElement !== date) date.value = clock.today;
    if (clock.mode === 'frozen') showOneOf(run, freeze);
    else showOneOf(freeze, run);
  });
  /** Chooses the person of the page in the list of deadlines; does nothing for a person without a deadline. */
  const follow = () => {
    if ([...persona.options].some(({ value }) => value === selection.slug)) persona.value = selection.slug;
  };
  selection.on(follow);
  store.on('personas', (personas) => {
    const isFirst = persona.options.length === 0;
    const withDeadline = personas.filter(({ nu }) => nu !== null && nu.uhd !== null);
    setOptions(
      persona,
      withDeadline.map(({ slug, naam, nu }) => [slug, `${naam} (${dayText(nu?.uhd ?? '')})`]),
    );
    if (isFirst) follow();
  });
  return part.element;
}
