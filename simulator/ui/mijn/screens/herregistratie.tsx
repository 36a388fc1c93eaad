import { TextField } from '../../components/fields.tsx';
import { Alert, Facts } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import { Link } from '../parts.tsx';
import type { Answers } from '../requests/draft.ts';
import { refsOf, wholeNumber } from '../requests/draft.ts';
import { CheckAnswers, documentsFact, documentsStep, type SummaryPart } from '../requests/parts.tsx';
import type { StepProps, WizardType } from '../requests/wizard.tsx';
import { client } from '../session.ts';
import { capital, dateText, numberText } from '../words.ts';

/** The steps of an application for herregistratie (renewal of the registration). */
export const herregistratie: WizardType = {
  type: 'herregistratie',
  title: 'Herregistratie aanvragen',
  steps: [
    { title: 'Uw gegevens', view: Details },
    { title: 'Uw uren', view: Hours, check: checkHours },
    { title: 'Documenten', view: documentsStep('herregistratie', useNeeded) },
    { title: 'Controleren', view: Summary },
  ],
  body: ({ uren, documenten }) => ({ uren: wholeNumber(uren), documents: refsOf(documenten) }),
  stepOf: (field) => (field === 'uren' ? 1 : 2),
};

function Details() {
  const dashboard = useCall((signal) => client.GET('/dashboard-view', { signal }));
  return loaded(dashboard, 'Uw gegevens', ({ registration, person }) => (
    <>
      <Facts
        of={[
          ['Naam', person?.naam ?? registration?.naam ?? 'onbekend'],
          ['Beroep', capital(registration?.beroep)],
          ['Uiterste datum', dateText(registration?.status?.herregistratieDatum)],
          [
            'Woonadres',
            person?.adres
              ? `${person.adres.straat}, ${person.adres.postcode} ${person.adres.woonplaats}`
              : 'niet bekend bij ons',
          ],
        ]}
      />
      <p class="hint">
        Uw naam en woonadres komen uit de Basisregistratie Personen (BRP). Kloppen ze niet? Meld het bij uw gemeente.
        Wilt u post op een ander adres? <Link to={['adres']}>Geef een adres door</Link>.
      </p>
    </>
  ));
}

/**
 * Shows the step in which the user fills in how many hours they worked. A warning says that the hours are below the
 * norm of the service.
 */
function Hours({ answers, set, faultOf }: StepProps) {
  const norm = useNorm();
  return (
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
        hint={norm ? `Voor uw beroep is de norm ${numberText(norm)} uur.` : undefined}
        onInput={(uren: string) => set({ uren })}
      />
      <div role="status">
        {isBelow(norm, answers) && (
          <Alert tone="warning" title="Dit zijn minder uren dan de norm">
            <p>
              U kunt toch een aanvraag doen met een bewijs van scholing. Bent u in opleiding tot specialist? Dan kan het
              met een bewijs daarvan, als bewijs van werkervaring. Voeg het in de volgende stap toe.
            </p>
          </Alert>
        )}
      </div>
    </>
  );
}

/** Returns the norm of the service for the hours; undefined until it is loaded. */
const useNorm = () => useCall((signal) => client.GET('/intake/policy', { signal })).data?.scholingThreshold;

/** Returns true when the hours in the answers are below the norm. */
function isBelow(norm: number | undefined, { uren }: Answers) {
  const hours = wholeNumber(uren);
  return norm !== undefined && hours !== null && hours < norm;
}

/**
 * Returns the categories of documents that are required with these hours. A proof of work can take the place of a proof
 * of training.
 */
function useNeeded(answers: Answers) {
  const hasWork = answers.documenten.some(({ categoryId }) => categoryId === 'werkervaring');
  return isBelow(useNorm(), answers) && !hasWork ? ['scholingsbewijs'] : [];
}

/**
 * Returns the error messages for the hours, keyed by the id of the field; empty when the hours are a whole number.
 */
export function checkHours({ uren }: Answers): Record<string, string> {
  return wholeNumber(uren) === null
    ? { uren: 'Vul een heel getal in, bijvoorbeeld 2600. Meer dan 43.800 kan niet: zoveel uren zijn er in vijf jaar.' }
    : {};
}

/** Returns the answers of an application for herregistratie, by step. */
export const useHerregistratieSummary = ({ uren, documenten }: Answers): readonly SummaryPart[] => [
  { step: 1, title: 'Uw uren', facts: [['Uren in vijf jaar', numberText(wholeNumber(uren) ?? 0)]] },
  { step: 2, title: 'Documenten', facts: [['Meegestuurd', documentsFact(documenten)]] },
];

/** Shows the last step, in which the user checks all answers. */
function Summary({ answers, goTo }: StepProps) {
  return <CheckAnswers parts={useHerregistratieSummary(answers)} goTo={goTo} />;
}
