import { html } from 'htm/preact';
import { Failure } from '../calls/failure.js';
import { useChanged } from '../calls/outcome.js';
import { TextField } from '../forms/fields.js';
import { SaveState } from '../forms/save-state.js';
import { Actions, mayWrite } from '../letter/actions.js';
import { filledIn, Section } from '../letter/blocks.js';
import { LetterPaper } from '../letter/letter-paper.js';
import { useLetter } from '../letter/state.js';
import { Alert, Panel, Screen, Tag } from '../parts.js';
import { nameOfLogin } from '../people.js';
import { LETTER_STATUS, momentText } from '../words.js';

/** @import { BriefDto, LetterBlockDto, LetterSectionDto, PlaceholderDefDto } from 'zorgregister-bff/client' */
/** @import { Saver } from '../forms/saver.js' */

/**
 * Shows the current letter: the sections of the letter, which the user can change when that is allowed, and the letter
 * as on paper.
 */
export function Letter() {
  const { brief, passages, saver } = useLetter();
  const state = saver.state.value;
  const sections = saver.value.value;
  const tag = brief?.status?.tag ?? 'draft';
  const canWrite = mayWrite && (tag === 'draft' || tag === 'rejected');
  // A text that the user can change stays as it is: saving it finds a change by somebody else.
  useChanged(() => !canWrite && saver.open());
  if (state.kind === 'unreadable')
    return html`<${Screen} title="Brief"><${Failure} of=${state.failure} retry=${saver.open} /><//>`;
  if (brief === undefined || sections === undefined)
    return html`<${Screen} title="Brief"><p class="loading" role="status">De brief laden…</p><//>`;
  if (brief === null)
    return html`<${Screen} title="Brief"><p class="empty">Er is nu geen brief om aan te werken.</p><//>`;

  const placeholders = new Map((brief.placeholders ?? []).map((one) => [one.key ?? '', one]));
  return html`<${Screen} title=${nameOf(sections)} lead=${aboutOf(brief)}>
    <div class="letter-bar" id="status" tabindex="-1" role="group" aria-label="Status van de brief"><${Tag} of=${LETTER_STATUS[tag]} name=${tag} />${canWrite && html`<${SaveState} saver=${saver} />`}</div>
    ${brief.status?.comments && html`<${Alert} tone="warning" title="Afgekeurd: dit moet er anders"><p>${brief.status.comments}</p><//>`}
    <${Actions} brief=${brief} saver=${saver} fieldOf=${(/** @type {string} */ pointer) => fieldOf(sections, pointer)}
      labelOf=${(/** @type {string} */ pointer) => labelOf(sections, placeholders, pointer)} />
    <div class="letter-columns">
      <div>
        ${canWrite && html`<${PlaceholderFields} sections=${sections} placeholders=${placeholders} saver=${saver} />`}
        <${Panel} title="De tekst">${sections.map(
          (
            section,
            index,
          ) => html`<${Section} key=${section.sectionKey} section=${section} passages=${passages} placeholders=${placeholders} canWrite=${canWrite}
            onChange=${(/** @type {LetterBlockDto[]} */ blocks) => saver.change(sections.with(index, { ...section, blocks }))} />`,
        )}<//>
      </div>
      <div class="letter-columns__paper" role="region" aria-label="Op papier" tabindex="0"><${LetterPaper} sections=${sections} placeholders=${placeholders} /></div>
    </div>
  <//>`;
}

/**
 * Shows a field for each placeholder that can be filled in, in the sections that are not locked.
 * @param {{ sections: readonly LetterSectionDto[], placeholders: ReadonlyMap<string, PlaceholderDefDto>, saver: Saver<LetterSectionDto[]> }} props
 */
function PlaceholderFields({ sections, placeholders, saver }) {
  const filled = new Map(sections.filter(({ locked }) => !locked).flatMap((section) => [...filledIn(section)]));
  const fillable = [...filled].filter(([key]) => placeholders.get(key)?.fillable);
  if (fillable.length === 0) return null;
  /**
   * Fills in a text for a placeholder, in all sections that are not locked.
   * @param {string} key the key of the placeholder
   * @param {string} text
   */
  const fill = (key, text) =>
    saver.change(
      sections.map((section) =>
        section.locked
          ? section
          : { ...section, blocks: (section.blocks ?? []).map((block) => withPlaceholderText(block, key, text)) },
      ),
    );
  return html`<${Panel} title="Invullen">${fillable.map(
    ([
      key,
      text,
    ]) => html`<${TextField} key=${key} id=${`invul-${key}`} label=${placeholders.get(key)?.label ?? key} value=${text ?? ''}
      onInput=${(/** @type {string} */ typed) => fill(key, typed)} />`,
  )}<//>`;
}

/**
 * Returns the block with this text filled in for each placeholder with the key `key`.
 * @param {LetterBlockDto} block
 * @param {string} key
 * @param {string} text
 * @returns {LetterBlockDto}
 */
const withPlaceholderText = (block, key, text) => ({
  ...block,
  content: {
    paragraphs: (block.content?.paragraphs ?? []).map((paragraph) => ({
      ...paragraph,
      nodes: (paragraph.nodes ?? []).map((node) =>
        node.type === 'placeholder' && node.key === key ? { ...node, text } : node,
      ),
    })),
  },
});

/**
 * Returns the id of the element to which an error of the service belongs: the field of a placeholder, or else the
 * section; null when neither is found.
 * @param {readonly LetterSectionDto[]} sections
 * @param {string} pointer
 */
function fieldOf(sections, pointer) {
  const key = placeholderAt(sections, pointer);
  if (key !== null) return `invul-${key}`;
  const found = sections[Number(/^\/sections\/(\d+)/.exec(pointer)?.[1])];
  return found === undefined ? null : `sectie-${found.sectionKey}`;
}

/**
 * Returns the label of the field for an error of the service about a placeholder that the user can fill in; null for
 * another error.
 * @param {readonly LetterSectionDto[]} sections
 * @param {ReadonlyMap<string, PlaceholderDefDto>} placeholders
 * @param {string} pointer
 */
function labelOf(sections, placeholders, pointer) {
  const found = placeholders.get(placeholderAt(sections, pointer) ?? '');
  return (found?.fillable && found.label) || null;
}

/**
 * Returns the key of the placeholder to which a JSON Pointer points; null when it points to something else.
 * @param {readonly LetterSectionDto[]} sections
 * @param {string} pointer
 */
function placeholderAt(sections, pointer) {
  const [, section, block, paragraph, node] =
    /^\/sections\/(\d+)\/blocks\/(\d+)\/content\/paragraphs\/(\d+)\/nodes\/(\d+)/.exec(pointer) ?? [];
  const target =
    sections[Number(section)]?.blocks?.[Number(block)]?.content?.paragraphs?.[Number(paragraph)]?.nodes?.[Number(node)];
  return target?.type === 'placeholder' ? target.key : null;
}

/**
 * Returns the title of the screen: `Brief aan` and the name that is filled in for the placeholder `naam`, or else
 * `Brief`.
 * @param {readonly LetterSectionDto[]} sections
 */
function nameOf(sections) {
  const name = sections.flatMap((section) => [...filledIn(section)]).find(([key]) => key === 'naam')?.[1];
  return name ? `Brief aan ${name}` : 'Brief';
}

/**
 * Returns the line below the title: the profession, who worked on the letter, and when it was sent.
 * @param {BriefDto} brief
 */
function aboutOf({ status, drafterId, beroep }) {
  const steps = [
    `Beroep: ${beroep}`,
    drafterId && `opsteller ${nameOfLogin(drafterId)}`,
    status?.submittedBy && `voorgelegd door ${nameOfLogin(status.submittedBy)}`,
    status?.approvedBy && `goedgekeurd door ${nameOfLogin(status.approvedBy)}`,
    status?.sentAt && `verzonden op ${momentText(status.sentAt)}`,
  ];
  return steps.filter(Boolean).join(' · ');
}
