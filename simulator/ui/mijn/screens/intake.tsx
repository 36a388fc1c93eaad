import { useEffect } from 'preact/hooks';
import { Choice, TextField } from '../../components/fields.tsx';
import { Alert } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import type { Answers } from '../requests/draft.ts';
import { wholeNumber } from '../requests/draft.ts';
import { CheckAnswers, type SummaryPart } from '../requests/parts.tsx';
import { type StepProps, UNANSWERED, type WizardType } from '../requests/wizard.tsx';
import { client } from '../session.ts';
import { numberText } from '../words.ts';
import { checkHours } from './herregistratie.tsx';

/**
 * The steps of an intake: the user asks whether they have worked enough hours for herregistratie (renewal of the
 * registration).
 */
export const intake: WizardType = {
  type: 'intake',
  title: 'Intake',
  steps: [
    { title: 'Uw uren', view: Hours, check: checkHours },
    { title: 'Scholing', view: Schooling, check: checkPoints },
    { title: 'Controleren', view: Summary },
  ],
  body: ({ uren, scholing, punten }) => ({
    uren: wholeNumber(uren),
    scholing: scholing || null,
    punten: scholing === 'ja' ? wholeNumber(punten) : null,
  }),
  stepOf: (field) => (field === 'uren' ? 0 : 1),
};

/** Shows the step in which the user fills in how many hours they worked. */
function Hours({ answers, set, faultOf }: StepProps) {
  return (
    <>
      <p class="utrecht-paragraph">
        Hebt u genoeg gewerkt voor herregistratie? Vraag het met een intake. U krijgt binnen acht weken antwoord. Dat is
        geen besluit over uw registratie.
      </p>
      <TextField
        id="uren"
        label="Aantal uren in vijf jaar"
        value={answers.uren}
        inputmode="numeric"
        size="short"
        error={faultOf('uren')}
        hint="Tel alle uren in uw beroep. Vakantie en ziekte tellen niet mee."
        onInput={(uren: string) => set({ uren })}
      />
    </>
  );
}

const usePolicy = () => useCall((signal) => client.GET('/intake/policy', { signal }));

/**
 * Shows the step about scholing (training). It asks a question only when the hours of the user are below the norm of
 * the service. Otherwise it removes earlier answers to that question.
 */
function Schooling({ answers, set, faultOf, setMissing }: StepProps) {
  const policy = usePolicy();
  const hours = wholeNumber(answers.uren) ?? 0;
  const isEnough = policy.data !== undefined && hours >= policy.data.scholingThreshold;
  // From the draft as well: at the submission, the service takes an answer that is not sent from the draft.
  useEffect(() => {
    if (isEnough && answers.scholing + answers.punten !== '') set({ scholing: '', punten: '' });
  }, [isEnough]);
  useEffect(() => setMissing(!isEnough && answers.scholing === '' ? { scholing: UNANSWERED } : {}));
  return loaded(policy, 'De urennorm', ({ scholingThreshold: norm }) =>
    isEnough ? (
      <Alert tone="positive" title="U hebt genoeg uren">
        <p>De norm is {numberText(norm)} uur. U hoeft geen vraag over scholing te beantwoorden.</p>
      </Alert>
    ) : (
      <>
        <p class="utrecht-paragraph">
          De norm is {numberText(norm)} uur. U hebt er {numberText(hours)}.
        </p>
        <Choice
          id="scholing"
          legend="Hebt u scholing gevolgd?"
          value={answers.scholing}
          error={faultOf('scholing')}
          options={[
            ['ja', 'Ja'],
            ['nee', 'Nee'],
          ]}
          onInput={(scholing: 'ja' | 'nee') => set({ scholing, ...(scholing === 'nee' && { punten: '' }) })}
        />
        {answers.scholing === 'ja' && (
          <TextField
            id="punten"
            label="Hoeveel punten hebt u behaald? (niet verplicht)"
            value={answers.punten}
            inputmode="numeric"
            size="short"
            error={faultOf('punten')}
            onInput={(punten: string) => set({ punten })}
          />
        )}
      </>
    ),
  );
}

/**
 * Returns the error messages for the points of training, keyed by the id of the field. It is empty when the user
 * followed no training, typed no points, or typed a whole number of 1 or more.
 */
function checkPoints({ scholing, punten }: Answers): Record<string, string> {
  return scholing === 'ja' && punten !== '' && !wholeNumber(punten)
    ? { punten: 'Vul een heel getal van 1 of meer in.' }
    : {};
}

/** Returns the answers of an intake, by step. */
export function useIntakeSummary({ uren, scholing, punten }: Answers): readonly SummaryPart[] {
  const norm = usePolicy().data?.scholingThreshold ?? Number.POSITIVE_INFINITY;
  const unanswered = (wholeNumber(uren) ?? 0) >= norm ? 'Niet gevraagd' : 'Nog niet beantwoord';
  const followed = scholing === '' ? unanswered : scholing === 'ja' ? `Ja${punten ? `, ${punten} punten` : ''}` : 'Nee';
  return [
    { step: 0, title: 'Uw uren', facts: [['Uren in vijf jaar', numberText(wholeNumber(uren) ?? 0)]] },
    { step: 1, title: 'Scholing', facts: [['Scholing gevolgd', followed]] },
  ];
}

/** Shows the last step, in which the user checks all answers. */
function Summary({ answers, goTo, setMissing }: StepProps) {
  const { data } = usePolicy();
  const isAsked = data !== undefined && (wholeNumber(answers.uren) ?? 0) < data.scholingThreshold;
  useEffect(() => setMissing(isAsked && answers.scholing === '' ? { scholing: UNANSWERED } : {}));
  return <CheckAnswers parts={useIntakeSummary(answers)} goTo={goTo} />;
}
