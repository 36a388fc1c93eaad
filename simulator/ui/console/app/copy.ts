import { h } from '../elements/dom.ts';
import { texts } from '../texts/texts.ts';

import type { App } from './app.ts';

/**
 * Copies text to the clipboard. When the browser does not allow that, shows the text in the panel for the user to copy.
 * @param what Dutch name of the text, for the status message
 */
export async function copy(app: App, panel: { message: HTMLElement }, text: string, what: string) {
  panel.message.replaceChildren();
  try {
    await navigator.clipboard.writeText(text);
    app.say(texts.copied(what));
  } catch {
    const area = h('textarea', {
      class: 'utrecht-textarea',
      rows: '5',
      readonly: true,
      'aria-label': texts.copyYourself,
    });
    area.value = text;
    panel.message.replaceChildren(h('p', { class: 'utrecht-paragraph' }, texts.notCopied), area);
    area.focus();
    area.select();
  }
}

/**
 * Returns headers as arguments of curl, quoted for a shell and separated by spaces: `-H 'X-Subject: sanne-de-wit'`.
 */
export const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `-H '${`${name}: ${value}`.replaceAll("'", "'\\''")}'`)
    .join(' ');

/** Returns headers as a JSON object with indentation. */
export const headerJson = (headers: Record<string, string>) => JSON.stringify(headers, null, 2);
