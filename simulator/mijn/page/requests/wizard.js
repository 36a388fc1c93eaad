import { html } from 'htm/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Failure, focusField } from '../calls/failure.js';
import { useChanged } from '../calls/outcome.js';
import { SAVE_STATE, SaveState } from '../forms/save-state.js';
import { useSubmit } from '../forms/submit.js';
import { Button, Screen } from '../parts.js';
import { go, replaceScreen } from '../router.js';
import { client } from '../session.js';
import { differences, draftSaver } from './draft.js';
import { useStepInAddress } from './step-address.js';
import { UnfinishedUploads, useUploads } from './uploads.js';

/** @import { Answers, Draft, DraftDocument } from './draft.js' */
/** @import { Uploads } from './uploads.js' */
/** @import { SubmitApplicationRequest } from 'zorgregister-bff/client' */

/**
 * The props of a step of an application. `set` changes some answers, and `setDocuments` changes the list of documents.
 * `uploads` are the files that are not uploaded yet. `faultOf` returns the error message of a field (null when it has
 * none), and `goTo` shows another step.
 * @typedef {object} StepProps
 * @property {Answers} answers
 * @property {(change: Partial<Answers>) => void} set
 * @property {(change: (before: readonly DraftDocument[]) => DraftDocument[]) => void} setDocuments
 * @property {Uploads} uploads
 * @property {(field: string) => string | null} faultOf
 * @property {(step: number) => void} goTo
 */
/**
 * A kind of application that the user fills in step by step. `check` returns the error messages of a step, keyed by the
 * id of the field. `body` returns what is submitted for the answers.
 * @typedef {object} WizardType
 * @property {'registratie' | 'herregistratie' | 'intake'} type
 * @property {string} title
 * @property {readonly { title: string, view: (props: StepProps) => unknown, check?: (answers: Answers) => Record<string, string> }[]} steps
 * @property {(answers: Answers) => Partial<SubmitApplicationRequest>} body
 * @property {(field: string) => number} stepOf returns the step of a field, counted from 0
 */

/**
 * Shows the current step of a draft application, and saves the draft while the user types.
 * @param {{ wizard: WizardType, id: string }} props `id`: the id of the draft
 */
export function Wizard({ wizard, id }) {
  const { type, title, steps } = wizard;
  const saver = useMemo(
    () => draftSaver(id, steps.length, ({ status }) => status?.tag !== 'Concept' && replaceScreen('aanvragen', id)),
    [id],
  );
  const [faults, setFaults] = useState(/** @type {Record<string, string>} */ ({}));
  const submission = useSubmit(
    `indienen:${id}`,
    (/** @type {Partial<SubmitApplicationRequest>} */ body, headers) =>
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

  /**
   * Opens the screen of the submitted application. `rest` are further segments of its address.
   * @param {...string} rest
   */
  function done(...rest) {
    saver.stop();
    replaceScreen('aanvragen', id, ...rest);
  }

  const now = saver.value.value;
  const state = saver.state.value;
  useStepInAddress({ type, id, stepIndex: now?.stepIndex, count: steps.length, show });
  const back = { to: ['aanvragen'], text: 'Mijn aanvragen' };
  if (now === undefined) {
    return html`<${Screen} title=${title} back=${back}>
      ${state.kind === 'unreadable' ? html`<${Failure} of=${state.failure} retry=${saver.open} />` : html`<p role="status">Uw concept laden…</p>`}
    <//>`;
  }

  const { draft: answers, stepIndex } = now;
  const { view: View, title: stepTitle, check } = /** @type {WizardType['steps'][number]} */ (steps[stepIndex]);
  const isLast = stepIndex === steps.length - 1;

  /** Replaces members of the draft, which is then saved. @param {Partial<Draft>} next */
  const change = (next) => {
    const before = /** @type {Draft} */ (saver.value.value);
    saver.change({ ...before, ...next });
  };
  /**
   * Shows a step as a new entry in the history of the browser.
   * @param {number} step counted from 0
   */
  function goTo(step) {
    go(type, id, String(step + 1));
    show(step);
  }
  /**
   * Shows a step with the focus on its heading, and removes the error messages of all fields.
   * @param {number} step counted from 0
   */
  function show(step) {
    submission.changed();
    setFaults({});
    change({ stepIndex: step });
    scrollTo(0, 0);
    focusField('stap');
    addEventListener('mousedown', ignoreDoubleClick, { once: true });
  }
  /** Changes some answers, and removes their error messages. @param {Partial<Answers>} some */
  function set(some) {
    submission.changed();
    setFaults((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in some))));
    change({ draft: { .../** @type {Draft} */ (saver.value.value).draft, ...some } });
  }
  /**
   * Changes the list of documents in the draft. A failed submission without the change is not sent again.
   * @param {(before: readonly DraftDocument[]) => DraftDocument[]} alter returns the new list
   */
  function setDocuments(alter) {
    submission.changed();
    const { draft, documentIds } = /** @type {Draft} */ (saver.value.value);
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
   * @param {Event} event
   */
  async function next(event) {
    event.preventDefault();
    const found = check?.(answers) ?? {};
    setFaults(found);
    const [first] = Object.keys(found);
    if (first !== undefined) focusField(first);
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
   * @param {string} pointer JSON Pointer in the error
   */
  function fieldOf(pointer) {
    const [, member = '', index] = pointer.split('/');
    if (member !== 'documents') return member === '' ? null : member;
    const named = answers.documenten[Number(index ?? Number.NaN)]?.categoryId;
    return named === undefined ? 'documenten' : `documenten-${named}`;
  }

  return html`<${Screen} title=${title} step=${`Stap ${stepIndex + 1} van ${steps.length}: ${stepTitle}`} back=${back}>
    <${Steps} steps=${steps} now=${stepIndex} goTo=${goTo} />
    <${SaveState} saver=${saver} compare=${differences} />
    <form class="panel wizard" novalidate onSubmit=${next} aria-labelledby="stap">
      <h2 class="utrecht-heading-2" id="stap" tabindex="-1"><span class="small">Stap ${stepIndex + 1} van ${steps.length}</span>${stepTitle}</h2>
      <${View} answers=${answers} set=${set} setDocuments=${setDocuments} uploads=${uploads} faultOf=${(/** @type {string} */ field) => faults[field] ?? null} goTo=${goTo} />
      ${isLast && html`<${UnfinishedUploads} uploads=${uploads} />`}
      <${Failure} of=${submission.failure} retry=${uploads.areInProgress ? undefined : submission.retry} fieldOf=${fieldOf} takesFocus open=${(/** @type {string} */ field) => goTo(wizard.stepOf(field))} />
      <div class="buttons">
        ${stepIndex > 0 && html`<${Button} onClick=${() => goTo(stepIndex - 1)}>Vorige<//>`}
        <${Button} key=${stepIndex} type="submit" look="primary-action" busy=${submission.busy} onClick=${ignoreDoubleClick}>${isLast ? (submission.busy ? 'Wordt ingediend…' : 'Indienen') : 'Volgende'}<//>
      </div>
    </form>
    <div class="buttons buttons--quiet no-print">
      <${Button} look="subtle" onClick=${async () => {
        await saver.save();
        go('aanvragen');
      }}>Later verder<//>
      <${Button} look="subtle" danger onClick=${() => confirm('Wilt u dit concept en de documenten erbij weggooien?') && removal.submit(type)}>Concept weggooien<//>
    </div>
    <${Failure} of=${removal.failure} retry=${removal.retry} takesFocus />
  <//>`;
}

/**
 * Ignores the second click of a double click: it would press the button of the step that the first click opened, or take
 * the focus from the heading of that step.
 * @param {Event} event
 */
function ignoreDoubleClick(event) {
  if (/** @type {MouseEvent} */ (event).detail > 1) event.preventDefault();
}

/**
 * Shows the names of the steps. An earlier step has a button that opens it.
 * @param {{ steps: readonly { title: string }[], now: number, goTo: (step: number) => void }} props
 */
function Steps({ steps, now, goTo }) {
  return html`<nav aria-label="Stappen" class="no-print"><ol class="steps">${steps.map(
    (
      { title },
      step,
    ) => html`<li key=${title} class=${`steps__step ${step < now ? 'steps__step--done' : ''} ${step === now ? 'steps__step--now' : ''}`}
      aria-current=${step === now ? 'step' : undefined}>
      <span class="steps__mark" aria-hidden="true">${step < now ? '✓' : step + 1}</span>
      ${step < now ? html`<button type="button" class="utrecht-link-button utrecht-link-button--html-button" onClick=${() => goTo(step)}>${title}<span class="visually-hidden"> (klaar)</span></button>` : html`<span>${title}</span>`}
    </li>`,
  )}</ol></nav>`;
}

/**
 * Returns the state and the functions of `useSubmit` for the call that creates a draft application. When the call
 * succeeds, the first step of the application opens.
 * @param {'registratie' | 'herregistratie' | 'intake'} type
 */
export const useStart = (type) =>
  useSubmit(
    `concept:${type}`,
    (/** @type {{ type: typeof type }} */ body, headers) => client.POST('/applications', { body, headers }),
    ({ id }) => go(type, id ?? ''),
  );
