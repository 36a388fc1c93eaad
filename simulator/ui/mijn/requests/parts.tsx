import type { ComponentChildren } from 'preact';
import type { CreateApplicationRequest } from 'zorgregister-bff/client';
import { Alert, type Fact, Facts } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import { client } from '../session.ts';
import { Documents } from './documents.tsx';
import type { Answers, DraftDocument } from './draft.ts';
import type { StepProps } from './wizard.tsx';

/**
 * Returns the query of `GET /uploads/categories`, which lists the documents that an application with these answers
 * needs.
 */
const situationOf = (wizardId: CreateApplicationRequest['type'], { diplomaHerkomst, taalvaardigheid }: Answers) => ({
  wizardId,
  ...(wizardId === 'registratie' && diplomaHerkomst && { diplomaHerkomst }),
  ...(wizardId === 'registratie' && diplomaHerkomst !== 'duo' && taalvaardigheid && { taalvaardigheid }),
});

/**
 * Returns a component that shows the documents step of an application. `useNeeded` is a hook with the ids of the
 * categories that are required because of the answers; the service does not know these answers before the submission.
 */
export const documentsStep = (
  wizardId: CreateApplicationRequest['type'],
  useNeeded: (answers: Answers) => readonly string[] = () => [],
): ((props: StepProps) => ComponentChildren) =>
  function DocumentsStep({ answers, setDocuments, uploads, faultOf }) {
    const needed = useNeeded(answers);
    const query = situationOf(wizardId, answers);
    const categories = useCall((signal) => client.GET('/uploads/categories', { query, signal }), JSON.stringify(query));
    return (
      <>
        <p class="utrecht-paragraph" id="documenten" tabindex={-1}>
          Een foto of scan is goed, als alles leesbaar is.
        </p>
        {loaded(categories, 'Lijst van documenten', ({ categories: list }) => (
          <Documents
            categories={(list ?? []).map((one) =>
              needed.includes(one.categoryId ?? '') ? { ...one, required: true } : one,
            )}
            documents={answers.documenten}
            uploads={uploads}
            onChange={setDocuments}
            faultOf={(category: string) => faultOf(`documenten-${category}`)}
          />
        ))}
      </>
    );
  };

/** The answers of one step (counted from 0), for the step in which the user checks all answers. */
export interface SummaryPart {
  step: number;
  title: string;
  facts: readonly Fact[];
}

interface CheckAnswersProps {
  parts: readonly SummaryPart[];
  goTo: (step: number) => void;
  children?: ComponentChildren;
}

/**
 * Shows the last step of an application, in which the user checks all answers. Each part of the answers has a button
 * that opens its step.
 */
export const CheckAnswers = ({ parts, goTo, children }: CheckAnswersProps) => (
  <>
    <p class="utrecht-paragraph">Kijk of alles klopt. Na het indienen kunt u niets meer veranderen.</p>
    {parts.map(({ step, title, facts }) => (
      <section class="summary" key={title}>
        <div class="summary__head">
          <h3 class="utrecht-heading-3">{title}</h3>
          <button type="button" class="utrecht-link-button utrecht-link-button--html-button" onClick={() => goTo(step)}>
            Wijzig<span class="visually-hidden"> {title}</span>
          </button>
        </div>
        <Facts of={facts} />
      </section>
    ))}
    {children}
    <Alert tone="info">
      <p>Met ‘Indienen’ zegt u dat u alles naar waarheid hebt ingevuld.</p>
    </Alert>
  </>
);

/** Returns the names of the documents as a list for the screen; the text `Geen` when there are none. */
export const documentsFact = (documents: readonly DraftDocument[]) =>
  documents.length === 0 ? (
    'Geen'
  ) : (
    <ul class="plain">
      {documents.map((one) => (
        <li key={one.localId ?? one.categoryId}>{one.channel === 'post' ? `${one.name} (per post)` : one.name}</li>
      ))}
    </ul>
  );
