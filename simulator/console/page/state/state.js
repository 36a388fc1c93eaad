import { panel } from '../app/app.js';
import { h } from '../elements/dom.js';
import { texts } from '../texts/texts.js';
import { cases } from './cases.js';
import { letter } from './letter.js';
import { uploads } from './uploads.js';

/** @import { App } from '../app/app.js' */

const words = texts.state;

/**
 * Returns the panel with the cases, the letter and the uploads of the world.
 * @param {App} app
 */
export function statePanel(app) {
  const part = panel('stand', words.title);
  part.element.append(
    h('h3', { class: 'utrecht-heading-3' }, words.zaken),
    cases(app, part),
    h('h3', { class: 'utrecht-heading-3' }, words.brief),
    letter(app, part),
    h('h3', { class: 'utrecht-heading-3' }, words.uploads),
    uploads(app, part),
  );
  return part.element;
}
