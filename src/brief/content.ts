import type * as z from 'zod';
import { rule } from '../domain/rule.ts';
import type { Block, Brief, Section } from '../ports/brief-store.ts';
import type { Passage, PlaceholderUse } from '../ports/brieven.ts';
import { type Fault, Problem } from '../problem.ts';
import { mapNodes, type RichText, wording } from '../wire/rich-text.ts';
import { BLOCK_TYPES } from '../wire/values.ts';
import { type Report, readRichText, reportTo } from './rich-text.ts';
import { outlineOf } from './rules.ts';
import type { LetterBlockDto, LetterSectionDto, SaveBriefRequest } from './schema.ts';

/** What a save is read against. */
export interface Ground {
  readonly brief: Brief;
  readonly passages: readonly Passage[];
  readonly use: (key: string) => PlaceholderUse;
  /** For a block that came without one. */
  readonly newId: () => string;
}

type Sent = z.output<typeof SaveBriefRequest>['sections'];

/** Blocks of one letter. A decision of a page or three has a dozen; ten thousand are an accident or an attack. */
const MOST_BLOCKS = 200;
/** Paragraphs and nodes of one letter together: with all their members they must fit in a request, so that what is read can be sent back. */
const MOST_PIECES = 2_000;
/** Faults that one answer lists. */
const MOST_FAULTS = 100;

/**
 * The sections of a save, or 400 `ongeldig-verzoek` with every fault: blocks, passages and rich text (domain.md 4.8). Titles
 * and flags are the template's, whatever was sent; so is what stands in a placeholder that the server fills.
 */
export function readSections(sent: Sent, ground: Ground): Section[] {
  const faults: Fault[] = [];
  const report = reportTo(faults);
  const sections = sent ?? [];
  if (sent === null) report('/sections', 'ontbreekt', 'Stuur alle delen van de brief.');
  const tooMuch = checkSize(sections);
  if (tooMuch !== null) {
    report('/sections', 'buiten-bereik', tooMuch);
    throw invalid(faults);
  }
  const read = readBlocks(ground, report);
  const kept = sections.map((section, index): Section => {
    const { sectionKey, title, required, locked } = templateOf(ground.brief, section);
    const own = (section.blocks ?? []).map((block, n) => read(block, sectionKey, `/sections/${index}/blocks/${n}`));
    return { sectionKey, title, required, locked, blocks: own };
  });
  if (faults.length > 0) throw invalid(faults);
  return kept;
}

/** What is too large about a letter, or null; looked at before anything in it is. */
function checkSize(sections: readonly LetterSectionDto[]): string | null {
  const blocks = sections.flatMap((section) => section.blocks ?? []);
  if (blocks.length > MOST_BLOCKS) {
    return `Een brief heeft ten hoogste ${MOST_BLOCKS} blokken; dit zijn er ${blocks.length}.`;
  }
  const paragraphs = blocks.flatMap(({ content }) => content?.paragraphs ?? []);
  const pieces = paragraphs.reduce((sum, { nodes }) => sum + (nodes ?? []).length, paragraphs.length);
  return pieces > MOST_PIECES ? 'Een brief heeft ten hoogste 2.000 alinea’s en stukken tekst.' : null;
}

function invalid(faults: readonly Fault[]): Problem {
  const detail =
    faults.length === 1
      ? 'Er is één fout in de inhoud.'
      : `Er zijn ${faults.length} fouten in de inhoud${faults.length > MOST_FAULTS ? `; hier staan de eerste ${MOST_FAULTS}` : ''}.`;
  return new Problem('ongeldig-verzoek', detail, { errors: faults.slice(0, MOST_FAULTS) });
}

const templateOf = ({ sections }: Brief, { sectionKey }: LetterSectionDto): Omit<Section, 'blocks'> =>
  sections.find((one) => one.sectionKey === sectionKey) ?? {
    sectionKey: sectionKey ?? '',
    title: '',
    required: false,
    locked: false,
  };

/** What a block may be called; also what a block of ours is called. */
const BLOCK_ID = /^[\w.-]{1,64}$/;

/** Reads one block after another of one letter, in which an id names one block. */
function readBlocks({ brief, passages, use, newId }: Ground, report: Report) {
  const known = new Set<string>();

  function idOf({ blockId }: LetterBlockDto, pointer: string): string {
    const id = blockId ?? newId();
    if (!BLOCK_ID.test(id)) {
      report(
        `${pointer}/blockId`,
        'ongeldige-waarde',
        'Gebruik 1 tot 64 letters, cijfers, punten, streepjes, of laat leeg.',
      );
    } else if (known.has(id)) report(`${pointer}/blockId`, 'dubbel', 'Een ander blok heet al zo.');
    known.add(id);
    return id;
  }

  return (block: LetterBlockDto, sectionKey: string, pointer: string): Block => {
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
   * Which passage a block came from, and whether it still says the same. A source that does not exist is refused: `edited`
   * would be a guess, and an approver reads it as "checked text, untouched".
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
    // What the library has withdrawn since stays as it is in a letter that has it.
    const kept = section?.blocks.find(
      (block) =>
        block.type === 'passage' && block.sourcePassageId === sourcePassageId && block.sourceVersion === sourceVersion,
    );
    if (source === undefined && kept?.type === 'passage') {
      const { sourcePassageId: id, sourceVersion: version } = kept;
      return {
        sourcePassageId: id,
        sourceVersion: version,
        edited: kept.edited || wording(content) !== wording(kept.content),
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
    return { sourcePassageId: sourcePassageId ?? '', sourceVersion: sourceVersion ?? 0, edited };
  }
}

/** What the server fills is never kept: it is looked up again whenever the letter is read. */
const withoutValues = (content: RichText, use: Ground['use']): RichText =>
  mapNodes(content, (node) =>
    node.type === 'placeholder' && use(node.key) === 'auto' ? { ...node, text: null } : node,
  );

/** The sections of a save, and those of the letter as it is. */
interface TemplateFacts {
  readonly sections: readonly Section[];
  readonly template: readonly Section[];
}

/**
 * Everything in a save that the template does not allow (domain 4.8): sections added, missing, twice or in another order, and
 * locked sections with another text. The values of placeholders do not count: the server fills those.
 */
export const checkTemplate = rule(
  'domain 4.8',
  function checkTemplate({ sections, template }: TemplateFacts): Fault[] {
    const fault = (pointer: string, detail: string): Fault => ({ pointer, code: 'sectie-vergrendeld', detail });
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
        return original?.locked && said(original) !== said(section)
          ? [fault(`/sections/${index}`, `Het deel ${section.sectionKey} ligt vast.`)]
          : [];
      }),
    ];
  },
  { facts: ({ sections, template }) => ({ sent: outlineOf(sections), template: outlineOf(template) }) },
);

/** A locked section as far as it is locked: its blocks and their words. What blocks are called does not matter. */
const said = ({ blocks }: Section): string =>
  JSON.stringify(blocks.map(({ type, content }) => [type, wording(content)]));
