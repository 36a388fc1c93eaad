import { useRef, useState } from 'preact/hooks';
import type { LetterBlockDto, LetterSectionDto, LibraryPassageDto, RichTextBlockDto } from 'zorgregister-bff/client';
import { randomUuid } from 'zorgregister-bff/client';
import { Paragraphs } from '../../components/paper.tsx';
import { Button, Confirm, Empty } from '../../components/parts.tsx';
import { focusField } from '../calls/failure.tsx';
import { Tag } from '../parts.tsx';
import { Add, Editor, type LetterView } from './editor.tsx';
import { toParagraph } from './rich-text.ts';

/** Returns what is filled in for each placeholder, by its key; null for nothing. */
export function filledIn(sections: readonly LetterSectionDto[]) {
  const filled = new Map<string, string | null>();
  for (const { blocks } of sections)
    for (const { content } of blocks)
      for (const { type, key, text } of content.paragraphs.flatMap(({ nodes }) => nodes))
        if (type === 'placeholder') filled.set(key, text ?? filled.get(key) ?? null);
  return filled;
}

/** Returns what is filled in for each placeholder that has a field: those in the sections that are not locked. */
export const fillableIn = (sections: readonly LetterSectionDto[], placeholders: LetterView['placeholders']) =>
  [...filledIn(sections.filter(({ locked }) => !locked))].filter(([key]) => placeholders.get(key)?.fillable);

/** Returns the name of the standard text that a block has; null for a text of the user. */
export const nameOf = ({ sourcePassageId }: LetterBlockDto, passages: readonly LibraryPassageDto[]) =>
  passages.find(({ passageId }) => passageId === sourcePassageId)?.label ?? null;

interface SectionProps {
  section: LetterSectionDto;
  letter: LetterView;
  canWrite: boolean;
  onChange: (blocks: LetterBlockDto[]) => void;
}

/** Shows a section of the letter and its blocks. */
export function Section({ section, letter, canWrite, onChange }: SectionProps) {
  const { sectionKey, title, required, locked, blocks } = section;
  const isOpen = canWrite && !locked;
  const mine = letter.passages.filter((one) => one.sectionKey === sectionKey);
  const [told, tell] = useState('');

  function add(id: string) {
    const passage = mine.find(({ passageId }) => passageId === id);
    const blockId = randomUuid();
    const content = passage?.content ?? { paragraphs: [] };
    onChange([
      ...blocks,
      passage
        ? {
            type: 'passage',
            blockId,
            content,
            sourcePassageId: passage.passageId,
            sourceVersion: passage.version,
            edited: false,
          }
        : { type: 'freeText', blockId, content, sourcePassageId: null, sourceVersion: null, edited: null },
    ]);
    tell(passage ? addedText(passage, letter) : '');
    // Its button can be out of view below the text.
    focusField(passage ? `toevoegen-${sectionKey}` : `blok-${blockId}`);
  }
  const nameAt = (index: number) => nameOf(blocks[index] as LetterBlockDto, mine) ?? 'Eigen tekst';
  function moveUp(index: number) {
    const block = blocks[index] as LetterBlockDto;
    onChange(blocks.toSpliced(index, 1).toSpliced(index - 1, 0, block));
    tell(`${nameAt(index)} staat nu op plaats ${index} van ${blocks.length}.`);
    focusField(`bewerk-${block.blockId}`);
  }
  function remove(index: number) {
    onChange(blocks.toSpliced(index, 1));
    tell(`${nameAt(index)} verwijderd.`);
    focusField(`sectie-${sectionKey}`);
  }

  const head = (
    <>
      <h3 class="utrecht-heading-3" id={`kop-${sectionKey}`}>
        {title}
      </h3>
      {locked ? <span class="small">Vaste tekst</span> : isOpen && required && <Tag of={['Verplicht', 'info']} />}
    </>
  );
  const choices = mine.filter(({ passageId }) => !blocks.some((one) => one.sourcePassageId === passageId));
  // An empty text is not in the letter: only the writer has something to do with it.
  const fault = letter.faults.get(`sectie-${sectionKey}`);
  const shown = isOpen ? blocks : blocks.filter(({ content }) => content.paragraphs.length > 0);
  const text = shown.map((block, index) => (
    <Block
      key={block.blockId}
      block={block}
      letter={letter}
      isOpen={isOpen}
      isFixed={locked}
      standard={mine.find(({ passageId }) => passageId === block.sourcePassageId)}
      onChange={(next: LetterBlockDto) => onChange(blocks.with(index, next))}
      onRemoved={() => remove(index)}
      onUp={index > 0 ? () => moveUp(index) : undefined}
    />
  ));

  return (
    <section
      class={`section ${locked ? 'section--locked' : ''}`}
      id={`sectie-${sectionKey}`}
      tabindex={-1}
      aria-labelledby={`kop-${sectionKey}`}
    >
      {/* The fixed text is in the way of what was written; the letter on paper has it. */}
      {locked ? (
        <details class="section__fixed">
          <summary>{head}</summary>
          {text}
        </details>
      ) : (
        <>
          <div class="head">{head}</div>
          {fault && <Fault>{fault}</Fault>}
          {text}
        </>
      )}
      {shown.length === 0 && (
        <Empty>{isOpen ? 'Hier staat nog niets.' : 'Dit onderdeel staat niet in de brief.'}</Empty>
      )}
      {isOpen && (
        <>
          <Add
            id={`toevoegen-${sectionKey}`}
            label="Tekst toevoegen"
            about={`aan ${title}`}
            button="Voeg toe"
            options={[['', 'Eigen tekst'], ...choices.map(({ passageId, label }) => [passageId, label] as const)]}
            onAdd={add}
          />
          <p class="visually-hidden" role="status">
            {told}
          </p>
        </>
      )}
    </section>
  );
}

/** Returns what a screen reader says when a standard text is added, because its fields are in another part of the page. */
function addedText({ label, content }: LibraryPassageDto, { placeholders }: LetterView) {
  const nodes = content.paragraphs.flatMap((one) => one.nodes);
  const empty = nodes.flatMap(({ type, key, text }) => {
    const field = type === 'placeholder' ? placeholders.get(key) : undefined;
    return field?.fillable && !text?.trim() ? [field.label] : [];
  });
  return `${label} toegevoegd.${empty.length > 0 ? ` Vul nog in: ${[...new Set(empty)].join(', ')}.` : ''}`;
}

const Fault = ({ children }: { children: string }) => <div class="utrecht-form-field-error-message">{children}</div>;

const BlockText = ({ of: { paragraphs }, letter }: { of: RichTextBlockDto; letter: LetterView }) => (
  <div class="block__text">
    <Paragraphs of={paragraphs.map((one) => toParagraph(one, letter.placeholders))} />
  </div>
);

interface BlockProps {
  block: LetterBlockDto;
  standard: LibraryPassageDto | undefined;
  letter: LetterView;
  isOpen: boolean;
  isFixed: boolean;
  onChange: (block: LetterBlockDto) => void;
  onRemoved: () => void;
  onUp: (() => void) | undefined;
}

function Block({ block, standard, letter, isOpen, isFixed, onChange, onRemoved, onUp }: BlockProps) {
  const { content, blockId } = block;
  const [isEditing, setEditing] = useState(content.paragraphs.length === 0);
  // The editor stays in the page when it is closed, and with it what can be undone.
  const wasEditing = useRef(isEditing);
  wasEditing.current ||= isEditing;
  const question = useRef<HTMLDialogElement>(null);
  const name = standard?.label ?? null;
  const isEdited = letter.edited.has(blockId);
  const isWritten = isOpen && content.paragraphs.length > 0 && (name === null || isEdited);
  const about = name ?? 'eigen tekst';
  const original = isEdited && standard?.version === block.sourceVersion ? standard.content : undefined;
  const fault = letter.faults.get(`tekst-${blockId}`);
  const id = `blok-${blockId}`;
  const edit = `bewerk-${blockId}`;
  return (
    <div class="block" id={`tekst-${blockId}`} tabindex={-1}>
      {!isFixed && (
        <p class="block__name small">
          {name ? `Standaardtekst: ${name}` : 'Eigen tekst'} {isEdited && <Tag of={['Aangepast', 'warning']} />}
        </p>
      )}
      {fault && <Fault>{fault}</Fault>}
      {isOpen && wasEditing.current && (
        <div hidden={!isEditing}>
          <Editor
            id={id}
            name={about}
            content={content}
            original={original}
            letter={letter}
            onChange={(next) => onChange({ ...block, content: next })}
          />
        </div>
      )}
      {!(isOpen && isEditing) && <BlockText of={content} letter={letter} />}
      {original && (
        <details class="small">
          <summary>
            Toon de standaardtekst<span class="visually-hidden"> {about}</span>
          </summary>
          <BlockText of={original} letter={letter} />
        </details>
      )}
      {isOpen && (
        <div class="buttons buttons--quiet no-print">
          <Button
            look="subtle"
            id={edit}
            about={about}
            onClick={() => {
              setEditing(!isEditing);
              focusField(isEditing ? edit : id);
            }}
          >
            {isEditing ? 'Klaar' : 'Bewerk'}
          </Button>
          {onUp && (
            <Button look="subtle" about={about} onClick={onUp}>
              Omhoog
            </Button>
          )}
          <Button
            look="subtle"
            danger
            about={about}
            onClick={isWritten ? () => question.current?.showModal() : onRemoved}
          >
            {isWritten ? 'Verwijder…' : 'Verwijder'}
          </Button>
        </div>
      )}
      {isWritten && (
        <Confirm
          of={question}
          title="Wilt u deze tekst verwijderen?"
          yes="Ja, verwijder de tekst"
          danger
          onYes={onRemoved}
        >
          <p>U kunt dat niet terugdraaien.</p>
        </Confirm>
      )}
    </div>
  );
}
