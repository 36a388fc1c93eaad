import { Alert, Facts } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import { Link } from '../parts.tsx';
import type { Answers } from '../requests/draft.ts';
import { refsOf, wholeNumber } from '../requests/draft.ts';
import { checkHours, HoursField, hoursFact, useDocumentsStep, usePolicy } from '../requests/parts.tsx';
import type { WizardType } from '../requests/step.ts';
import { client } from '../session.ts';
import { capital, dateText, numberText } from '../words.ts';

/** The steps of an application for herregistratie. */
export const herregistratie: WizardType = {
  type: 'herregistratie',
  title: 'Herregistratie aanvragen',
  titles: ['Uw gegevens', 'Uw uren', 'Documenten'],
  namesProfession: true,
  useSteps(answers) {
    const norm = usePolicy().data?.scholingThreshold;
    const isShort = isBelow(norm, answers);
    // A proof of work can take the place of a proof of training.
    const hasWork = answers.documenten.some(({ categoryId }) => categoryId === 'werkervaring');
    const documents = useDocumentsStep('herregistratie', answers, isShort && !hasWork ? ['scholingsbewijs'] : []);
    return [
      { view: () => <Details />, faults: {}, facts: [] },
      {
        view: (props) => <HoursField {...props} hint={norm && `Voor uw beroep is de norm ${numberText(norm)} uur.`} />,
        faults: checkHours(answers),
        facts: [hoursFact(answers)],
      },
      {
        ...documents,
        view: (props) => (
          <>
            {isShort && <TooFewHours />}
            {documents.view(props)}
          </>
        ),
      },
    ];
  },
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

const TooFewHours = () => (
  <Alert tone="warning" title="Uw uren zijn minder dan de norm">
    <p>U kunt toch een aanvraag doen met een bewijs van scholing. Voeg het hieronder toe.</p>
    <p>
      Kent uw beroep specialismen, en bent u in opleiding tot specialist? Dan kan het ook met een bewijs daarvan, als
      bewijs van werkervaring.
    </p>
  </Alert>
);

/** Returns true when the hours in the answers are below the norm. */
function isBelow(norm: number | undefined, { uren }: Answers) {
  const hours = wholeNumber(uren);
  return norm !== undefined && hours !== null && hours < norm;
}
