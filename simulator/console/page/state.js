import { panel } from './app.js';
import { cases } from './cases.js';
import { h } from './dom.js';
import { letter } from './letter.js';
import { texts } from './texts.js';
import { uploads } from './uploads.js';

/** @import { App } from './app.js' */

const words = texts.state;

/** Returns the panel with the data of the world that can be changed: cases, the letter and uploads. @param {App} app */
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
