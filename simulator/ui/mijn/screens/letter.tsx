import { useState } from 'preact/hooks';
import type { BriefDto, LetterBlockDto, LetterSectionDto, PlaceholderDefDto } from 'zorgregister-bff/client';
import { TextField } from '../../components/fields.tsx';
import { Alert, Empty } from '../../components/parts.tsx';
import { Failure } from '../calls/failure.tsx';
import { useChanged } from '../calls/outcome.ts';
import { SaveState } from '../forms/save-state.tsx';
import type { Saver } from '../forms/saver.ts';
import { Actions, type Failed, mayWrite } from '../letter/actions.tsx';
import { filledIn, Section } from '../letter/blocks.tsx';
import { BriefPaper, BriefPdf } from '../letter/letter-paper.tsx';
import { useLetter } from '../letter/state.ts';
import { Panel, Screen, Tag } from '../parts.tsx';
import { nameOfLogin } from '../people.ts';
import { LETTER_STATUS, momentText } from '../words.ts';

/**
 * Shows the current letter: the sections of the letter, which the user can change when that is allowed, and the letter
 * as on paper.
 */
export function Letter() {
  const { brief, passages, saver } = useLetter();
  const [failed, setFailed] = useState<Failed | null>(null);
  const state = saver.state.value;
  const sections = saver.value.value;
  const tag = brief?.status?.tag ?? 'draft';
  const canWrite = mayWrite && (tag === 'draft' || tag === 'rejected');
  // A text that the user can change stays as it is: saving it finds a change by somebody else.
  useChanged(() => !canWrite && saver.open());
  if (state.kind === 'unreadable')
    return (
      <Screen title="Brief">
        <Failure of={state.failure} retry={saver.open} />
      </Screen>
    );
  if (brief === undefined || sections === undefined)
    return (
      <Screen title="Brief">
        <p class="loading" role="status">
          De brief laden…
        </p>
      </Screen>
    );
  if (brief === null)
    return (
      <Screen title="Brief">
        <Empty>Er is nu geen brief om aan te werken.</Empty>
      </Screen>
    );

  const placeholders = new Map((brief.placeholders ?? []).map((one) => [one.key ?? '', one]));
  const filled = filledIn(sections);
  const edited = new Set(
    brief.sections.flatMap(({ blocks }) => blocks.flatMap((one) => (one.edited ? [one.blockId] : []))),
  );
  const left = failed && withoutMended(failed, sections);
  return (
    <Screen title={nameOf(sections)} lead={aboutOf(brief)} isWrong={left !== null && left.failure.problem.status < 500}>
      {/* biome-ignore lint/a11y/useSemanticElements: a status with its messages is not a set of fields */}
      <div class="letter-bar" id="status" tabindex={-1} role="group" aria-label="Status van de brief">
        <Tag of={LETTER_STATUS[tag]} name={tag} />
        {canWrite && <SaveState saver={saver} />}
      </div>
      {brief.status?.comments && (
        <Alert tone="warning" title="Afgekeurd: dit moet er anders">
          <p>{brief.status.comments}</p>
        </Alert>
      )}
      <Actions
        brief={brief}
        passages={passages}
        saver={saver}
        failed={left}
        setFailed={setFailed}
        fieldOf={(pointer: string) => fieldOf(sections, pointer)}
        labelOf={(pointer: string) => labelOf(sections, placeholders, pointer)}
      />
      <div class="letter-columns">
        <div>
          {canWrite && <PlaceholderFields sections={sections} placeholders={placeholders} saver={saver} />}
          <Panel title="De tekst">
            {sections.map((section, index) => (
              <Section
                key={section.sectionKey}
                section={section}
                passages={passages}
                placeholders={placeholders}
                filled={filled}
                edited={edited}
                canWrite={canWrite}
                onChange={(blocks: LetterBlockDto[]) => saver.change(sections.with(index, { ...section, blocks }))}
              />
            ))}
          </Panel>
        </div>
        <section class="letter-columns__paper" aria-label="Op papier" tabindex={0}>
          {canWrite ? <BriefPaper brief={brief} sections={sections} /> : <BriefPdf brief={brief} />}
        </section>
      </div>
    </Screen>
  );
}

interface PlaceholderFieldsProps {
  sections: readonly LetterSectionDto[];
  placeholders: ReadonlyMap<string, PlaceholderDefDto>;
  saver: Saver<LetterSectionDto[]>;
}

/** Shows a field for each placeholder that can be filled in, in the sections that are not locked. */
function PlaceholderFields({ sections, placeholders, saver }: PlaceholderFieldsProps) {
  const filled = filledIn(sections.filter(({ locked }) => !locked));
  const fillable = [...filled].filter(([key]) => placeholders.get(key)?.fillable);
  if (fillable.length === 0) return null;
  /**
   * Fills in a text for a placeholder, in all sections that are not locked.
   * @param key the key of the placeholder
   */
  const fill = (key: string, text: string) =>
    saver.change(
      sections.map((section) =>
        section.locked
          ? section
          : { ...section, blocks: (section.blocks ?? []).map((block) => withPlaceholderText(block, key, text)) },
      ),
    );
  return (
    <Panel title="Invullen">
      {fillable.map(([key, text]) => (
        <TextField
          key={key}
          id={`invul-${key}`}
          label={placeholders.get(key)?.label ?? key}
          value={text ?? ''}
          onInput={(typed: string) => fill(key, typed)}
        />
      ))}
    </Panel>
  );
}

/** Returns the block with this text filled in for each placeholder with the key `key`. */
const withPlaceholderText = (block: LetterBlockDto, key: string, text: string): LetterBlockDto => ({
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
 * Returns a failure without the errors that the user has mended: a placeholder that is filled in or gone, or a section
 * that was changed; null when that were all its errors.
 */
function withoutMended(failed: Failed, sections: readonly LetterSectionDto[]): Failed | null {
  const { errors = [] } = failed.failure.problem;
  const filled = filledIn(sections);
  const left = errors.filter(({ pointer }) => {
    const key = placeholderAt(failed.sections, pointer);
    if (key !== null) return filled.has(key) && !filled.get(key);
    const index = Number(/^\/sections\/(\d+)/.exec(pointer)?.[1]);
    return JSON.stringify(sections[index]) === JSON.stringify(failed.sections[index]);
  });
  if (left.length === errors.length) return failed;
  if (left.length === 0) return null;
  const problem = { ...failed.failure.problem, errors: left };
  return { ...failed, failure: { ...failed.failure, problem } };
}

/**
 * Returns the id of the element to which an error of the service belongs: the field of a placeholder, or else the
 * section; null when neither is found.
 */
function fieldOf(sections: readonly LetterSectionDto[], pointer: string) {
  const key = placeholderAt(sections, pointer);
  if (key !== null) return `invul-${key}`;
  const found = sections[Number(/^\/sections\/(\d+)/.exec(pointer)?.[1])];
  return found === undefined ? null : `sectie-${found.sectionKey}`;
}

/**
 * Returns the label of the field for an error of the service about a placeholder that the user can fill in; null for
 * another error.
 */
function labelOf(
  sections: readonly LetterSectionDto[],
  placeholders: ReadonlyMap<string, PlaceholderDefDto>,
  pointer: string,
) {
  const found = placeholders.get(placeholderAt(sections, pointer) ?? '');
  return (found?.fillable && found.label) || null;
}

/** Returns the key of the placeholder to which a JSON Pointer points; null when it points to something else. */
function placeholderAt(sections: readonly LetterSectionDto[], pointer: string) {
  const [, section, block, paragraph, node] =
    /^\/sections\/(\d+)\/blocks\/(\d+)\/content\/paragraphs\/(\d+)\/nodes\/(\d+)/.exec(pointer) ?? [];
  const target =
    sections[Number(section)]?.blocks?.[Number(block)]?.content?.paragraphs?.[Number(paragraph)]?.nodes?.[Number(node)];
  return target?.type === 'placeholder' ? target.key : null;
}

/**
 * Returns the title of the screen: `Brief aan` and the name that is filled in for the placeholder `naam`, or else
 * `Brief`.
 */
function nameOf(sections: readonly LetterSectionDto[]) {
  const name = filledIn(sections).get('naam');
  return name ? `Brief aan ${name}` : 'Brief';
}

/** Returns the line below the title: the profession, who worked on the letter, and when it was sent. */
function aboutOf({ status, drafterId, beroep }: BriefDto) {
  const steps = [
    `Beroep: ${beroep}`,
    drafterId && `opsteller ${nameOfLogin(drafterId)}`,
    status?.submittedBy && `voorgelegd door ${nameOfLogin(status.submittedBy)}`,
    status?.approvedBy && `goedgekeurd door ${nameOfLogin(status.approvedBy)}`,
    status?.sentAt && `verzonden op ${momentText(status.sentAt)}`,
  ];
  return steps.filter(Boolean).join(' · ');
}
