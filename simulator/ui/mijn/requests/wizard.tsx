import type { RefObject, RenderableProps } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SubmitApplicationRequest } from 'zorgregister-bff/client';
import { About, Alert, Button, Confirm, type Fact, Facts, MessageTitle } from '../../components/parts.tsx';
import { Failure, FieldLink, focusField } from '../calls/failure.tsx';
import { useCall, useChanged } from '../calls/outcome.ts';
import { SAVE_STATE, SaveState } from '../forms/save-state.tsx';
import type { Saver } from '../forms/saver.ts';
import { useSubmit } from '../forms/submit.ts';
import { ForRelatives, Loading, Notice, Screen } from '../parts.tsx';
import { isDeceased } from '../possible.ts';
import { go, goToStep, replaceScreen, replaceSteps, ScreenContext } from '../router.ts';
import { client } from '../session.ts';
import { capital } from '../words.ts';
import { UnfinishedUploads, type Uploads, useUploads } from './documents.tsx';
import { type Answers, answersIn, type Draft, type DraftDocument, differences, draftSaver } from './draft.ts';
import type { Step, WizardType } from './kinds.tsx';

/** Shows the current step of a draft application, and saves the draft while the user types. */
export function Wizard({ wizard, id }: { wizard: WizardType; id: string }) {
  const { type, title } = wizard;
  const isSubmitting = useRef(false);
  const saver = useMemo(
    () =>
      draftSaver(id, (found) => {
        // This page shows the confirmation itself, when it has the answer.
        if (found.status.tag !== 'Concept' && !isSubmitting.current) replaceScreen('aanvragen', id);
        if (found.status.tag === 'Concept' && found.type !== type) replaceScreen(found.type, id);
      }),
    [id, type],
  );
  useEffect(() => {
    saver.open();
    return () => void saver.save();
  }, [saver]);
  useChanged(saver.refresh);
  const now = saver.value.value;
  const steps = wizard.useSteps(now?.draft ?? answersIn(null));
  const { person, registration } = useCall((signal) => client.GET('/dashboard-view', { signal })).data ?? {};
  const state = saver.state.value;
  if (now !== undefined && !isDeceased(registration))
    return (
      <DraftForm
        {...{ wizard, id, saver, now, steps, isSubmitting }}
        name={person?.naam ?? registration?.naam}
        profession={wizard.namesProfession ? registration?.beroep : undefined}
      />
    );
  return (
    <Screen title={title} back={BACK}>
      {isDeceased(registration) ? (
        <ForRelatives />
      ) : state.kind === 'unreadable' ? (
        <Failure of={state.failure} retry={saver.open} />
      ) : (
        <Loading>Uw concept laden…</Loading>
      )}
    </Screen>
  );
}

const BACK = { to: ['aanvragen'], text: 'Mijn aanvragen' };

type DraftFormProps = {
  wizard: WizardType;
  id: string;
  saver: Saver<Draft>;
  now: Draft;
  steps: readonly Step[];
  isSubmitting: RefObject<boolean>;
  name: string | null | undefined;
  profession: string | undefined;
};

function DraftForm({ wizard, id, saver, now, steps, isSubmitting, name, profession }: DraftFormProps) {
  const { type, title } = wizard;
  const answers = now.draft;
  const titles = [...steps.map((step) => step.title), 'Controleren'];
  // The fields whose errors are shown, as long as they have one.
  const [reported, setReported] = useState<readonly string[]>([]);
  // True when the last attempt to submit sent nothing, because the draft could not be saved first.
  const [isHeld, setHeld] = useState(false);
  const submission = useSubmit(
    `indienen:${id}`,
    (body: Partial<SubmitApplicationRequest>, headers) =>
      client.POST('/applications/{id}/submit', { params: { id }, body, headers }),
    () => done('ontvangen'),
  );
  isSubmitting.current = submission.busy;
  const uploads = useUploads(type, (document) => setDocuments((before) => [...before, document]));
  // The request was submitted in another tab, or by an attempt whose answer was lost: shows it as submitted.
  useEffect(() => {
    if (submission.failure?.problem.code === 'aanvraag-al-ingediend') done();
  }, [submission.failure]);
  useStepInAddress([type, id], now.stepIndex, titles.length, show);

  function done(...rest: string[]) {
    saver.stop();
    replaceSteps('aanvragen', id, ...rest);
  }

  // The last step for a draft of more steps, such as one from another page.
  const indexOf = (draft: Draft) => Math.min(draft.stepIndex, steps.length);
  const stepIndex = indexOf(now);
  const isLast = stepIndex === steps.length;
  /** Returns the errors of a step, without those of documents that are being uploaded. */
  const faultsOf = (step: number) =>
    Object.fromEntries(
      Object.entries(steps[step]?.faults ?? {}).filter(
        ([field]) => !uploads.list.some(({ categoryId, failure }) => !failure && field === `documenten-${categoryId}`),
      ),
    );
  const faults = Object.fromEntries(Object.entries(faultsOf(stepIndex)).filter(([field]) => reported.includes(field)));
  const faultOf = (field: string) => faults[field] ?? null;
  const { status = 0 } = submission.failure?.problem ?? {};
  const isRefused = status >= 400 && status < 500 && status !== 401;

  function change(next: Partial<Draft>) {
    const draft = saver.value.value as Draft;
    saver.change({ ...draft, stepIndex: indexOf(draft), stepCount: titles.length, ...next });
  }
  /** Shows a step, from 0, as a new entry in the history of the browser. */
  function goTo(step: number) {
    goToStep(type, id, String(step + 1));
    show(step);
  }
  function show(step: number) {
    // A failure without errors of fields is sent again by itself: not from another step.
    submission.changed(() => false);
    setReported([]);
    setHeld(false);
    change({ stepIndex: step });
    scrollTo(0, 0);
    focusField('stap');
    addEventListener('mousedown', ignoreDoubleClick, { once: true });
  }
  function set(some: Partial<Answers>) {
    submission.changed((pointer) => {
      const field = fieldOf(pointer);
      return field === null || field in some || some.antwoorden?.[field] !== undefined;
    });
    change({ draft: { ...(saver.value.value as Draft).draft, ...some } });
  }
  /** Changes the documents, and removes the errors of the service about the categories that change. */
  function setDocuments(alter: (before: readonly DraftDocument[]) => DraftDocument[]) {
    const { draft, documentIds } = saver.value.value as Draft;
    const documenten = alter(draft.documenten);
    const changed = [...draft.documenten, ...documenten]
      .filter((one) => !draft.documenten.includes(one) || !documenten.includes(one))
      .map(({ categoryId }) => `documenten-${categoryId}`);
    submission.changed((pointer) => {
      const field = fieldOf(pointer);
      return field === null || field === 'documenten' || changed.includes(field);
    });
    const known = new Set(draft.documenten.map(({ documentId }) => documentId));
    // Documents that another page put in the draft stay.
    const others = documentIds.filter((one) => !known.has(one));
    change({
      draft: { ...draft, documenten },
      documentIds: [...others, ...documenten.flatMap(({ documentId }) => documentId ?? [])],
    });
  }
  /** Opens the next step when this one has no errors; after the last one, saves and submits the draft. */
  async function next(event: Event) {
    event.preventDefault();
    const checked = isLast ? steps.map((_, step) => step) : [stepIndex];
    const wrong = checked.find((step) => Object.keys(faultsOf(step)).length > 0);
    if (wrong !== undefined) {
      if (isLast) goTo(wrong);
      setReported(Object.keys(faultsOf(wrong)));
      focusField(SUMMARY);
    } else if (!isLast) goTo(stepIndex + 1);
    else if (uploads.areInProgress) focusField('uploads');
    else {
      // The service does not say later which registration the request was about.
      if (profession) change({ draft: { ...answers, beroep: profession } });
      await saver.save();
      setHeld(!saver.isSaved.value);
      if (saver.isSaved.value) await submission.submit(wizard.body(answers));
      else focusField(SAVE_STATE);
    }
  }
  /** Returns the id of the field of an error of the service; null when it is about the whole application. */
  function fieldOf(pointer: string) {
    const [, member = '', index] = pointer.split('/');
    if (member !== 'documents') return member === '' ? null : member;
    // In the documents that were sent: those of the draft may have changed since.
    const named = submission.body?.documents?.[Number(index ?? Number.NaN)]?.categoryId;
    return named ? `documenten-${named}` : 'documenten';
  }

  return (
    <Screen
      title={title}
      step={`Stap ${stepIndex + 1} van ${titles.length}: ${titles[stepIndex]}`}
      isWrong={isRefused || Object.keys(faults).length > 0}
      back={BACK}
    >
      <Steps
        titles={titles}
        now={stepIndex}
        goTo={goTo}
        isDone={(step) => Object.keys(steps[step]?.faults ?? { unknown: '' }).length === 0}
      />
      <SaveState saver={saver} compare={differences} />
      {isHeld && (
        <Alert tone="warning" title="Uw aanvraag is nog niet ingediend" role="alert">
          <p>
            {saver.isSaved.value
              ? 'Uw antwoorden zijn bewaard. Druk opnieuw op ‘Indienen’.'
              : 'Eerst moeten uw antwoorden bewaard zijn: kijk hierboven. Druk daarna opnieuw op ‘Indienen’.'}
          </p>
        </Alert>
      )}
      <form class="panel wizard" noValidate onSubmit={next} aria-labelledby="stap">
        <h2 class="utrecht-heading-2" id="stap" tabindex={-1}>
          <span class="small">
            Stap {stepIndex + 1} van {titles.length}
          </span>
          {titles[stepIndex]}
        </h2>
        <ErrorSummary of={faults} />
        <MessageTitle.Provider key={stepIndex} value="h3">
          {wizard.notice?.()}
          {isLast ? (
            <CheckAnswers
              applicant={[name && ['Naam', name], profession && ['Beroep', capital(profession)]]}
              titles={titles}
              steps={steps}
              goTo={goTo}
            />
          ) : (
            steps[stepIndex]?.view({ answers, set, setDocuments, uploads, faultOf })
          )}
        </MessageTitle.Provider>
        {isLast && <UnfinishedUploads uploads={uploads} />}
        <Failure
          of={submission.failure}
          retry={uploads.areInProgress ? undefined : submission.retry}
          fieldOf={fieldOf}
          takesFocus
          open={(field: string) => goTo(titles.indexOf(wizard.stepOf(field)))}
        >
          {!isRefused && <p>Uw antwoorden zijn bewaard. Uw aanvraag is pas ingediend als u een kenmerk ziet.</p>}
        </Failure>
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
      <DraftButtons key={stepIndex} id={id} saver={saver} uploads={uploads} />
    </Screen>
  );
}

/**
 * Keeps the step, from 0, in the address of the draft (`#/herregistratie/<id>/<step>`, from 1), and calls `show` with the
 * step that Back and Forward of the browser ask for.
 */
function useStepInAddress(
  draft: [type: string, id: string],
  step: number,
  count: number,
  show: (step: number) => void,
) {
  const asked = Number(useContext(ScreenContext).address[2]) - 1;
  const lastAsked = useRef(asked);
  // Before the browser handles Back: an effect after the paint would overwrite the address of the step before.
  useLayoutEffect(() => {
    const isNew = asked !== lastAsked.current && Number.isInteger(asked) && asked >= 0 && asked < count;
    lastAsked.current = asked;
    if (step === asked) return;
    if (isNew) show(asked);
    else replaceScreen(...draft, String(step + 1));
  }, [step, asked]);
}

/** Shows the buttons to go on later with a draft, which asks when a file is not sent yet, and to throw it away after a question. */
function DraftButtons({ id, saver, uploads }: Pick<DraftFormProps, 'id' | 'saver'> & { uploads: Uploads }) {
  const question = useRef<HTMLDialogElement>(null);
  const leaving = useRef<HTMLDialogElement>(null);
  const removal = useSubmit(
    `weg:${id}`,
    () => client.DELETE('/applications/{id}', { params: { id } }),
    () => {
      saver.stop();
      go('aanvragen');
    },
  );
  async function leave() {
    await saver.save();
    go('aanvragen');
  }
  return (
    <>
      <div class="buttons buttons--quiet no-print">
        <Button look="subtle" onClick={() => (uploads.areUnsent ? leaving.current?.showModal() : leave())}>
          Later verder
        </Button>
        <Button look="subtle" danger onClick={() => question.current?.showModal()}>
          Concept weggooien
        </Button>
      </div>
      <Confirm of={leaving} title="Wilt u later verdergaan?" yes="Ja, ga weg" onYes={() => void leave()}>
        <p>Nog niet verstuurd: {uploads.list.map(({ file }) => file.name).join(', ')}.</p>
        <p>Als u nu weggaat, moet u dat later misschien opnieuw kiezen.</p>
      </Confirm>
      <Confirm
        of={question}
        title="Wilt u dit concept weggooien?"
        yes="Ja, gooi het weg"
        danger
        onYes={() => void removal.submit(id)}
      >
        <p>Uw antwoorden en de documenten erbij gaan weg. U kunt dat niet terugdraaien.</p>
      </Confirm>
      <Failure of={removal.failure} retry={removal.retry} takesFocus />
    </>
  );
}

/**
 * Ignores the second click of a double click: it would press the button of the step that the first click opened, or take
 * the focus from the heading of that step.
 */
function ignoreDoubleClick(event: Event) {
  if ((event as MouseEvent).detail > 1) event.preventDefault();
}

const SUMMARY = 'fouten';

function ErrorSummary({ of }: { of: Record<string, string> }) {
  const faults = Object.entries(of);
  const [names, setNames] = useState<readonly string[]>([]);
  // The fields are drawn after this list, and a choice of a file is not on the page during an upload.
  useLayoutEffect(() => {
    const found = faults.map(([field]) => nameOf(field));
    if (found.join() !== names.join()) setNames(found);
  });
  if (faults.length === 0) return null;
  return (
    <div id={SUMMARY} tabindex={-1}>
      <Alert tone="negative" title="Er ontbreekt iets, of er klopt iets niet" role="alert">
        <ul class="failure__faults">
          {faults.map(([field, message], index) => (
            <li key={field}>
              <FieldLink id={field}>
                {names[index]} {message}
              </FieldLink>
            </li>
          ))}
        </ul>
      </Alert>
    </div>
  );
}

/** Returns the name of a field on the page, with a colon or a question mark; empty without one. */
function nameOf(field: string) {
  const name =
    (document.getElementById(field) ?? document.getElementById(`${field}-kop`))
      ?.closest('fieldset, .document')
      ?.querySelector('legend, h3') ?? document.querySelector(`label[for="${CSS.escape(field)}"]`);
  const text = name?.textContent ?? '';
  return text === '' || /[?:.]$/.test(text) ? text : `${text}:`;
}

const LinkButton = (props: RenderableProps<{ onClick: () => void }>) => (
  <button type="button" class="utrecht-link-button utrecht-link-button--html-button" {...props} />
);

type TitlesProps = { titles: readonly string[]; goTo: (step: number) => void };
type StepsProps = TitlesProps & { now: number; isDone: (step: number) => boolean };

function Steps({ titles, now, goTo, isDone }: StepsProps) {
  return (
    <nav aria-label="Stappen" class="no-print">
      <ol class="steps">
        {titles.map((title, step) => (
          <li
            key={title}
            class={`steps__step ${step < now && isDone(step) ? 'steps__step--done' : ''} ${step === now ? 'steps__step--now' : ''}`}
            aria-current={step === now ? 'step' : undefined}
          >
            <span class="steps__mark" aria-hidden="true">
              {step < now && isDone(step) ? '' : step + 1}
            </span>
            {step < now ? (
              <LinkButton onClick={() => goTo(step)}>
                {title}
                {isDone(step) && <About>(klaar)</About>}
              </LinkButton>
            ) : (
              <span>{title}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

type CheckAnswersProps = TitlesProps & { applicant: readonly Fact[]; steps: readonly Step[] };

/** Shows the last step, with a button to each step that has answers. */
const CheckAnswers = ({ applicant, titles, steps, goTo }: CheckAnswersProps) => (
  <>
    <p class="utrecht-paragraph">Kijk of alles klopt. Na het indienen kunt u niets meer veranderen.</p>
    {applicant.some(Boolean) && (
      <section class="summary">
        <div class="head">
          <h3 class="utrecht-heading-3">Wie vraagt aan</h3>
        </div>
        <Facts of={applicant} />
      </section>
    )}
    {steps.map(
      ({ facts, faults = {} }, step) =>
        facts.length > 0 && (
          <section class="summary" key={titles[step]}>
            <div class="head">
              <h3 class="utrecht-heading-3">{titles[step]}</h3>
              <LinkButton onClick={() => goTo(step)}>
                {Object.keys(faults).length > 0 ? 'Vul aan' : 'Wijzig'}
                <About>{titles[step]}</About>
              </LinkButton>
            </div>
            {Object.keys(faults).length > 0 && (
              <p class="utrecht-form-field-error-message">Deze stap is nog niet klaar. U kunt nog niet indienen.</p>
            )}
            <Facts of={facts} />
          </section>
        ),
    )}
    <Notice tone="info">Met ‘Indienen’ zegt u dat u alles naar waarheid hebt ingevuld.</Notice>
  </>
);
