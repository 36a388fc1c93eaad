import { html } from 'htm/preact';
import { loaded } from '../calls/loaded.js';
import { useCall } from '../calls/outcome.js';
import { Paper } from '../letter/paper.js';
import { Button, Screen } from '../parts.js';
import { persona, world } from '../session.js';
import { dateText } from '../words.js';
import { ExtraNote, readPost } from './mailbox.js';

/**
 * A letter that the simulated register sent, with its text, as the control API returns it.
 * @typedef {object} SentLetter
 * @property {string} subject
 * @property {{ sender: string[], addressee: string[], date: string | null, kenmerk: string | null, registratienummer: string | null,
 *   onderwerp: string, signature: string[], paragraphs: { list: string | null, heading?: boolean, spans: { text: string, bold: boolean, italic: boolean, underline: boolean }[] }[] }} letter
 */

/** Shows one letter from the mailbox, as on paper. @param {{ id: string }} props */
export function Message({ id }) {
  const letter = useCall(
    (signal) =>
      /** @type {Promise<import('zorgregister-bff/client').Result<SentLetter>>} */ (
        readPost(`/${encodeURIComponent(id)}`, signal)
      ),
    id,
  );
  const pdf = `/_simulator/worlds/${encodeURIComponent(world)}/post/${persona}/${encodeURIComponent(id)}/pdf`;
  return html`<${Screen} title=${letter.data?.subject ?? 'Bericht'} back=${{ to: ['berichten'], text: 'Berichten' }}>
    ${loaded(
      letter,
      'De brief',
      ({ letter: content }) => html`
      <div class="buttons no-print">
        <${Button} onClick=${() => print()}>Afdrukken<//>
        <a class="utrecht-button utrecht-button--secondary-action button-link" href=${pdf} target="_blank" rel="noopener">Openen als pdf<span class="visually-hidden"> (nieuw tabblad)</span></a>
      </div>
      <${Paper} label=${content.onderwerp} top=${content.sender} addressee=${content.addressee} signature=${content.signature}
        facts=${[
          ...(content.date ? [['Datum', dateText(content.date)]] : []),
          ...(content.kenmerk ? [['Ons kenmerk', content.kenmerk]] : []),
          ...(content.registratienummer ? [['Registratienummer', content.registratienummer]] : []),
          ['Onderwerp', content.onderwerp],
        ]}
        paragraphs=${content.paragraphs.map(({ list, heading = false, spans }) => ({
          list,
          heading,
          pieces: spans.map(({ text, bold, italic, underline }) => ({
            text,
            marks: [...(bold ? ['bold'] : []), ...(italic ? ['italic'] : []), ...(underline ? ['underline'] : [])],
          })),
        }))} />`,
    )}
    <${ExtraNote} />
  <//>`;
}
