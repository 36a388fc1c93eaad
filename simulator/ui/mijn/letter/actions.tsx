import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  type BriefDto,
  type LetterBlockDto,
  type LetterSectionDto,
  type LibraryPassageDto,
  type Persona,
  personaHeaders,
} from 'zorgregister-bff/client';
import { TextArea } from '../../components/fields.tsx';
import { Button, Confirm, Facts } from '../../components/parts.tsx';
import { FieldLink, focusField } from '../calls/failure.tsx';
import { type Failure, outcomeOf } from '../calls/outcome.ts';
import { SAVE_STATE } from '../forms/save-state.tsx';
import type { Saver } from '../forms/saver.ts';
import { useTyped } from '../forms/submit.ts';
import { Notice } from '../parts.tsx';
import { client, persona, placeOf, today } from '../session.ts';
import { dateText } from '../words.ts';
import { fillableIn, filledIn, nameOf } from './blocks.tsx';
import { letterOf } from './letter-paper.tsx';
import { placeholderText } from './rich-text.ts';

const headers = personaHeaders((persona ?? '') as Persona);
const roles = (headers['X-Rollen'] ?? headers['X-Role'] ?? 'drafter').split(',');
/** Decides only what the page shows: the service itself checks the role at each request. */
const mayWrite = roles.some((role) => ['drafter', 'admin', 'behandelaar'].includes(role));
/** Returns true for a status in which this user can change the letter. */
export const mayChange = (tag: string | undefined) => mayWrite && (tag === 'draft' || tag === 'rejected');
const mayJudge = roles.some((role) => ['approver', 'admin', 'teamlead'].includes(role));

const CHANGED = new Set(['versie-verouderd', 'brief-status']);

/** An action that failed, with the sections of the letter at that moment. */
export interface Failed {
  action: 'submit' | 'approve' | 'reject' | 'send' | 'reset';
  failure: Failure;
  retry: () => void;
  sections: readonly LetterSectionDto[];
}

/** The id of what a colleague wants to be changed. */
export const COMMENTS = 'opmerkingen';

const SAVED = placeOf('brief-bewaard');

/** Keeps which letter this user saved in this tab: the service says only afterwards that they may not judge it. */
export const keepSaved = ({ briefId }: BriefDto) => sessionStorage.setItem(SAVED, briefId);

/** Forgets it: the letter is another one. */
export const forgetSaved = () => sessionStorage.removeItem(SAVED);

function mayJudgeThis({ briefId, drafterId, status }: BriefDto) {
  const isOwn = [drafterId, status.submittedBy].some((login) => login?.replace(/@.*/, '') === persona);
  return mayJudge && !isOwn && sessionStorage.getItem(SAVED) !== briefId;
}

/** Milliseconds after which a letter that waits for a colleague is read again. */
const WAIT = 5_000;

/**
 * Tells a user who can do nothing with the letter now that a colleague can, and calls `read` until that changes. Every
 * colleague can send an approved letter, so that one is read again too.
 */
export function Turn({ of: brief, read }: { of: BriefDto; read: () => unknown }) {
  const { tag } = brief.status;
  const isColleagueJudging = tag === 'submitted' && !mayJudgeThis(brief);
  const isColleagueWriting = mayJudge && !mayWrite && (tag === 'draft' || tag === 'rejected');
  const isWaiting = isColleagueJudging || isColleagueWriting || tag === 'approved';
  // In the console, which says itself when data change, it would fill the journal.
  useEffect(() => {
    if (!isWaiting || self !== top) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && navigator.onLine && read(), WAIT);
    return () => clearInterval(timer);
  }, [isWaiting, read]);
  if (isColleagueJudging)
    return (
      <Notice tone="info">
        {mayJudge
          ? 'U hebt deze brief zelf geschreven of voorgelegd. Een collega moet hem beoordelen.'
          : 'De brief ligt bij een collega. U kunt nu niets veranderen.'}
      </Notice>
    );
  if (!isColleagueWriting) return null;
  return (
    <Notice tone="info">
      De brief is {tag === 'draft' ? 'nog een concept' : 'afgekeurd'}. U kunt beoordelen zodra een collega de brief
      voorlegt.
    </Notice>
  );
}

interface ActionsProps {
  brief: BriefDto;
  passages: readonly LibraryPassageDto[];
  saver: Saver<LetterSectionDto[]>;
  /** the ids of the fields that are empty */
  blanks: readonly string[];
  /** true when the service said that this user may not judge the letter: `brief` does not have all its writers */
  isRefused: boolean;
  /** false for a letter before the decision, such as a question to the applicant */
  isDecision: boolean;
  setFailed: (failed: Failed | null) => void;
}

/** Shows the actions on the letter, each with `If-Match`: nobody approves a version that they have not seen. */
export function Actions({ brief, passages, saver, blanks, isRefused, isDecision, setFailed }: ActionsProps) {
  const [busy, setBusy] = useState(false);
  const [comments, setComments, forget] = useTyped('afkeuren', '');
  const [rejecting, setRejecting] = useState(comments !== '');
  const [isMissing, setMissing] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  // Each press is another object. The question stays in the page when it is closed: `close` comes later, maybe after the next press.
  useLayoutEffect(() => {
    if (asked) dialog.current?.showModal();
  }, [asked]);
  const tag = brief.status.tag;
  const canWrite = mayChange(tag);

  /** Saves the letter, calls the service, reads the letter again, and moves the focus to its status. */
  async function act(action: Failed['action'], isRetry = false) {
    setBusy(true);
    // The same failure is told again, but a retry does not take the focus from what the user does meanwhile.
    if (!isRetry) setFailed(null);
    await saver.save();
    // To begin again needs no text, and is a way out when the text cannot be saved.
    if (action !== 'reset' && !saver.isSaved.value) {
      setBusy(false);
      focusField(SAVE_STATE);
      return;
    }
    const options = { headers: { 'If-Match': saver.etag() } };
    const outcome = await outcomeOf(
      action === 'reject'
        ? client.POST('/brief/reject', { body: { comments }, ...options })
        : (client.POST(`/brief/${action}`, options) as ReturnType<typeof client.POST<'/brief/submit'>>),
    );
    setBusy(false);
    const sections = saver.value.value ?? [];
    setFailed(outcome.failure ? { action, failure: outcome.failure, retry: () => act(action, true), sections } : null);
    if (outcome.failure) {
      if (CHANGED.has(outcome.failure.problem.code ?? '')) await saver.open();
      return;
    }
    setRejecting(false);
    forget();
    if (action === 'reset') {
      saver.discard();
      forgetSaved();
    }
    await saver.open();
    // Not smoothly: the focus on a bar that stays in view would end that.
    scrollTo({ top: 0, behavior: 'instant' });
    focusField('status');
  }
  function reject() {
    const isEmpty = comments.trim() === '';
    setMissing(isEmpty);
    if (isEmpty) focusField('comments');
    else act('reject');
  }
  function setForm(isOpen: boolean) {
    setRejecting(isOpen);
    setMissing(false);
    focusField(isOpen ? 'comments' : 'afkeuren');
  }
  const mayDecide = tag === 'submitted' && mayJudgeThis(brief) && !isRefused;
  const next = mayDecide ? APPROVE : tag === 'approved' ? SEND : undefined;
  // A letter that waits for a judgement is not taken away: who judges it can reject it. `OtherLetter` begins the decision that
  // follows another letter.
  const mayBegin = mayWrite && (tag === 'sent' ? isDecision : tag !== 'submitted');
  const again = mayBegin ? (tag === 'sent' ? BEGIN_NEXT : BEGIN_AGAIN) : undefined;
  const edited = brief.sections.flatMap(({ blocks }) => blocks.filter((one) => one.edited));
  const isOwnText = ({ type, content }: LetterBlockDto) =>
    type === 'freeText' && content.paragraphs.some(({ nodes }) => nodes.length > 0);
  const withOwnText = brief.sections.filter(({ locked, blocks }) => !locked && blocks.some(isOwnText));
  const placeholders = new Map(brief.placeholders.map((one) => [one.key, one]));
  const typed = fillableIn(brief.sections, placeholders).map(([key, text]) => (
    <div key={key}>
      {placeholders.get(key)?.label}: {placeholderText(key, text, placeholders)}
    </div>
  ));
  const { addressee, onderwerp } = letterOf(brief, brief.sections);

  return (
    <div class="actions no-print">
      {rejecting && next === APPROVE ? (
        <>
          <TextArea
            id="comments"
            label="Wat moet er anders?"
            value={comments}
            error={isMissing ? 'Schrijf wat er anders moet.' : null}
            onInput={(text: string) => {
              setMissing(false);
              setComments(text);
            }}
          />
          <div class="buttons">
            <Button look="primary-action" busy={busy} onClick={reject}>
              Afkeuren
            </Button>
            <Button
              onClick={() => {
                forget();
                setForm(false);
              }}
            >
              Annuleren
            </Button>
          </div>
        </>
      ) : (
        <div class="buttons">
          {canWrite && (
            <Button look="primary-action" busy={busy} onClick={() => act('submit')}>
              Voorleggen ter beoordeling
            </Button>
          )}
          {canWrite && blanks[0] && (
            <FieldLink id={blanks[0]}>{blanks.length === 1 ? '1 plek' : `${blanks.length} plekken`} nog leeg</FieldLink>
          )}
          {canWrite && brief.status.comments && <FieldLink id={COMMENTS}>Lees wat er anders moet</FieldLink>}
          {next && (
            <Button look="primary-action" busy={busy} onClick={() => setAsked({ ...next })}>
              {next.name}
            </Button>
          )}
          {next === APPROVE && (
            <Button id="afkeuren" onClick={() => setForm(true)}>
              Afkeuren…
            </Button>
          )}
          {again && (
            <Button look="subtle" busy={busy} onClick={() => setAsked({ ...again })}>
              {again.name}
            </Button>
          )}
        </div>
      )}
      {asked && (
        <Confirm of={dialog} title={asked.title} yes={asked.yes} onYes={() => void act(asked.action)}>
          <Facts
            of={[
              ['Kenmerk', filledIn(brief.sections).get('referentie') ?? 'onbekend'],
              ['Geadresseerde', addressee.filter(Boolean).join(', ')],
              ['Onderwerp', onderwerp],
              ['Uitkomst', outcomeText(brief, passages)],
              asked.action === 'approve' && typed.length > 0 && ['Ingevuld door de opsteller', typed],
              asked.action === 'approve' && ['Aangepaste teksten', namesOf(edited, passages) || 'geen'],
              asked.action === 'approve' && [
                'Eigen tekst in',
                withOwnText.map(({ title }) => title).join(', ') || 'geen enkel deel',
              ],
              ...(asked.action === next?.action
                ? [['Datum', next === SEND ? dateText(today.value) : 'de dag waarop de brief wordt verzonden'] as const]
                : []),
            ]}
          />
          <p>{asked.text}</p>
        </Confirm>
      )}
    </div>
  );
}

/** An action that is asked first: the text of its button, and those of its question. */
type Asked = { action: 'approve' | 'send' | 'reset'; name: string; title: string; text: string; yes: string };

const APPROVE: Asked = {
  action: 'approve',
  name: 'Goedkeuren…',
  title: 'Wilt u deze brief goedkeuren?',
  text: 'Na de goedkeuring verandert de tekst niet meer. De brief is dan klaar om te verzenden.',
  yes: 'Ja, keur de brief goed',
};
const SEND: Asked = {
  action: 'send',
  name: 'Verzenden…',
  title: 'Wilt u deze brief verzenden?',
  text: 'De brief gaat nu naar de geadresseerde. U kunt dat niet terugdraaien.',
  yes: 'Ja, verzend de brief',
};
const BEGIN_AGAIN: Asked = {
  action: 'reset',
  name: 'Opnieuw beginnen…',
  title: 'Wilt u deze brief opnieuw beginnen?',
  text: 'De tekst van nu gaat weg. U begint met de standaardteksten.',
  yes: 'Ja, begin opnieuw',
};
const BEGIN_NEXT: Asked = {
  action: 'reset',
  name: 'Nieuwe brief beginnen…',
  title: 'Wilt u een nieuwe brief beginnen?',
  text: 'Deze brief is verzonden, en blijft zoals hij is. De nieuwe brief gaat over de zaak die het register nu geeft.',
  yes: 'Ja, begin een nieuwe brief',
};

/** Returns the outcome that a letter states: the names of the standard texts in its section `besluit`. */
function outcomeText({ sections }: BriefDto, passages: readonly LibraryPassageDto[]) {
  const decision = sections.find(({ sectionKey }) => sectionKey === 'besluit');
  if (decision === undefined) return 'geen: deze brief is geen besluit';
  return namesOf(decision.blocks, passages);
}

const namesOf = (blocks: readonly LetterBlockDto[], passages: readonly LibraryPassageDto[]) =>
  blocks.map((one) => nameOf(one, passages) ?? 'eigen tekst').join(', ');
