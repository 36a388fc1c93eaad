import { html } from 'htm/preact';
import { Paper } from './paper.js';
import { piecesOf } from './text.js';

/** @import { LetterSectionDto, PlaceholderDefDto } from 'zorgregister-bff/client' */

/**
 * Shows a letter as it looks on paper. Placeholders that are not filled in are marked.
 * @param {{ sections: readonly LetterSectionDto[], placeholders: ReadonlyMap<string, PlaceholderDefDto> }} props
 */
export function LetterPaper({ sections, placeholders }) {
  const paragraphs = sections
    .flatMap(({ blocks }) => blocks ?? [])
    .flatMap(({ content }) => content?.paragraphs ?? [])
    .map((one) => piecesOf(one, placeholders));
  return html`<${Paper} label="De brief op papier" paragraphs=${paragraphs} />`;
}
