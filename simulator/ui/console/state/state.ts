import type { App } from '../app/app.ts';
import { panel } from '../app/app.ts';
import { h } from '../elements/dom.ts';
import { texts } from '../texts/texts.ts';
import { cases } from './cases.ts';
import { letter } from './letter.ts';
import { uploads } from './uploads.ts';

const words = texts.state;

/** Returns the panel with the cases, the letter and the uploads of the world. */
export function statePanel(app: App) {
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
