import { useEffect } from 'preact/hooks';
import { Choice, TextField } from '../../components/fields.tsx';
import { Alert } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import type { Called } from '../calls/outcome.ts';
import type { Answers } from '../requests/draft.ts';
import { wholeNumber } from '../requests/draft.ts';
import { checkHours, HoursField, hoursFact, usePolicy } from '../requests/parts.tsx';
import { type StepProps, UNANSWERED, type WizardType } from '../requests/step.ts';
import { numberText } from '../words.ts';

/** The steps of an intake: the user asks whether they have worked enough hours for herregistratie. */
export const intake: WizardType = {
  type: 'intake',
  title: 'Intake',
  titles: ['Uw uren', 'Scholing'],
  namesProfession: true,
  useSteps(answers) {
    const policy = usePolicy();
    return [
      {
        view: (props) => (
          <>
            <p class="utrecht-paragraph">
              Hebt u genoeg gewerkt voor herregistratie? Vraag het met een intake. U krijgt binnen acht weken antwoord.
              Dat is geen besluit over uw registratie.
            </p>
            <HoursField {...props} />
          </>
        ),
        faults: checkHours(answers),
        facts: [hoursFact(answers)],
      },
      {
        view: (props) => <Schooling {...props} policy={policy} />,
        faults: policy.data && checkSchooling(policy.data.scholingThreshold, answers),
        facts: [['Scholing gevolgd', schoolingText(policy.data?.scholingThreshold, answers)]],
      },
    ];
  },
  body: ({ uren, scholing, punten }) => ({
    uren: wholeNumber(uren),
    scholing: scholing || null,
    punten: scholing === 'ja' ? wholeNumber(punten) : null,
  }),
  stepOf: (field) => (field === 'uren' ? 0 : 1),
};

/** Returns true when the hours are at least the norm, so that no question about training is asked. */
const hasEnough = (norm: number, { uren }: Answers) => (wholeNumber(uren) ?? 0) >= norm;

/**
 * Shows the step about scholing. It asks a question only when the hours of the user are below the norm of the service.
 * Otherwise it removes earlier answers to that question.
 */
function Schooling({
  answers,
  set,
  faultOf,
  policy,
}: StepProps & { policy: Called<{ readonly scholingThreshold: number }> }) {
  const isEnough = policy.data !== undefined && hasEnough(policy.data.scholingThreshold, answers);
  // From the draft as well: at the submission, the service takes an answer that is not sent from the draft.
  useEffect(() => {
    if (isEnough && answers.scholing + answers.punten !== '') set({ scholing: '', punten: '' });
  }, [isEnough]);
  return loaded(policy, 'De urennorm', ({ scholingThreshold: norm }) =>
    isEnough ? (
      <Alert tone="positive" title="U hebt genoeg uren">
        <p>De norm is {numberText(norm)} uur. U hoeft geen vraag over scholing te beantwoorden.</p>
      </Alert>
    ) : (
      <>
        <p class="utrecht-paragraph">
          De norm is {numberText(norm)} uur. U hebt er {numberText(wholeNumber(answers.uren) ?? 0)}.
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
 * Returns the error messages for the question about training, keyed by the id of the field. It is empty with enough
 * hours, and when the user answered it and typed no points or a whole number of 1 or more.
 */
function checkSchooling(norm: number, answers: Answers): Record<string, string> {
  const { scholing, punten } = answers;
  if (hasEnough(norm, answers)) return {};
  if (scholing === '') return { scholing: UNANSWERED };
  return scholing === 'ja' && punten !== '' && !wholeNumber(punten)
    ? { punten: 'Vul een heel getal van 1 of meer in.' }
    : {};
}

/** Returns the answer to the question about training as Dutch text. */
function schoolingText(norm: number = Number.POSITIVE_INFINITY, answers: Answers) {
  const { scholing, punten } = answers;
  if (scholing === '') return hasEnough(norm, answers) ? 'Niet gevraagd' : 'Nog niet beantwoord';
  return scholing === 'ja' ? `Ja${punten ? `, ${punten} punten` : ''}` : 'Nee';
}
