import { api, inWorld } from '../app/api.ts';
import type { App, Panel } from '../app/app.ts';
import { badge, field, form, select, setOptions, submitButton } from '../elements/controls.ts';
import { h } from '../elements/dom.ts';
import { label, texts } from '../texts/texts.ts';
import type { Zaak } from '../types.d.ts';

const words = texts.state;
/** Id of the template of a letter that asks for missing data. */
const REQUEST = 'aanvulling-gevraagd';

/**
 * Returns an element with the status of the letter of the world (the one that people of the register now work on), and
 * a form to make a new letter or to change that status.
 * @param part the panel that shows the errors
 */
export function letter(app: App, part: Panel) {
  const { store } = app;
  const stand = h('p', { class: 'utrecht-paragraph' });
  const tag = select(Object.entries(words.tags));
  const about = select([['', words.sameCase]]);
  const start = select([['', words.sameStart], ...Object.entries(words.starts)]);
  const put = form(
    () =>
      app.run(
        part,
        async () => {
          const choice = {
            ...(about.value !== '' && { referentie: about.value }),
            ...(start.value === REQUEST ? { templateId: REQUEST } : start.value !== '' && { uitkomst: start.value }),
          };
          await api(`${inWorld(store.world)}/brief`, { method: 'PUT', body: { tag: tag.value, ...choice } });
          start.value = '';
          about.value = '';
        },
        words.letterPut(label(words.tags, tag.value)),
      ),
    field(words.letterAbout, about),
    field(words.letterStart, start),
    field(words.letterTag, tag),
    submitButton(words.put),
  );

  /** Returns the option for a case, as its value and its text. */
  const caseOption = ({ referentie, slug }: Zaak): [string, string] => [
    referentie,
    `${app.nameOf(slug)}, ${referentie}`,
  ];

  store.on('zaken', (zaken) => {
    const chosen = about.value;
    const byLetter = zaken.filter(({ soort }) => soort === 'registratie' || soort === 'herregistratie');
    setOptions(about, [['', words.sameCase], ...byLetter.map(caseOption)]);
    about.value = byLetter.some(({ referentie }) => referentie === chosen) ? chosen : '';
  });

  /**
   * Returns the name of the person with this login.
   * @param login the slug (short name) of the person; in another world than the default one followed by
   *   `@<world>`
   */
  const nameOf = (login: string) => app.nameOf(login.replace(/@.*/, ''));

  store.on('brief', (brief) => {
    if (brief === null) {
      stand.replaceChildren(words.noBrief);
      return;
    }
    const rest = [
      brief.referentie && `${words.about} ${brief.referentie}`,
      brief.drafterId && `${words.drafter} ${nameOf(brief.drafterId)}`,
      brief.submittedBy && `${words.submittedBy} ${nameOf(brief.submittedBy)}`,
      brief.approvedBy && `${words.approvedBy} ${nameOf(brief.approvedBy)}`,
    ].filter(Boolean);
    stand.replaceChildren(badge(label(words.tags, brief.tag)), ` ${rest.join(' · ')}`);
    tag.value = brief.tag;
  });
  return h('div', {}, stand, put);
}
