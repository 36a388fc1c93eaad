import { useEffect, useMemo, useState } from 'preact/hooks';
import type {
  BriefDto,
  LetterBlockDto,
  LetterSectionDto,
  LibraryPassageDto,
  RichTextBlockDto,
  RichTextNodeDto,
} from 'zorgregister-bff/client';
import { readDate } from '../../../../src/wire/dates.ts';
import { withoutForbidden } from '../../../../src/wire/rich-text.ts';
import { longestPeriod } from '../../../../src/wire/typed-values.ts';
import { TextArea, TextField } from '../../components/fields.tsx';
import { Button, Empty } from '../../components/parts.tsx';
import { Failure, focusField, loaded } from '../calls/failure.tsx';
import { type Failure as FailureType, outcomeOf, useCall, useChanged } from '../calls/outcome.ts';
import { NotSaved, SaveState } from '../forms/save-state.tsx';
import { createSaver, type Saver } from '../forms/saver.ts';
import { Actions, COMMENTS, type Failed, forgetSaved, keepSaved, mayChange, Turn } from '../letter/actions.tsx';
import { fillableIn, filledIn, Section } from '../letter/blocks.tsx';
import type { LetterView } from '../letter/editor.tsx';
import { BriefPdf, PaperBeside } from '../letter/letter-paper.tsx';
import { OtherLetter } from '../letter/other-letter.tsx';
import { isBeforeStop } from '../letter/rich-text.ts';
import { Loading, Notice, Panel, Screen, Tag } from '../parts.tsx';
import { nameOfLogin } from '../people.ts';
import { client } from '../session.ts';
import { LETTER_STATUS, momentText } from '../words.ts';

export function Letter() {
  const { brief, passages, saver } = useLetter();
  const [failed, setFailed] = useState<Failed | null>(null);
  const state = saver.state.value;
  const tag = brief?.status.tag ?? 'draft';
  const canWrite = mayChange(tag);
  const written = canWrite ? saver.value.value : brief?.sections;
  const sections = useMemo(
    () => (brief && written ? sectionsWith(written, automaticIn(brief)) : undefined),
    [written, brief],
  );
  /** What was filled in since the letter was opened, also in a text that another replaced. */
  const known = useMemo(() => new Map<string, string | null>(), [brief?.briefId]);
  // A text that the user can change stays as it is: saving it finds a change by somebody else.
  useChanged(() => !canWrite && saver.reopen());
  // A colleague submitted it meanwhile: what they submitted is shown, beside what was not saved.
  const isOvertaken = state.kind === 'waiting' && state.failure.problem.code === 'brief-status';
  useEffect(() => void (isOvertaken && saver.open()), [isOvertaken]);
  // An action that was not confirmed may have been done after all.
  useEffect(() => setFailed((one) => (one && isTriedAgain(one.failure) ? null : one)), [tag]);
  useKeptFocus();
  if (state.kind === 'unreadable' || !brief || sections === undefined)
    return (
      <Screen title="Brief">
        {state.kind === 'unreadable' ? (
          <Failure of={state.failure} retry={saver.open} />
        ) : brief === undefined || sections === undefined ? (
          <Loading>De brief laden…</Loading>
        ) : (
          <Empty>Er is nu geen brief om aan te werken.</Empty>
        )}
      </Screen>
    );

  const placeholders = new Map(brief.placeholders.map((one) => [one.key, one]));
  const filled = filledIn(sections);
  for (const [key, text] of filled) known.set(key, text);
  const left = failed && withoutMended(failed, written ?? [], placeholders);
  // A judge has no fields: an error of a value leads to its text.
  const fields = canWrite ? placeholders : new Map();
  const placeOf = (pointer: string) => left && placeIn(left.sections, fields, pointer);
  const told = left ? toldTo(left, placeholders) : undefined;
  const letter = {
    passages: passages.map((one) => withValues(one, known)),
    placeholders,
    filled,
    faults: faultsAt((canWrite ? left?.failure : told)?.problem.errors ?? [], placeOf),
    edited: new Set(brief.sections.flatMap(({ blocks }) => blocks.flatMap((one) => (one.edited ? [one.blockId] : [])))),
  };
  const isDecision = sections.some(({ sectionKey }) => sectionKey === 'besluit');
  // A value that is wrong is mended in its field.
  const lacksGround = (left?.failure.problem.errors ?? []).some(
    ({ code, pointer }) =>
      code === 'besluit-ongegrond' && placeholderAt(left?.sections ?? [], placeholders, pointer) === null,
  );
  const needsOther = isDecision ? canWrite && lacksGround : mayChange('draft') && tag === 'sent';
  const name = filled.get('naam');
  const isUnsaved = state.kind === 'conflict' || state.kind === 'waiting';
  return (
    <Screen
      title={name ? `Brief aan ${name}` : 'Brief'}
      lead={[filled.get('referentie'), aboutOf(brief)].filter(Boolean).join(' · ')}
      isWrong={left !== null && left.failure.problem.status < 500}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a status with its messages is not a set of fields */}
      <div
        class="letter-bar"
        id="status"
        tabindex={-1}
        role="group"
        aria-label={`Status van de brief: ${LETTER_STATUS[tag]?.[0] ?? tag}`}
      >
        <Tag of={LETTER_STATUS[tag]} name={tag} />
        {(canWrite || isUnsaved) && (
          <SaveState
            isLine
            saver={saver}
            merged="Uw wijziging is samengevoegd met die van een collega."
            isClosed={!canWrite}
          />
        )}
      </div>
      <NotSaved
        saver={saver}
        compare={differences}
        cause="Of een collega heeft de brief veranderd."
        isClosed={!canWrite}
      />
      {brief.status.comments && (
        <div id={COMMENTS} tabindex={-1}>
          <Notice tone="warning" title={`Afgekeurd${by(brief.status.rejectedBy)}: dit moet er anders`}>
            {brief.status.comments}
          </Notice>
        </div>
      )}
      <Turn of={brief} read={saver.reopen} />
      {(tag === 'approved' || tag === 'sent') && (
        <Notice tone="positive">
          {tag === 'sent' && `Verzonden${name ? ` aan ${name}` : ''} op ${momentText(brief.status.sentAt)}. `}
          {`Goedgekeurd${by(brief.status.approvedBy)}.`}
          {tag === 'approved' && !left && ' U kunt de brief nu verzenden.'}
        </Notice>
      )}
      <Failure of={told} retry={left?.retry} fieldOf={placeOf} takesFocus>
        {left && isTriedAgain(left.failure) && <p>{`${ACTIONS[left.action]} van de brief is nog niet bevestigd.`}</p>}
      </Failure>
      {needsOther && (
        <OtherLetter
          after={isDecision ? null : brief.templateId}
          onBegun={async () => {
            setFailed(null);
            saver.discard();
            forgetSaved();
            await saver.open();
            focusField('status');
          }}
        />
      )}
      <div class="letter-columns">
        <div>
          {canWrite && <PlaceholderFields sections={sections} letter={letter} saver={saver} />}
          <Panel title="De tekst">
            {sections.map((section, index) => (
              <Section
                key={section.sectionKey}
                section={section}
                letter={letter}
                canWrite={canWrite}
                onChange={(blocks: LetterBlockDto[]) =>
                  saver.change(sectionsWith(sections.with(index, { ...section, blocks }), filled))
                }
              />
            ))}
          </Panel>
        </div>
        <PaperBeside key={tag} brief={brief} sections={sections} isWritten={canWrite} />
      </div>
      <Actions
        brief={brief}
        passages={passages}
        saver={saver}
        blanks={fillableIn(sections, placeholders).flatMap(([key, text]) => (text?.trim() ? [] : [`invul-${key}`]))}
        isDecision={isDecision}
        isRefused={left?.failure.problem.code === 'vier-ogen'}
        setFailed={setFailed}
      />
    </Screen>
  );
}

const ACTIONS: Record<Failed['action'], string> = {
  submit: 'Het voorleggen',
  approve: 'Het goedkeuren',
  reject: 'Het afkeuren',
  send: 'Het verzenden',
  reset: 'Het opnieuw beginnen',
};

const isTriedAgain = ({ problem: { status } }: FailureType) => status >= 500 || status === 0;

/** Returns what is wrong, by its place: all sentences about one place together. */
const faultsAt = (errors: NonNullable<FailureType['problem']['errors']>, placeOf: (pointer: string) => string | null) =>
  errors.reduce((faults, { pointer, detail }) => {
    const place = placeOf(pointer);
    return faults.set(place, [faults.get(place), detail].filter(Boolean).join(' '));
  }, new Map<string | null, string>());

const isShown = (element: Element) => element.closest('.screen') !== null && element.checkVisibility();

/** Keeps the focus near to what had it when that is gone, such as a field when a colleague submitted the letter. */
function useKeptFocus() {
  useEffect(() => {
    const stop = new AbortController();
    let focused: Element | null = null;
    let around: HTMLElement[] = [];
    document.addEventListener('pointerdown', () => (focused = null), stop);
    document.addEventListener(
      'focusin',
      ({ target }) => {
        if (!(target instanceof Element && isShown(target))) return;
        focused = target;
        around = ['.block', '.section'].flatMap((part) => target.closest<HTMLElement>(part) ?? []);
      },
      stop,
    );
    const drawn = new MutationObserver(() => {
      const isLost = focused !== null && !isShown(focused) && !isShown(document.activeElement ?? document.body);
      if (isLost) (around.find(isShown) ?? document.getElementById('status'))?.focus({ preventScroll: true });
    });
    drawn.observe(document.body, { childList: true, subtree: true });
    return () => {
      stop.abort();
      drawn.disconnect();
    };
  }, []);
}

/** Returns what a user can change of a section, and its key. */
const writtenIn = ({ sectionKey, blocks }: LetterSectionDto) => ({
  sectionKey,
  blocks: blocks.map(({ edited: _, ...block }) => block),
});

/** Returns the reference of a letter and the keys of its sections: a colleague can have begun another one. */
const outlineOf = (sections: LetterSectionDto[]) =>
  JSON.stringify([filledIn(sections).get('referentie'), ...sections.map(({ sectionKey }) => sectionKey)]);

/** Takes over, in each of two versions of a letter, the sections that only the other one changed. */
function mergedSections(
  before: LetterSectionDto[],
  mine: LetterSectionDto[],
  theirs: LetterSectionDto[],
): [LetterSectionDto[], LetterSectionDto[]] {
  if (outlineOf(before) !== outlineOf(theirs)) return [mine, theirs];
  const textAt = (sections: LetterSectionDto[], index: number) => JSON.stringify(sections.map(writtenIn)[index]);
  const merged = (some: LetterSectionDto[], others: LetterSectionDto[]) =>
    some.map((one, index) => (textAt(some, index) === textAt(before, index) ? (others[index] ?? one) : one));
  return [merged(mine, theirs), merged(theirs, mine)];
}

/** Returns, by section, the paragraphs that only one of two versions of the letter has, or that only their form differs. */
function differences(mine: LetterSectionDto[], theirs: LetterSectionDto[]) {
  const only = (some: string[], others: string[]) => some.filter((one) => !others.includes(one)).join('\n') || 'geen';
  return mine.flatMap(({ title, ...section }, index): [string, string, string][] => {
    const [here, there] = [section, theirs[index]].map(paragraphsOf) as [string[], string[]];
    if (here.join() !== there.join()) return [[title, only(here, there), only(there, here)]];
    return contentOf(section) === contentOf(theirs[index]) ? [] : [[title, SAME_WORDS, SAME_WORDS]];
  });
}

const SAME_WORDS = 'Dezelfde woorden, met een andere opmaak.';

const contentOf = (section: Pick<LetterSectionDto, 'blocks'> | undefined) =>
  JSON.stringify(section?.blocks.map(({ content }) => content));

const paragraphsOf = (section: Pick<LetterSectionDto, 'blocks'> | undefined) =>
  (section?.blocks ?? []).flatMap(({ content }) =>
    content.paragraphs.map(({ nodes }) =>
      nodes.map(({ type, text }) => (type === 'lineBreak' ? '\n' : (text ?? '…'))).join(''),
    ),
  );

type Placeholders = LetterView['placeholders'];

/** The placeholders that are filled in with one or more sentences. */
const REASONING = new Set(['reden_afwijzing', 'zienswijze', 'antwoord_zienswijze', 'ontbrekende_bewijsstukken']);

type FieldsProps = { sections: readonly LetterSectionDto[]; letter: LetterView; saver: Saver<LetterSectionDto[]> };

function PlaceholderFields({ sections, letter: { placeholders, faults }, saver }: FieldsProps) {
  const fillable = fillableIn(sections, placeholders);
  if (fillable.length === 0) return null;
  const requested = readDate(filledIn(sections).get('datum_aanvraag') ?? '');
  function fill(filled: string, typed: string) {
    const textOf = (key: string, text: string | null) => (key === filled ? typed : text);
    saver.change(
      sections.map((section) =>
        section.locked ? section : { ...section, blocks: section.blocks.map((one) => withTexts(one, textOf)) },
      ),
    );
  }
  return (
    <Panel title="Invullen">
      {fillable.map(([key, text]) => {
        const fault = faults.get(`invul-${key}`);
        const field = {
          id: `invul-${key}`,
          label: placeholders.get(key)?.label ?? key,
          value: text ?? '',
          hint: !(fault && text?.trim()) && hintOf(key, requested),
          error: fault && !text?.trim() ? 'Vul dit in.' : fault,
          onInput: (typed: string) => fill(key, withoutForbidden(typed)),
          onBlur() {
            if (endsSentence(sections, key) && text?.trimEnd().endsWith('.')) fill(key, text.trimEnd().slice(0, -1));
          },
        };
        return REASONING.has(key) ? <TextArea key={key} isParagraph {...field} /> : <TextField key={key} {...field} />;
      })}
    </Panel>
  );
}

/** Returns how to fill in a placeholder of a request of this day; null when its label says enough. */
function hintOf(key: string, requested: string | null) {
  if (key === 'uren_meegeteld') return 'Alleen cijfers, zoals 1.200.';
  if (key !== 'periode_beoordeeld' || !requested) return null;
  return `In de vijf jaar vóór de aanvraag, zoals ${longestPeriod(requested)}.`;
}

const endsSentence = (sections: readonly LetterSectionDto[], placeholder: string) =>
  sections
    .flatMap(({ blocks }) => blocks)
    .flatMap(({ content }) => content.paragraphs)
    .some(({ nodes }) => nodes.some(({ key }, index) => key === placeholder && isBeforeStop(nodes, index)));

/** Returns a failure without the errors that the user has mended; null when that were all of them. */
function withoutMended(failed: Failed, sections: readonly LetterSectionDto[], placeholders: Placeholders) {
  const { errors = [] } = failed.failure.problem;
  const [before, filled] = [filledIn(failed.sections), filledIn(sections)];
  const isAsBefore = (index: number) => JSON.stringify(sections[index]) === JSON.stringify(failed.sections[index]);
  const decision = sections.findIndex(({ sectionKey }) => sectionKey === 'besluit');
  const left = errors.filter(({ pointer, code }) => {
    const key = placeholderAt(failed.sections, placeholders, pointer);
    if (key !== null) return filled.has(key) && (filled.get(key) || null) === (before.get(key) || null);
    const index = Number(/^\/sections\/(\d+)/.exec(pointer)?.[1]);
    // Another decision mends what did not fit the decision, or is missing beside it.
    const isOfDecision =
      code === 'besluit-tegenstrijdig' || (code === 'besluit-ongegrond' && !pointer.includes('/blocks/'));
    return isAsBefore(index) && (!isOfDecision || isAsBefore(decision));
  });
  if (left.length === errors.length) return failed;
  if (left.length === 0) return null;
  const problem = { ...failed.failure.problem, errors: left };
  return { ...failed, failure: { ...failed.failure, problem } };
}

/**
 * Returns a failure with what the user can do: the one who judges the letter rejects it, and a value is not the text. What
 * is wrong with a value begins with the name of its field.
 */
function toldTo({ action, failure, sections }: Failed, placeholders: Placeholders): FailureType {
  const { code, detail, errors = [] } = failure.problem;
  const isOfDecision = errors.some((one) => one.code.startsWith('besluit-'));
  const keys = errors.map(({ pointer }) => placeholderAt(sections, placeholders, pointer));
  const named = errors.map((one, index) => {
    const { label } = placeholders.get(keys[index] ?? '') ?? {};
    const isNamed = label === undefined || one.detail.toLowerCase().includes(label.toLowerCase());
    return isNamed ? one : { ...one, detail: `${label}: ${uncapitalized(one.detail)}` };
  });
  const problem = {
    ...failure.problem,
    errors: named,
    detail: detail === errors[0]?.detail ? (named[0]?.detail ?? detail) : detail,
    ...(errors.some((one) => one.code !== code) && { code: 'ongeldig-verzoek', title: 'De brief klopt nog niet' }),
    ...(errors.every((one) => one.code === 'besluit-ongegrond') &&
      !keys.includes(null) &&
      isOfDecision && { code: 'gegeven-onjuist', title: 'Een ingevuld gegeven klopt niet' }),
    ...(action === 'approve' && isOfDecision && { code: 'brief-afkeuren' }),
  };
  return { ...failure, problem };
}

const uncapitalized = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** Returns the id of the field of a placeholder, or else of the text or the section, of an error of the service. */
function placeIn(sections: readonly LetterSectionDto[], placeholders: Placeholders, pointer: string) {
  const key = placeholderAt(sections, placeholders, pointer);
  if (key !== null) return `invul-${key}`;
  const [, section, block] = /^\/sections\/(\d+)(?:\/blocks\/(\d+))?/.exec(pointer) ?? [];
  const found = sections[Number(section)];
  const text = found?.blocks[Number(block)];
  if (text !== undefined && !found?.locked) return `tekst-${text.blockId}`;
  return found === undefined ? null : `sectie-${found.sectionKey}`;
}

/** Returns the key of the placeholder with a field to which a JSON Pointer points; null when it points to something else. */
function placeholderAt(sections: readonly LetterSectionDto[], placeholders: Placeholders, pointer: string) {
  const [, section, block, paragraph, node] =
    /^\/sections\/(\d+)\/blocks\/(\d+)\/content\/paragraphs\/(\d+)\/nodes\/(\d+)/.exec(pointer) ?? [];
  const target =
    sections[Number(section)]?.blocks[Number(block)]?.content.paragraphs[Number(paragraph)]?.nodes[Number(node)];
  return target?.type === 'placeholder' && placeholders.get(target.key)?.fillable ? target.key : null;
}

/** Returns what the service filled in. */
function automaticIn({ placeholders, sections }: BriefDto) {
  const own = new Set(placeholders.flatMap(({ key, autoResolvable }) => (autoResolvable ? [key] : [])));
  return new Map([...filledIn(sections)].filter(([key]) => own.has(key)));
}

type Values = ReadonlyMap<string, string | null>;

/** Returns a text in which `textOf` gives what is filled in for each placeholder, from its key and what it has. */
function withTexts<Of extends { content: RichTextBlockDto }>(
  one: Of,
  textOf: (key: string, text: string | null) => string | null,
): Of {
  const withText = (node: RichTextNodeDto) =>
    node.type === 'placeholder' ? { ...node, text: textOf(node.key, node.text) } : node;
  const paragraphs = one.content.paragraphs.map((part) => ({ ...part, nodes: part.nodes.map(withText) }));
  return { ...one, content: { paragraphs } };
}

/** Returns the text with what is filled in for its placeholders. */
const withValues = <Of extends { content: RichTextBlockDto }>(one: Of, values: Values) =>
  withTexts(one, (key, text) => text ?? values.get(key) ?? null);

/** Returns the sections with what is filled in for placeholders also in a text that was added since. */
const sectionsWith = (sections: readonly LetterSectionDto[], values: Values) =>
  sections.map((section) => ({ ...section, blocks: section.blocks.map((one) => withValues(one, values)) }));

const by = (login: string | null) => (login ? ` door ${nameOfLogin(login)}` : '');

const aboutOf = ({ status, drafterId, beroep }: BriefDto) =>
  [
    `Beroep: ${beroep}`,
    drafterId && drafterId !== status.submittedBy && `opsteller ${nameOfLogin(drafterId)}`,
    status.submittedBy && `voorgelegd door ${nameOfLogin(status.submittedBy)}`,
  ]
    .filter(Boolean)
    .join(' · ');

/** Reads the letter (`brief`: undefined until it is read, null without one) and makes the saver of its sections. */
function useLetter() {
  const [brief, setBrief] = useState<BriefDto | null | undefined>(undefined);
  const [passages, setPassages] = useState<readonly LibraryPassageDto[]>([]);
  const saver = useMemo(() => {
    let isOpen = false;
    return createSaver({
      name: 'brief',
      async read() {
        const outcome = await outcomeOf(client.GET('/brief'));
        if (outcome.failure) return outcome;
        setBrief(outcome.data.brief);
        isOpen = mayChange(outcome.data.brief?.status.tag);
        setPassages(outcome.data.availablePassages);
        return { data: outcome.data.brief?.sections ?? [], response: outcome.response };
      },
      stored: (sections) => sections.map(writtenIn),
      merge(before, mine, theirs) {
        const [merged, both] = mergedSections(before, mine, theirs);
        return [merged, isOpen ? both : theirs];
      },
      async write(sections: LetterSectionDto[], headers) {
        const outcome = await outcomeOf(client.PUT('/brief', { body: { sections }, headers }));
        if (outcome.data) {
          setBrief(outcome.data);
          keepSaved(outcome.data);
        }
        return outcome;
      },
    });
  }, []);
  useEffect(() => {
    saver.open();
    return () => void saver.save();
  }, [saver]);
  return { brief, passages, saver };
}

export function Preview() {
  const letter = useCall((signal) => client.GET('/brief', { signal }));
  return (
    <Screen title="De brief op papier">
      {loaded(letter, 'De brief', ({ brief }) =>
        brief === null ? (
          <Empty>Er is nu geen brief.</Empty>
        ) : (
          <>
            <div class="letter-bar no-print">
              <Tag of={LETTER_STATUS[brief.status.tag]} />
              {!navigator.pdfViewerEnabled && <Button onClick={() => print()}>Afdrukken</Button>}
            </div>
            <BriefPdf brief={brief} />
          </>
        ),
      )}
    </Screen>
  );
}
