import type { Passage } from '../ports/brieven.ts';
import type { Brief, BriefBlock, BriefSection } from '../ports/store/brief-store.ts';
import { type FieldFault, Problem } from '../problem.ts';
import { MAX_FAULTS } from '../wire/primitives.ts';
import { type RichText, wording } from '../wire/rich-text.ts';
import { BLOCK_TYPES } from '../wire/values.ts';
import { usesOf } from './placeholders.ts';
import { type ReportFault, readRichText } from './rich-text.ts';
import type { LetterBlockDto, SentSection, SentSections } from './schema.ts';

/** The data with which the sections of a letter that a client sent are checked. */
export interface SaveContext {
  /** The stored letter. */
  readonly brief: Brief;
  /** All versions of the standard texts (passages) that this letter may use. */
  readonly passages: readonly Passage[];
  readonly newId: () => string;
}

const MAX_BLOCKS = 200;
const MAX_PARAGRAPHS_AND_NODES = 2_000;

/**
 * Returns the sections of a PUT /brief in the form in which they are stored. Throws 400 `ongeldig-verzoek` when the
 * letter is too large or its content has faults (domain.md 4.8). Titles and flags come from the stored letter, not from
 * the client.
 */
export function readSections(sent: SentSections, context: SaveContext): BriefSection[] {
  const faults: FieldFault[] = [];
  let count = 0;
  const report: ReportFault = (pointer, code, detail) => {
    count += 1;
    if (count <= MAX_FAULTS) faults.push({ pointer, code, detail });
  };
  const sections = sent ?? [];
  if (sent === null) report('/sections', 'ontbreekt', 'Stuur alle delen van de brief.');
  const tooMuch = checkSize(sections);
  if (tooMuch !== null) {
    report('/sections', 'buiten-bereik', tooMuch);
    throw invalid(faults, count);
  }
  const readBlock = createBlockReader(context, report);
  const checked = sections.map((section, index): BriefSection => {
    const { sectionKey, title, required, locked } = storedSectionOf(context.brief, section);
    const blocks = (section.blocks ?? []).map((block, n) =>
      readBlock(block, sectionKey, `/sections/${index}/blocks/${n}`),
    );
    return { sectionKey, title, required, locked, blocks };
  });
  if (count > 0) throw invalid(faults, count);
  return checked;
}

function checkSize(sections: readonly SentSection[]): string | null {
  const blocks = sections.flatMap((section) => section.blocks ?? []);
  if (blocks.length > MAX_BLOCKS) {
    return `Een brief heeft ten hoogste ${MAX_BLOCKS} blokken; dit zijn er ${blocks.length}.`;
  }
  const paragraphs = blocks.flatMap(({ content }) => content?.paragraphs ?? []);
  const count = paragraphs.reduce((sum, { nodes }) => sum + (nodes ?? []).length, paragraphs.length);
  return count > MAX_PARAGRAPHS_AND_NODES ? 'Een brief heeft ten hoogste 2.000 alinea’s en stukken tekst.' : null;
}

function invalid(faults: readonly FieldFault[], count: number): Problem {
  const first = count > faults.length ? `; hier staan de eerste ${faults.length}` : '';
  const detail = count === 1 ? 'Er is één fout in de inhoud.' : `Er zijn ${count} fouten in de inhoud${first}.`;
  return new Problem('ongeldig-verzoek', detail, { errors: faults });
}

/**
 * Returns the title and flags of the stored section with the same key. For an unknown key, returns an empty title and
 * flags that are false.
 */
const storedSectionOf = ({ sections }: Brief, { sectionKey }: SentSection): Omit<BriefSection, 'blocks'> =>
  sections.find((one) => one.sectionKey === sectionKey) ?? {
    sectionKey: sectionKey ?? '',
    title: '',
    required: false,
    locked: false,
  };

const BLOCK_ID = /^[\w.-]{1,64}$/;

/**
 * Returns a function that checks one block of a letter and returns it in its stored form. It takes the block, the key
 * of its section and its JSON Pointer. Faults go to `report`.
 */
function createBlockReader(context: SaveContext, report: ReportFault) {
  const { brief, newId } = context;
  const use = usesOf(brief);
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
    const content = readRichText(block.content, `${pointer}/content`, { use, report });
    if (block.type === 'passage') {
      return {
        type: 'passage',
        blockId,
        content,
        ...readSource(block, { content, sectionKey, pointer }, context, report),
      };
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
}

/**
 * Returns from which standard text (passage) a block was copied, and whether its text was changed since. Reports a
 * fault when that passage is unknown or belongs in another section.
 */
function readSource(
  { sourcePassageId, sourceVersion }: LetterBlockDto,
  {
    content,
    sectionKey,
    pointer,
  }: { readonly content: RichText; readonly sectionKey: string; readonly pointer: string },
  { brief, passages }: SaveContext,
  report: ReportFault,
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
      uhd: stored.uhd ?? null,
      reactie: stored.reactie ?? null,
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
  return {
    sourcePassageId: sourcePassageId ?? '',
    sourceVersion: sourceVersion ?? 0,
    edited,
    besluit: source?.besluit ?? null,
    uhd: source?.uhd ?? null,
    reactie: source?.reactie ?? null,
  };
}
