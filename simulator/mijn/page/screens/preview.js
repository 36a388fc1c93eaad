import { html } from 'htm/preact';
import { loaded } from '../calls/loaded.js';
import { useCall } from '../calls/outcome.js';
import { LetterPaper } from '../letter/letter-paper.js';
import { Button, Screen, Tag } from '../parts.js';
import { client } from '../session.js';
import { LETTER_STATUS } from '../words.js';

/** Shows the current letter as on paper and without its editor, to read or print it. */
export function Preview() {
  const letter = useCall((signal) => client.GET('/brief', { signal }));
  return html`<${Screen} title="De brief op papier">
    ${loaded(letter, 'De brief', ({ brief }) =>
      brief === null
        ? html`<p class="empty">Er is nu geen brief.</p>`
        : html`<div class="letter-bar no-print"><${Tag} of=${LETTER_STATUS[brief.status?.tag ?? '']} /><${Button} onClick=${() => print()}>Afdrukken<//></div>
          <${LetterPaper} sections=${brief.sections ?? []} placeholders=${new Map((brief.placeholders ?? []).map((one) => [one.key ?? '', one]))} />`,
    )}
  <//>`;
}
