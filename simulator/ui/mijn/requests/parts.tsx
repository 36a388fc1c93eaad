import type { ComponentChildren } from 'preact';
import type { CreateApplicationRequest, DocumentCategoryDto } from 'zorgregister-bff/client';
import { TextField } from '../../components/fields.tsx';
import { Alert, type Fact, Facts } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import { client } from '../session.ts';
import { numberText } from '../words.ts';
import { Documents } from './documents.tsx';
import { type Answers, type DraftDocument, wholeNumber } from './draft.ts';
import type { Step, StepProps } from './step.ts';

/** Returns the norm of the service for the hours (see `GET /intake/policy`), as the state of a call. */
export const usePolicy = () => useCall((signal) => client.GET('/intake/policy', { signal }));

interface HoursFieldProps extends Pick<StepProps, 'answers' | 'set' | 'faultOf'> {
  hint?: ComponentChildren;
}

/** Shows the question how many hours the user worked. */
export const HoursField = ({ answers, set, faultOf, hint }: HoursFieldProps) => (
  <>
    <p class="utrecht-paragraph">
      Tel alle uren die u in de vijf jaar vóór uw aanvraag in uw beroep hebt gewerkt. Vakantie en ziekte tellen niet
      mee.
    </p>
    <TextField
      id="uren"
      label="Aantal uren in vijf jaar"
      value={answers.uren}
      inputmode="numeric"
      size="short"
      error={faultOf('uren')}
      hint={hint}
      onInput={(uren: string) => set({ uren })}
    />
  </>
);

/** Returns the error messages for the hours, keyed by the id of the field; empty when they are a whole number. */
export const checkHours = ({ uren }: Answers): Record<string, string> =>
  wholeNumber(uren) === null
    ? { uren: 'Vul een heel getal in, bijvoorbeeld 2600. Meer dan 43.800 kan niet: zoveel uren zijn er in vijf jaar.' }
    : {};

/** Returns the hours as a line of the last step. */
export const hoursFact = ({ uren }: Answers): Fact => [
  'Uren in vijf jaar',
  wholeNumber(uren) === null ? 'Nog niet ingevuld' : numberText(wholeNumber(uren) as number),
];

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
 * Returns the documents step of an application. `needed` are the ids of the categories that are required because of the
 * answers; the service does not know these answers before the submission.
 */
export function useDocumentsStep(
  wizardId: CreateApplicationRequest['type'],
  answers: Answers,
  needed: readonly string[] = [],
): Step {
  const query = situationOf(wizardId, answers);
  const asked = useCall((signal) => client.GET('/uploads/categories', { query, signal }), JSON.stringify(query));
  const categories = asked.data?.categories?.map((one) =>
    needed.includes(one.categoryId ?? '') ? { ...one, required: true } : one,
  );
  return {
    faults: categories && missingIn(categories, answers.documenten),
    facts: [['Meegestuurd', documentsFact(answers.documenten)]],
    view: ({ setDocuments, uploads, faultOf }) => (
      <>
        <p class="utrecht-paragraph" id="documenten" tabindex={-1}>
          Een foto of scan is goed, als alles leesbaar is.
        </p>
        {loaded(asked, 'Lijst van documenten', () => (
          <Documents
            categories={categories ?? []}
            documents={answers.documenten}
            uploads={uploads}
            onChange={setDocuments}
            faultOf={(category: string) => faultOf(`documenten-${category}`)}
          />
        ))}
      </>
    ),
  };
}

/** Returns a message for each required category without a document, also none by post, keyed by the id of its field. */
const missingIn = (categories: readonly DocumentCategoryDto[], documents: readonly DraftDocument[]) =>
  Object.fromEntries(
    categories
      .filter(({ required, categoryId }) => required && !documents.some((one) => one.categoryId === categoryId))
      .map(({ categoryId, allowPostDelivery }) => [
        `documenten-${categoryId}`,
        allowPostDelivery
          ? 'Kies een bestand, of kies dat u het per post stuurt.'
          : 'Kies een bestand. Dit document kan niet per post.',
      ]),
  );

/** Returns the names of the documents as a list for the screen; the text `Geen` when there are none. */
const documentsFact = (documents: readonly DraftDocument[]) =>
  documents.length === 0 ? (
    'Geen'
  ) : (
    <ul class="plain">
      {documents.map((one) => (
        <li key={one.localId ?? one.categoryId}>{one.channel === 'post' ? `${one.name} (per post)` : one.name}</li>
      ))}
    </ul>
  );

interface CheckAnswersProps {
  applicant: readonly Fact[];
  titles: readonly string[];
  steps: readonly Step[];
  goTo: (step: number) => void;
}

/**
 * Shows the last step of an application, in which the user checks who applies and all answers. Each step with answers
 * has a button that opens it, and a message when something in it is missing or wrong.
 */
export const CheckAnswers = ({ applicant, titles, steps, goTo }: CheckAnswersProps) => (
  <>
    <p class="utrecht-paragraph">Kijk of alles klopt. Na het indienen kunt u niets meer veranderen.</p>
    {applicant.length > 0 && (
      <section class="summary">
        <div class="summary__head">
          <h3 class="utrecht-heading-3">Wie vraagt aan</h3>
        </div>
        <Facts of={applicant} />
      </section>
    )}
    {steps.map(
      ({ facts, faults = {} }, step) =>
        facts.length > 0 && (
          <section class="summary" key={titles[step]}>
            <div class="summary__head">
              <h3 class="utrecht-heading-3">{titles[step]}</h3>
              <button
                type="button"
                class="utrecht-link-button utrecht-link-button--html-button"
                onClick={() => goTo(step)}
              >
                {Object.keys(faults).length > 0 ? 'Vul aan' : 'Wijzig'}
                <span class="visually-hidden"> {titles[step]}</span>
              </button>
            </div>
            {Object.keys(faults).length > 0 && (
              <p class="utrecht-form-field-error-message">Deze stap is nog niet klaar. U kunt nog niet indienen.</p>
            )}
            <Facts of={facts} />
          </section>
        ),
    )}
    <Alert tone="info">
      <p>Met ‘Indienen’ zegt u dat u alles naar waarheid hebt ingevuld.</p>
    </Alert>
  </>
);
