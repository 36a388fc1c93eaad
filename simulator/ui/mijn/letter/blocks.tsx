import { useState } from 'preact/hooks';
import type { LetterBlockDto, LetterSectionDto, LibraryPassageDto, PlaceholderDefDto } from 'zorgregister-bff/client';
import { randomUuid } from 'zorgregister-bff/client';
import { Select, TextArea } from '../../components/fields.tsx';
import { Paragraphs } from '../../components/paper.tsx';
import { Button, Empty } from '../../components/parts.tsx';
import { focusField } from '../calls/failure.tsx';
import { Tag } from '../parts.tsx';
import { fromText, toParagraph, toText } from './text.ts';

/**
 * The placeholders of a letter (places in the text for a name, a date and so on), keyed by their key in the text.
 */
type Placeholders = ReadonlyMap<string, PlaceholderDefDto>;

/**
 * Returns the texts that are filled in for the placeholders (such as a name or a date) in a section, keyed by the key
 * of the placeholder. A placeholder that is not filled in has the value null.
 */
export const filledIn = ({ blocks }: LetterSectionDto) =>
  new Map(
    (blocks ?? [])
      .flatMap(({ content }) => content?.paragraphs ?? [])
      .flatMap(({ nodes }) => nodes ?? [])
      .flatMap(({ type, key, text }) => (type === 'placeholder' && key !== null ? [[key, text] as const] : [])),
  );

interface SectionProps {
  section: LetterSectionDto;
  passages: readonly LibraryPassageDto[];
  placeholders: Placeholders;
  canWrite: boolean;
  onChange: (blocks: LetterBlockDto[]) => void;
}

/**
 * Shows a section of the letter and its blocks (pieces of text). When `canWrite` is true and the section is not locked,
 * the user can change the blocks; `onChange` gets all blocks of the section.
 */
export function Section({ section, passages, placeholders, canWrite, onChange }: SectionProps) {
  const { sectionKey, title, required, locked } = section;
  const blocks = section.blocks ?? [];
  const isOpen = canWrite && !locked;
  const mine = passages.filter((one) => one.sectionKey === sectionKey);

  /**
   * Adds a block at the end: the passage (standard text) with this id, or free text when no passage has this id.
   */
  function add(id: string) {
    const passage = mine.find(({ passageId }) => passageId === id);
    const blockId = randomUuid();
    const block = passage
      ? {
          type: 'passage' as const,
          blockId,
          content: passage.content,
          sourcePassageId: passage.passageId,
          sourceVersion: passage.version,
          edited: false,
        }
      : {
          type: 'freeText' as const,
          blockId,
          content: fromText('Nieuwe tekst.'),
          sourcePassageId: null,
          sourceVersion: null,
          edited: null,
        };
    onChange([...blocks, block]);
  }
  /**
   * Moves a block to another place in the section.
   * @param from index of the block
   * @param to index of the block after the move
   */
  function move(from: number, to: number) {
    const next = blocks.toSpliced(from, 1);
    const block = blocks[from] as LetterBlockDto;
    onChange(next.toSpliced(to, 0, block));
    focusField(editButtonOf(block));
  }
  /**
   * Removes a block, and moves the focus to the section.
   * @param at index of the block
   */
  function remove(at: number) {
    onChange(blocks.toSpliced(at, 1));
    focusField(`sectie-${sectionKey}`);
  }

  return (
    <section
      class={`section ${locked ? 'section--locked' : ''}`}
      id={`sectie-${sectionKey}`}
      tabindex={-1}
      aria-labelledby={`kop-${sectionKey}`}
    >
      <div class="section__head">
        <h3 class="utrecht-heading-3" id={`kop-${sectionKey}`}>
          {title}
        </h3>
        {locked ? <span class="small">Vaste tekst</span> : required && <Tag of={['Verplicht', 'info']} />}
      </div>
      {blocks.map((block, index) => (
        <Block
          key={block.blockId}
          block={block}
          placeholders={placeholders}
          filled={filledIn(section)}
          isOpen={isOpen}
          name={mine.find(({ passageId }) => passageId === block.sourcePassageId)?.label ?? null}
          onChange={(next: LetterBlockDto) => onChange(blocks.with(index, next))}
          onRemoved={() => remove(index)}
          onUp={index > 0 ? () => move(index, index - 1) : undefined}
        />
      ))}
      {blocks.length === 0 && <Empty>Hier staat nog niets.</Empty>}
      {isOpen && <Add id={`toevoegen-${sectionKey}`} title={title ?? ''} passages={mine} onAdd={add} />}
    </section>
  );
}

/** Returns the id of the button that opens or closes the text of a block. */
const editButtonOf = ({ blockId }: LetterBlockDto) => `bewerk-${blockId}`;

interface AddProps {
  id: string;
  title: string;
  passages: readonly LibraryPassageDto[];
  onAdd: (passage: string) => void;
}

/**
 * Shows a drop-down list with passages (standard texts) and free text. Its button calls `onAdd` with the id of the
 * chosen passage; an empty text means free text.
 */
function Add({ id, title, passages, onAdd }: AddProps) {
  const [chosen, setChosen] = useState('');
  const own = ['', 'Eigen tekst'] as const;
  const options = [own, ...passages.map(({ passageId, label }) => [passageId ?? '', label ?? ''] as const)];
  return (
    <div class="section__add no-print">
      <Select
        id={id}
        label={
          <>
            Tekst toevoegen<span class="visually-hidden"> aan {title}</span>
          </>
        }
        value={chosen}
        options={options}
        onInput={setChosen}
      />
      <Button
        about={`aan ${title}`}
        onClick={() => {
          onAdd(chosen);
          setChosen('');
        }}
      >
        Voeg toe
      </Button>
    </div>
  );
}

interface BlockProps {
  block: LetterBlockDto;
  name: string | null;
  placeholders: Placeholders;
  filled: ReadonlyMap<string, string | null>;
  isOpen: boolean;
  onChange: (block: LetterBlockDto) => void;
  onRemoved: () => void;
  onUp: (() => void) | undefined;
}

/**
 * Shows a block (piece of text) of a section and, when `isOpen` is true, buttons to change it. `name` is the name of
 * its passage (standard text); null when it has none.
 */
function Block({ block, name, placeholders, filled, isOpen, onChange, onRemoved, onUp }: BlockProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const about = name ?? 'eigen tekst';
  const id = `blok-${block.blockId}`;
  const edit = editButtonOf(block);
  /** Opens the text, or closes it when `text` is null, with the focus on its button. */
  function show(text: string | null) {
    setTyped(text);
    focusField(edit);
  }
  return (
    <div class="block">
      {isOpen && (
        <p class="block__name small">
          {name ? `Standaardtekst: ${name}` : 'Eigen tekst'}
          {block.edited ? ' (aangepast)' : ''}
        </p>
      )}
      {typed === null ? (
        <div class="block__text">
          <Paragraphs of={(block.content?.paragraphs ?? []).map((one) => toParagraph(one, placeholders))} />
        </div>
      ) : (
        <TextArea
          id={id}
          label="Tekst"
          rows={Math.min(14, 3 + Math.ceil(typed.length / 70))}
          value={typed}
          hint="**vet**, *cursief*, - voor een lijst, een lege regel voor een nieuwe alinea, {sleutel} voor een invulplek."
          onInput={(text: string) => {
            setTyped(text);
            onChange({ ...block, content: fromText(text, filled) });
          }}
        />
      )}
      {isOpen && (
        <div class="buttons buttons--quiet no-print">
          <Button
            look="subtle"
            id={edit}
            about={about}
            onClick={() => show(typed === null ? toText(block.content) : null)}
          >
            {typed === null ? 'Bewerk' : 'Klaar'}
          </Button>
          {onUp && (
            <Button look="subtle" about={about} onClick={onUp}>
              Omhoog
            </Button>
          )}
          <Button look="subtle" danger about={about} onClick={onRemoved}>
            Verwijder
          </Button>
        </div>
      )}
    </div>
  );
}
