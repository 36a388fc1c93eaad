import type * as z from 'zod';
import { rule } from '../domain/rule.ts';
import type { Brief, BriefBlock, BriefSection } from '../ports/brief-store.ts';
import type { Passage, PlaceholderUse } from '../ports/brieven.ts';
import { type FieldFault, Problem } from '../problem.ts';
import { mapNodes, type RichText, wording } from '../wire/rich-text.ts';
import { BLOCK_TYPES } from '../wire/values.ts';
import { collectInto, type ReportFault, readRichText } from './rich-text.ts';
import { outlineOf } from './rules.ts';
import type { LetterBlockDto, LetterSectionDto, SaveBriefRequest } from './schema.ts';

/** What `readSections` needs beside the request body. */
export interface SaveContext {
  /** The letter as it is stored. */
  readonly brief: Brief;
  /** Every version of the passages that this letter may use. */
  readonly passages: readonly Passage[];
  readonly use: (key: string) => PlaceholderUse;
  /** Returns an id for a block that was sent without one. */
  readonly newId: () => string;
}

/** The sections of a save as the client sent them: their shape is checked, their content is not. */
type SentSections = z.output<typeof SaveBriefRequest>['sections'];

/** Maximum number of blocks in one letter. A usual letter has about twelve; the limit stops mistakes and attacks. */
const MAX_BLOCKS = 200;
/**
 * Paragraphs plus nodes in one letter. With more, a letter that was read would not fit in the request that saves it.
 */
const MAX_PARAGRAPHS_AND_NODES = 2_000;
/** Maximum number of faults that one answer lists; the detail gives the total. */
const MAX_FAULTS = 100;

/**
 * Returns the sections of a save, ready to store. Throws 400 `ongeldig-verzoek` with all faults in blocks, passages and
 * rich text (domain.md 4.8). Titles and flags are taken from the template and not from the client; the text of a
 * placeholder that the server fills is dropped.
 */
export function readSections(sent: SentSections, context: SaveContext): BriefSection[] {
  const faults: FieldFault[] = [];
  const report = collectInto(faults);
  const sections = sent ?? [];
  if (sent === null) report('/sections', 'ontbreekt', 'Stuur alle delen van de brief.');
  const tooMuch = checkSize(sections);
  if (tooMuch !== null) {
    report('/sections', 'buiten-bereik', tooMuch);
    throw invalid(faults);
  }
  const readBlock = createBlockReader(context, report);
  const checked = sections.map((section, index): BriefSection => {
    const { sectionKey, title, required, locked } = templateOf(context.brief, section);
    const blocks = (section.blocks ?? []).map((block, n) =>
      readBlock(block, sectionKey, `/sections/${index}/blocks/${n}`),
    );
    return { sectionKey, title, required, locked, blocks };
  });
  if (faults.length > 0) throw invalid(faults);
  return checked;
}

/**
 * Returns a Dutch sentence when the letter is too large, else null. Runs first, so that a huge letter costs little to
 * refuse.
 */
function checkSize(sections: readonly LetterSectionDto[]): string | null {
  const blocks = sections.flatMap((section) => section.blocks ?? []);
  if (blocks.length > MAX_BLOCKS) {
    return `Een brief heeft ten hoogste ${MAX_BLOCKS} blokken; dit zijn er ${blocks.length}.`;
  }
  const paragraphs = blocks.flatMap(({ content }) => content?.paragraphs ?? []);
  const count = paragraphs.reduce((sum, { nodes }) => sum + (nodes ?? []).length, paragraphs.length);
  return count > MAX_PARAGRAPHS_AND_NODES ? 'Een brief heeft ten hoogste 2.000 alinea’s en stukken tekst.' : null;
}

/** Returns 400 `ongeldig-verzoek` that lists the first faults. */
function invalid(faults: readonly FieldFault[]): Problem {
  const detail =
    faults.length === 1
      ? 'Er is één fout in de inhoud.'
      : `Er zijn ${faults.length} fouten in de inhoud${faults.length > MAX_FAULTS ? `; hier staan de eerste ${MAX_FAULTS}` : ''}.`;
  return new Problem('ongeldig-verzoek', detail, { errors: faults.slice(0, MAX_FAULTS) });
}

/**
 * Returns title and flags of the section with this key. An unknown section gets empty ones: `checkTemplate` refuses it
 * later.
 */
const templateOf = ({ sections }: Brief, { sectionKey }: LetterSectionDto): Omit<BriefSection, 'blocks'> =>
  sections.find((one) => one.sectionKey === sectionKey) ?? {
    sectionKey: sectionKey ?? '',
    title: '',
    required: false,
    locked: false,
  };

/** Allowed block ids; ids that the service makes match too. */
const BLOCK_ID = /^[\w.-]{1,64}$/;

/** Returns a function that reads the blocks of one letter one by one, and reports a block id that is used twice. */
function createBlockReader({ brief, passages, use, newId }: SaveContext, report: ReportFault) {
  const usedIds = new Set<string>();

  function idOf({ blockId }: LetterBlockDto, pointer: string): string {
    const id = blockId ?? newId();
    if (!BLOCK_ID.test(id)) {
      report(
        `${pointer}/blockId`,
        'ongeldige-waarde',
        'Gebruik 1 tot 64 letters, cijfers, punten, streepjes, of laat leeg.',
      );
    } else if (usedIds.has(id)) report(`${pointer}/blockId`, 'dubbel', 'Een ander blok heet al zo.');
    usedIds.add(id);
    return id;
  }

  return (block: LetterBlockDto, sectionKey: string, pointer: string): BriefBlock => {
    const blockId = idOf(block, pointer);
    const content = withoutValues(readRichText(block.content, `${pointer}/content`, report), use);
    if (block.type === 'passage') {
      return { type: 'passage', blockId, content, ...sourceOf(block, content, sectionKey, pointer) };
    }
    if (block.type !== 'freeText') {
      report(`${pointer}/type`, 'ongeldige-waarde', `Kies uit ${BLOCK_TYPES.join(', ')}.`);
    }
    for (const member of ['sourcePassageId', 'sourceVersion'] as const) {
      if (block.type === 'freeText' && block[member] !== null) {
        report(`${pointer}/${member}`, 'hoort-niet-hier', 'Vrije tekst komt niet uit de bibliotheek.');
      }
    }
    return { type: 'freeText', blockId, content };
  };

  /**
   * Returns the passage that a block was copied from, and whether its text was edited since. A passage that does not
   * exist is refused, because `edited` would be a guess: an approver reads `edited: false` as "approved library text,
   * unchanged".
   */
  function sourceOf(
    { sourcePassageId, sourceVersion }: LetterBlockDto,
    content: RichText,
    sectionKey: string,
    pointer: string,
  ) {
    const versions = passages.filter(({ passageId }) => passageId === sourcePassageId);
    const source = versions.find(({ version }) => version === sourceVersion);
    const section = brief.sections.find((one) => one.sectionKey === sectionKey);
    // A passage that the library has withdrawn stays valid in a letter that already contains it.
    const stored = section?.blocks.find(
      (block) =>
        block.type === 'passage' && block.sourcePassageId === sourcePassageId && block.sourceVersion === sourceVersion,
    );
    if (source === undefined && stored?.type === 'passage') {
      const { sourcePassageId: id, sourceVersion: version } = stored;
      return {
        sourcePassageId: id,
        sourceVersion: version,
        edited: stored.edited || wording(content) !== wording(stored.content),
        besluit: stored.besluit ?? null,
      };
    }
    if (versions.length === 0) {
      report(
        `${pointer}/sourcePassageId`,
        'ongeldige-waarde',
        'De bibliotheek heeft voor deze brief geen passage met dit id.',
      );
    } else if (source === undefined) {
      report(`${pointer}/sourceVersion`, 'ongeldige-waarde', 'De passage heeft deze versie niet.');
    } else if (section !== undefined && source.sectionKey !== sectionKey) {
      report(`${pointer}/sourcePassageId`, 'hoort-niet-hier', `Deze passage hoort in het deel ${source.sectionKey}.`);
    }
    const edited = source === undefined || wording(content) !== wording(source.content);
    const besluit = source?.besluit ?? null;
    return { sourcePassageId: sourcePassageId ?? '', sourceVersion: sourceVersion ?? 0, edited, besluit };
  }
}

/**
 * Returns the text without the values of placeholders that the server fills: those are looked up on every read, not
 * stored.
 */
const withoutValues = (content: RichText, use: SaveContext['use']): RichText =>
  mapNodes(content, (node) =>
    node.type === 'placeholder' && use(node.key) === 'auto' ? { ...node, text: null } : node,
  );

/** Facts of `checkTemplate`: a save as it was sent and as it was read, and the sections of the stored letter. */
interface TemplateFacts {
  readonly sent: SentSections;
  readonly sections: readonly BriefSection[];
  readonly template: readonly BriefSection[];
}

/**
 * Returns a fault for everything in a save that the template does not allow (domain 4.8): a section that is added,
 * missing, repeated or in another place, and a locked section of which any member differs. Placeholder values and the
 * division of words over nodes are not compared.
 */
export const checkTemplate = rule(
  'domain 4.8',
  function checkTemplate({ sent: asked, sections, template }: TemplateFacts): FieldFault[] {
    const fault = (pointer: string, detail: string): FieldFault => ({ pointer, code: 'sectie-vergrendeld', detail });
    const keys = template.map(({ sectionKey }) => sectionKey);
    const sent = sections.map(({ sectionKey }) => sectionKey);
    const faults = [
      ...sent.flatMap((key, index) => {
        if (!keys.includes(key)) return [fault(`/sections/${index}/sectionKey`, 'Dit deel heeft het sjabloon niet.')];
        return sent.indexOf(key) < index
          ? [fault(`/sections/${index}/sectionKey`, 'Dit deel staat er twee keer.')]
          : [];
      }),
      ...keys.filter((key) => !sent.includes(key)).map((key) => fault('/sections', `Het deel ${key} ontbreekt.`)),
    ];
    const displaced = faults.length === 0 ? sent.findIndex((key, index) => key !== keys[index]) : -1;
    if (displaced >= 0)
      faults.push(fault(`/sections/${displaced}/sectionKey`, 'De delen staan in een andere volgorde.'));
    return [
      ...faults,
      ...sections.flatMap((section, index) => {
        const original = template.find(({ sectionKey }) => sectionKey === section.sectionKey);
        const isSame =
          original !== undefined &&
          lockedText(original) === lockedText(section) &&
          lockedMembers(original) === lockedMembers(asked?.[index]);
        return original?.locked && !isSame
          ? [fault(`/sections/${index}`, `Het deel ${section.sectionKey} ligt vast: stuur het terug zoals het was.`)]
          : [];
      }),
    ];
  },
  { facts: ({ sections, template }) => ({ sent: outlineOf(sections), template: outlineOf(template) }) },
);

/** Returns the members of a section that are not text, in a form that can be compared. A missing member equals null. */
const lockedMembers = (section: LetterSectionDto | BriefSection | undefined): string =>
  JSON.stringify([
    section?.title ?? null,
    section?.required ?? null,
    section?.locked ?? null,
    section?.blocks?.map((block: LetterBlockDto | BriefBlock) => [
      block.blockId,
      'sourcePassageId' in block ? block.sourcePassageId : null,
      'sourceVersion' in block ? block.sourceVersion : null,
      'edited' in block ? block.edited : null,
    ]) ?? null,
  ]);

/** Returns the text of a section in a form that can be compared: block types and wording. */
const lockedText = ({ blocks }: BriefSection): string =>
  JSON.stringify(blocks.map(({ type, content }) => [type, wording(content)]));
