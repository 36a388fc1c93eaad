import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SubmitApplicationRequest } from 'zorgregister-bff/client';
import { Alert, Button } from '../../components/parts.tsx';
import { Failure, FieldLink, focusField } from '../calls/failure.tsx';
import { useChanged } from '../calls/outcome.ts';
import { SAVE_STATE, SaveState } from '../forms/save-state.tsx';
import { useSubmit } from '../forms/submit.ts';
import { Screen } from '../parts.tsx';
import { go, replaceScreen } from '../router.ts';
import { client } from '../session.ts';
import type { Answers, Draft, DraftDocument } from './draft.ts';
import { differences, draftSaver } from './draft.ts';
import { useStepInAddress } from './step-address.ts';
import type { Uploads } from './uploads.tsx';
import { UnfinishedUploads, useUploads } from './uploads.tsx';

/**
 * The props of a step of an application. `set` changes some answers, and `setDocuments` changes the list of documents.
 * `uploads` are the files that are not uploaded yet. `faultOf` returns the error message of a field (null when it has
 * none), and `goTo` shows another step. A step tells with `setMissing` which fields still need an answer: a message for
 * each, keyed by the id of the field.
 */
export interface StepProps {
  answers: Answers;
  set: (change: Partial<Answers>) => void;
  setDocuments: (change: (before: readonly DraftDocument[]) => DraftDocument[]) => void;
  uploads: Uploads;
  faultOf: (field: string) => string | null;
  goTo: (step: number) => void;
  setMissing: (missing: Record<string, string>) => void;
}

/** The message of a question without an answer. */
export const UNANSWERED = 'Beantwoord deze vraag.';

/**
 * A kind of application that the user fills in step by step. `check` returns the error messages of a step, keyed by the
 * id of the field. `body` returns what is submitted for the answers.
 */
export interface WizardType {
  type: 'registratie' | 'herregistratie' | 'intake';
  title: string;
  steps: readonly {
    title: string;
    view: (props: StepProps) => ComponentChildren;
    check?: (answers: Answers) => Record<string, string>;
  }[];
  body: (answers: Answers) => Partial<SubmitApplicationRequest>;
  /** returns the step of a field, counted from 0 */
  stepOf: (field: string) => number;
}

/**
 * Shows the current step of a draft application, and saves the draft while the user types.
 * @param props `id`: the id of the draft
 */
export function Wizard({ wizard, id }: { wizard: WizardType; id: string }) {
  const { type, title, steps } = wizard;
  const saver = useMemo(
    () => draftSaver(id, steps.length, ({ status }) => status?.tag !== 'Concept' && replaceScreen('aanvragen', id)),
    [id],
  );
  const [faults, setFaults] = useState<Record<string, string>>({});
  // What the shown step asks is known only when it is loaded.
  const missing = useRef<Record<string, string>>({});
  const submission = useSubmit(
    `indienen:${id}`,
    (body: Partial<SubmitApplicationRequest>, headers) =>
      client.POST('/applications/{id}/submit', { params: { id }, body, headers }),
    () => done('ontvangen'),
  );
  const removal = useSubmit(
    `weg:${id}`,
    () => client.DELETE('/applications/{id}', { params: { id } }),
    () => {
      saver.stop();
      go('aanvragen');
    },
  );
  const uploads = useUploads(type, (document) => setDocuments((before) => [...before, document]));
  useEffect(() => {
    saver.open();
    return () => void saver.save();
  }, [saver]);
  useChanged(saver.refresh);
  // The request was submitted in another tab, or by an attempt whose answer was lost: shows it as submitted.
  useEffect(() => {
    if (submission.failure?.problem.code === 'aanvraag-al-ingediend') done();
  }, [submission.failure]);

  /** Opens the screen of the submitted application. `rest` are further segments of its address. */
  function done(...rest: string[]) {
    saver.stop();
    replaceScreen('aanvragen', id, ...rest);
  }

  const now = saver.value.value;
  const state = saver.state.value;
  useStepInAddress({ type, id, stepIndex: now?.stepIndex, count: steps.length, show });
  const back = { to: ['aanvragen'], text: 'Mijn aanvragen' };
  if (now === undefined) {
    return (
      <Screen title={title} back={back}>
        {state.kind === 'unreadable' ? (
          <Failure of={state.failure} retry={saver.open} />
        ) : (
          <p role="status">Uw concept laden…</p>
        )}
      </Screen>
    );
  }

  const { draft: answers, stepIndex } = now;
  const { view: View, title: stepTitle, check } = steps[stepIndex] as WizardType['steps'][number];
  const isLast = stepIndex === steps.length - 1;

  /** Replaces members of the draft, which is then saved. */
  const change = (next: Partial<Draft>) => {
    const before = saver.value.value as Draft;
    saver.change({ ...before, ...next });
  };
  /**
   * Shows a step as a new entry in the history of the browser.
   * @param step counted from 0
   */
  function goTo(step: number) {
    go(type, id, String(step + 1));
    show(step);
  }
  /**
   * Shows a step with the focus on its heading, and removes the error messages of all fields.
   * @param step counted from 0
   */
  function show(step: number) {
    // A failure without errors of fields is sent again by itself: not from another step.
    submission.changed(() => false);
    setFaults({});
    missing.current = {};
    change({ stepIndex: step });
    scrollTo(0, 0);
    focusField('stap');
    addEventListener('mousedown', ignoreDoubleClick, { once: true });
  }
  /** Changes some answers, and removes their error messages. */
  function set(some: Partial<Answers>) {
    const isMended = (field: string | null) =>
      field === null || field in some || some.antwoorden?.[field] !== undefined;
    submission.changed((pointer) => isMended(fieldOf(pointer)));
    setFaults((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !isMended(field))));
    change({ draft: { ...(saver.value.value as Draft).draft, ...some } });
  }
  /**
   * Changes the list of documents in the draft. A failed submission without the change is not sent again.
   * @param alter returns the new list
   */
  function setDocuments(alter: (before: readonly DraftDocument[]) => DraftDocument[]) {
    submission.changed((pointer) => fieldOf(pointer)?.startsWith('documenten') ?? true);
    setFaults((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !field.startsWith('documenten'))),
    );
    const { draft, documentIds } = saver.value.value as Draft;
    const documenten = alter(draft.documenten);
    const known = new Set(draft.documenten.map(({ documentId }) => documentId));
    // Documents that another page put in the draft stay.
    const others = documentIds.filter((one) => !known.has(one));
    change({
      draft: { ...draft, documenten },
      documentIds: [...others, ...documenten.flatMap(({ documentId }) => documentId ?? [])],
    });
  }
  /**
   * Checks the answers of this step, and moves the focus to the first error. Without errors, opens the next step; after
   * the last step, saves the draft and submits the application, unless a file is still being uploaded. Moves the focus to
   * the message of a save that did not succeed.
   */
  async function next(event: Event) {
    event.preventDefault();
    const found = { ...check?.(answers), ...missing.current };
    const [first] = Object.keys(found);
    const earlier = isLast ? steps.findIndex((step) => Object.keys(step.check?.(answers) ?? {}).length > 0) : -1;
    if (earlier >= 0) goTo(earlier);
    else if (first !== undefined && isLast) goTo(wizard.stepOf(first));
    setFaults(earlier >= 0 ? (steps[earlier]?.check?.(answers) ?? {}) : found);
    if (earlier >= 0 || first !== undefined) focusField(SUMMARY);
    else if (!isLast) goTo(stepIndex + 1);
    else if (uploads.areInProgress) focusField('uploads');
    else {
      await saver.save();
      if (saver.isSaved.value) await submission.submit(wizard.body(answers));
      else focusField(SAVE_STATE);
    }
  }
  /**
   * Returns the id of the field to which an error of the service belongs; null when the error is about the whole
   * application.
   * @param pointer JSON Pointer in the error
   */
  function fieldOf(pointer: string) {
    const [, member = '', index] = pointer.split('/');
    if (member !== 'documents') return member === '' ? null : member;
    const named = answers.documenten[Number(index ?? Number.NaN)]?.categoryId;
    return named === undefined ? 'documenten' : `documenten-${named}`;
  }

  return (
    <Screen
      title={title}
      step={`${Object.keys(faults).length > 0 ? 'Fout: ' : ''}Stap ${stepIndex + 1} van ${steps.length}: ${stepTitle}`}
      back={back}
    >
      <Steps
        steps={steps}
        now={stepIndex}
        goTo={goTo}
        isDone={(step) => Object.keys(steps[step]?.check?.(answers) ?? {}).length === 0}
      />
      <SaveState saver={saver} compare={differences} />
      <form class="panel wizard" novalidate onSubmit={next} aria-labelledby="stap">
        <h2 class="utrecht-heading-2" id="stap" tabindex={-1}>
          <span class="small">
            Stap {stepIndex + 1} van {steps.length}
          </span>
          {stepTitle}
        </h2>
        <ErrorSummary of={faults} />
        <View
          answers={answers}
          set={set}
          setDocuments={setDocuments}
          uploads={uploads}
          faultOf={(field: string) => faults[field] ?? null}
          goTo={goTo}
          setMissing={(found) => {
            missing.current = found;
          }}
        />
        {isLast && <UnfinishedUploads uploads={uploads} />}
        <Failure
          of={submission.failure}
          retry={uploads.areInProgress ? undefined : submission.retry}
          fieldOf={fieldOf}
          takesFocus
          open={(field: string) => goTo(wizard.stepOf(field))}
        />
        <div class="buttons">
          {stepIndex > 0 && <Button onClick={() => goTo(stepIndex - 1)}>Vorige</Button>}
          <Button
            key={stepIndex}
            type="submit"
            look="primary-action"
            busy={submission.busy}
            onClick={ignoreDoubleClick}
          >
            {isLast ? (submission.busy ? 'Wordt ingediend…' : 'Indienen') : 'Volgende'}
          </Button>
        </div>
      </form>
      <div class="buttons buttons--quiet no-print">
        <Button
          look="subtle"
          onClick={async () => {
            await saver.save();
            go('aanvragen');
          }}
        >
          Later verder
        </Button>
        <Button
          look="subtle"
          danger
          onClick={() => confirm('Wilt u dit concept en de documenten erbij weggooien?') && removal.submit(type)}
        >
          Concept weggooien
        </Button>
      </div>
      <Failure of={removal.failure} retry={removal.retry} takesFocus />
    </Screen>
  );
}

/**
 * Ignores the second click of a double click: it would press the button of the step that the first click opened, or take
 * the focus from the heading of that step.
 */
function ignoreDoubleClick(event: Event) {
  if ((event as MouseEvent).detail > 1) event.preventDefault();
}

/** The id of the summary of the errors. */
const SUMMARY = 'fouten';

/** Shows the errors of a step above its fields, each as a link to its field; nothing without errors. */
function ErrorSummary({ of }: { of: Record<string, string> }) {
  const faults = Object.entries(of);
  if (faults.length === 0) return null;
  return (
    <div id={SUMMARY} tabindex={-1}>
      <Alert tone="negative" title="Er ontbreekt iets, of er klopt iets niet" role="alert">
        <ul class="failure__faults">
          {faults.map(([field, message]) => (
            <li key={field}>
              <FieldLink id={field}>{labelOf(field, message)}</FieldLink>
            </li>
          ))}
        </ul>
      </Alert>
    </div>
  );
}

/** Returns the message with the name of its field before it, as the page shows that name. */
function labelOf(field: string, message: string) {
  const control = document.getElementById(field);
  const name =
    control?.closest('fieldset')?.querySelector('legend') ??
    document.querySelector(`label[for="${CSS.escape(field)}"]`);
  return name ? `${name.textContent} ${message}` : message;
}

interface StepsProps {
  steps: readonly { title: string }[];
  now: number;
  goTo: (step: number) => void;
  isDone: (step: number) => boolean;
}

/** Shows the names of the steps. An earlier step has a button that opens it. */
function Steps({ steps, now, goTo, isDone }: StepsProps) {
  return (
    <nav aria-label="Stappen" class="no-print">
      <ol class="steps">
        {steps.map(({ title }, step) => (
          <li
            key={title}
            class={`steps__step ${step < now && isDone(step) ? 'steps__step--done' : ''} ${step === now ? 'steps__step--now' : ''}`}
            aria-current={step === now ? 'step' : undefined}
          >
            <span class="steps__mark" aria-hidden="true">
              {step < now && isDone(step) ? '✓' : step + 1}
            </span>
            {step < now ? (
              <button
                type="button"
                class="utrecht-link-button utrecht-link-button--html-button"
                onClick={() => goTo(step)}
              >
                {title}
                {isDone(step) && <span class="visually-hidden"> (klaar)</span>}
              </button>
            ) : (
              <span>{title}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/**
 * Returns the state and the functions of `useSubmit` for the call that creates a draft application. When the call
 * succeeds, the first step of the application opens.
 */
export const useStart = (type: 'registratie' | 'herregistratie' | 'intake') =>
  useSubmit(
    `concept:${type}`,
    (body: { type: typeof type }, headers) => client.POST('/applications', { body, headers }),
    ({ id }) => go(type, id ?? ''),
  );
