import { api, inWorld } from './api.js';
import { badge, field, form, select, submitButton } from './controls.js';
import { h } from './dom.js';
import { label, texts } from './texts.js';

/** @import { App, Panel } from './app.js' */

const words = texts.state;

/**
 * The panel part that shows the letter of the world and brings it to another state.
 * @param {App} app
 * @param {Panel} part
 */
export function letter(app, part) {
  const { store } = app;
  const about = h('p', { class: 'utrecht-paragraph' });
  const tag = select(Object.entries(words.tags));
  const put = form(
    () =>
      app.run(
        part,
        () => api(`${inWorld(store.world)}/brief`, { method: 'PUT', body: { tag: tag.value } }),
        words.letterPut(label(words.tags, tag.value)),
      ),
    field(words.letterTag, tag),
    submitButton(words.put),
  );

  store.on('brief', (brief) => {
    if (brief === null) {
      about.replaceChildren(words.noBrief);
      return;
    }
    const rest = [
      brief.referentie && `${words.about} ${brief.referentie}`,
      brief.drafterId && `${words.drafter} ${brief.drafterId}`,
      brief.submittedBy && `${words.submittedBy} ${brief.submittedBy}`,
      brief.approvedBy && `${words.approvedBy} ${brief.approvedBy}`,
    ].filter(Boolean);
    about.replaceChildren(badge(label(words.tags, brief.tag)), ` ${rest.join(' · ')}`);
    tag.value = brief.tag;
  });
  return h('div', {}, about, put);
}
