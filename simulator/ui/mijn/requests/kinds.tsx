import { type ComponentChildren, type ComponentProps, Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import type {
  DocumentCategoryDto,
  DuoLookupDto,
  PolicyQuestionDto,
  RegistrationDto,
  SubmitApplicationRequest,
} from 'zorgregister-bff/client';
import { hasSpecialismen } from '../../../../src/domain/specialismen.ts';
import { readDate } from '../../../../src/wire/dates.ts';
import { Choice, Select, TextField } from '../../components/fields.tsx';
import { Alert, type Fact, Facts } from '../../components/parts.tsx';
import { loaded } from '../calls/failure.tsx';
import { useCall } from '../calls/outcome.ts';
import { DiplomaCards, Link, Notice } from '../parts.tsx';
import { homeAddressText } from '../people.ts';
import { diplomaToUse, HOURS_AFTER_END, noIntakeReason, noRegistrationReason, returnText } from '../possible.ts';
import { client, today } from '../session.ts';
import { capital, dateText, monthsBefore, numberText } from '../words.ts';
import { COUNTRIES, countryOf } from './countries.ts';
import { Documents, type Uploads } from './documents.tsx';
import { type Answers, type DraftDocument, refsOf, wholeNumber } from './draft.ts';

interface StepProps {
  answers: Answers;
  set: (change: Partial<Answers>) => void;
  setDocuments: (change: (before: readonly DraftDocument[]) => DraftDocument[]) => void;
  uploads: Uploads;
  faultOf: (field: string) => string | null;
}

/**
 * A step with the current answers. `faults` are keyed by the id of the field; undefined while the page does not know
 * what the step asks. The last step shows `facts`.
 */
export interface Step {
  title: string;
  view: (props: StepProps) => ComponentChildren;
  faults: Record<string, string> | undefined;
  facts: readonly Fact[];
}

const UNANSWERED = 'Beantwoord deze vraag.';
const UNREADABLE = 'Beantwoord deze vraag in woorden.';
const UNCHOSEN = 'Kies een van de mogelijkheden.';

/** A kind of application. The step that checks the answers comes after those of `useSteps`. */
export interface WizardType {
  type: 'registratie' | 'herregistratie' | 'intake';
  title: string;
  useSteps: (answers: Answers) => readonly Step[];
  namesProfession: boolean;
  /** What stands above each step. */
  notice?: () => ComponentChildren;
  body: (answers: Answers) => Partial<SubmitApplicationRequest>;
  /** Returns the title of the step of a field. */
  stepOf: (field: string) => string;
}

const usePolicy = () => useCall((signal) => client.GET('/intake/policy', { signal }));

/** Returns what the field of each answer has: its id, its value, its error, and what a change of it does. */
const answerField = <Name extends keyof Answers>({ answers, set, faultOf }: StepProps, id: Name) => ({
  id,
  value: answers[id],
  error: faultOf(id),
  onInput: (value: Answers[Name]) => set({ [id]: value }),
});

function HoursField({ norm, ...props }: StepProps & { norm: number | undefined }) {
  const notes = useCall((signal) => client.GET('/notes', { signal }));
  return (
    <>
      <p class="utrecht-paragraph">
        Tel alle uren die u in de vijf jaar vóór uw aanvraag in uw beroep hebt gewerkt. Vakantie en ziekte tellen niet
        mee.
        {notes.data?.some(({ type, omschrijving }) => type === 'Beperking' && /bevel/i.test(omschrijving)) &&
          ' U hebt een bevel van de inspectie (IGJ): uren uit die tijd tellen soms niet mee. Herregistratie met scholing kan altijd.'}
      </p>
      <TextField
        label="Aantal uren in vijf jaar"
        inputmode="numeric"
        size="short"
        hint={norm && `Voor uw beroep is de norm ${numberText(norm)} uur.`}
        {...answerField(props, 'uren')}
      />
    </>
  );
}

function checkHours({ uren }: Answers): Record<string, string> {
  if ((wholeNumber(uren) ?? Number.POSITIVE_INFINITY) <= 43_800) return {};
  const isTooMany = Number(uren.replaceAll(/[.\s]/g, '')) > 43_800;
  const maximum = isTooMany ? ' Meer dan 43.800 kan niet: zoveel uren zijn er in vijf jaar.' : '';
  return { uren: `Vul een heel getal in, bijvoorbeeld 2600.${maximum}` };
}

const hoursFact = ({ uren }: Answers): Fact => [
  'Uren in vijf jaar',
  wholeNumber(uren) === null ? 'Nog niet ingevuld' : numberText(wholeNumber(uren) as number),
];

/** `needed` are the categories that the answers ask for, which the service does not know before the submission. */
function useDocumentsStep(
  wizardId: WizardType['type'],
  { diplomaHerkomst, taalvaardigheid, documenten }: Answers,
  needed: readonly string[] = [],
): Step {
  const query = {
    wizardId,
    ...(wizardId === 'registratie' && diplomaHerkomst && { diplomaHerkomst }),
    ...(wizardId === 'registratie' && diplomaHerkomst !== 'duo' && taalvaardigheid && { taalvaardigheid }),
  };
  const asked = useCall((signal) => client.GET('/uploads/categories', { query, signal }), JSON.stringify(query));
  const categories = asked.data?.categories.map((one) => ({
    ...one,
    required: one.required || needed.includes(one.categoryId),
  }));
  return {
    title: 'Documenten',
    faults: categories && wrongDocuments(categories, documenten),
    facts: documentsFacts(documenten, asked.data?.categories),
    view: ({ setDocuments, uploads, faultOf }) => (
      <>
        <p class="utrecht-paragraph" id="documenten" tabindex={-1}>
          Een foto of scan is goed, als alles leesbaar is.
        </p>
        {loaded(asked, 'Lijst van documenten', () => (
          <Documents
            categories={categories ?? []}
            documents={documenten}
            uploads={uploads}
            onChange={setDocuments}
            faultOf={(category: string) => faultOf(`documenten-${category}`)}
          />
        ))}
      </>
    ),
  };
}

const wrongDocuments = (categories: readonly DocumentCategoryDto[], documents: readonly DraftDocument[]) => ({
  ...Object.fromEntries(
    categories
      .filter(({ required, categoryId }) => required && !documents.some((one) => one.categoryId === categoryId))
      .map(({ categoryId, allowPostDelivery }) => [
        `documenten-${categoryId}`,
        allowPostDelivery
          ? 'Kies een bestand, of kies dat u het per post stuurt.'
          : 'Kies een bestand. Dit document kan niet per post.',
      ]),
  ),
  ...(documents.some((one) => !categories.some(({ categoryId }) => categoryId === one.categoryId)) && {
    'documenten-niet-nodig': 'Verwijder deze documenten.',
  }),
});

/** Returns the documents by category; under one name the files of a category that is not asked, or not known yet. */
function documentsFacts(documents: readonly DraftDocument[], categories: readonly DocumentCategoryDto[] = []): Fact[] {
  if (documents.length === 0) return [['Meegestuurd', 'Geen']];
  const labelOf = ({ categoryId, channel, name }: DraftDocument) =>
    categories.find((one) => one.categoryId === categoryId)?.label ?? (channel === 'post' ? name : 'Meegestuurd');
  return Object.entries(Object.groupBy(documents, labelOf)).map(([label, some = []]) => [
    label,
    <ul class="plain">
      {some.map(({ channel, localId, name }) => (
        <li key={localId}>{channel === 'post' ? 'Per post' : name}</li>
      ))}
    </ul>,
  ]);
}

const herregistratie: WizardType = {
  type: 'herregistratie',
  title: 'Herregistratie aanvragen',
  namesProfession: true,
  notice: () => <NotYet />,
  useSteps(answers) {
    const norm = usePolicy().data?.scholingThreshold;
    const { registration } = useCall((signal) => client.GET('/dashboard-view', { signal })).data ?? {};
    const hours = wholeNumber(answers.uren);
    const isShort = norm !== undefined && hours !== null && hours < norm;
    const canTrain = hasSpecialismen(registration?.beroep);
    // A proof of the training for a specialism, which is one of work, can take the place of a proof of training.
    const isTraining = canTrain && answers.documenten.some(({ categoryId }) => categoryId === 'werkervaring');
    const documents = useDocumentsStep('herregistratie', answers, isShort && !isTraining ? ['scholingsbewijs'] : []);
    return [
      { title: 'Uw gegevens', view: () => <Details />, faults: {}, facts: [] },
      {
        title: 'Uw uren',
        view: (props) => <HoursField {...props} norm={norm} />,
        faults: checkHours(answers),
        facts: [hoursFact(answers)],
      },
      {
        ...documents,
        view: (props) => (
          <>
            {isShort && (
              <Alert tone="warning" title="Uw uren zijn minder dan de norm">
                <p>U kunt toch een aanvraag doen met een bewijs van scholing. Voeg het hieronder toe.</p>
                {canTrain && (
                  <p>
                    Bent u in opleiding tot specialist? Dan kan het ook met een bewijs daarvan, als bewijs van
                    werkervaring.
                  </p>
                )}
              </Alert>
            )}
            {documents.view(props)}
          </>
        ),
      },
    ];
  },
  body: ({ uren, documenten }) => ({ uren: wholeNumber(uren), documents: refsOf(documenten) }),
  stepOf: (field) => (field === 'uren' ? 'Uw uren' : 'Documenten'),
};

/** Says in a draft why it cannot be submitted now, such as before the first day of the renewal. */
function NotYet() {
  const { decisions, registration } = useCall((signal) => client.GET('/dashboard-view', { signal })).data ?? {};
  if (decisions === undefined || decisions.eligibleForHerregistratie) return null;
  const again = returnText(registration);
  return (
    <Alert tone="warning" title="U kunt deze aanvraag nu niet indienen">
      <p>
        {decisions.herregistratieReason} {again ?? 'Wat u invult, blijft bewaard.'}
      </p>
      {again && (
        <p>
          <Link to={['registratie']}>Registratie aanvragen</Link>
        </p>
      )}
    </Alert>
  );
}

function Details() {
  const dashboard = useCall((signal) => client.GET('/dashboard-view', { signal }));
  return loaded(dashboard, 'Uw gegevens', ({ registration, person }) => (
    <>
      <Facts
        of={[
          ['Naam', person?.naam ?? registration?.naam ?? 'onbekend'],
          ['Beroep', capital(registration?.beroep)],
          ['Uiterste datum', dateText(registration?.status?.herregistratieDatum)],
          ['Woonadres', homeAddressText(person?.adres, 'niet bekend bij ons')],
        ]}
      />
      <p class="hint">
        {person?.adres &&
          'Uw naam en woonadres komen uit de Basisregistratie Personen (BRP). Kloppen ze niet? Meld het bij uw gemeente. '}
        Wilt u post op een ander adres? <Link to={['adres']}>Geef een adres door</Link>.
      </p>
    </>
  ));
}

const intake: WizardType = {
  type: 'intake',
  title: 'Intake',
  namesProfession: true,
  useSteps(answers) {
    const policy = usePolicy();
    const norm = policy.data?.scholingThreshold;
    const documents = useDocumentsStep('intake', answers);
    const hasSchooling = answers.scholing === 'ja';
    const scholing: Step = {
      title: 'Scholing',
      view: (props) => (
        <>
          <Schooling {...props} policy={policy} />
          {hasSchooling && documents.view(props)}
        </>
      ),
      faults: policy.data && checkSchooling(answers),
      facts: [['Scholing gevolgd', schoolingText(answers)], ...(hasSchooling ? documents.facts : [])],
    };
    return [
      {
        title: 'Uw uren',
        view: (props) => (
          <>
            <p class="utrecht-paragraph">
              Hebt u genoeg gewerkt? Vraag het met een intake. U krijgt binnen acht weken antwoord. Dat is geen besluit
              over uw registratie.
            </p>
            <IntakeNote />
            <HoursField {...props} norm={norm} />
            <UnaskedSchooling {...props} isEnough={hasEnough(norm, answers)} />
          </>
        ),
        faults: checkHours(answers),
        facts: [hoursFact(answers)],
      },
      ...(hasEnough(norm, answers) ? [] : [scholing]),
    ];
  },
  body: ({ uren, scholing, punten, documenten }) => ({
    uren: wholeNumber(uren),
    scholing: scholing || null,
    ...(scholing === 'ja' ? { punten: wholeNumber(punten), documents: refsOf(documenten) } : { punten: null }),
  }),
  stepOf: (field) => (field === 'uren' ? 'Uw uren' : 'Scholing'),
};

/** Says in a draft why an intake does not help this person now, or which hours of somebody who was struck off count. */
function IntakeNote() {
  const view = useCall((signal) => client.GET('/dashboard-view', { signal })).data;
  const reason = noIntakeReason(view ?? {});
  if (reason) return <Notice tone="warning">{reason}</Notice>;
  return returnText(view?.registration) && <Notice tone="info">{HOURS_AFTER_END}</Notice>;
}

const hasEnough = (norm: number = Number.POSITIVE_INFINITY, { uren }: Answers) => (wholeNumber(uren) ?? 0) >= norm;

/**
 * Removes an earlier answer about scholing when the hours are enough. From the draft as well: at the submission, the
 * service takes an answer that is not sent from the draft.
 */
function UnaskedSchooling({ isEnough, answers, set }: StepProps & { isEnough: boolean }) {
  useEffect(() => {
    if (isEnough && answers.scholing + answers.punten !== '') set({ scholing: '', punten: '' });
  }, [isEnough]);
  return null;
}

/** Asks about scholing. */
const Schooling = ({ policy, ...props }: StepProps & { policy: ReturnType<typeof usePolicy> }) =>
  loaded(policy, 'De urennorm', ({ scholingThreshold: norm }) => (
    <>
      <p class="utrecht-paragraph">
        De norm is {numberText(norm)} uur. U hebt er {numberText(wholeNumber(props.answers.uren) ?? 0)}.
      </p>
      <Choice
        {...answerField(props, 'scholing')}
        legend="Hebt u scholing gevolgd?"
        options={[
          ['ja', 'Ja'],
          ['nee', 'Nee'],
        ]}
        onInput={(scholing: 'ja' | 'nee') => props.set({ scholing, ...(scholing === 'nee' && { punten: '' }) })}
      />
      {props.answers.scholing === 'ja' && (
        <TextField
          label="Hoeveel punten hebt u behaald? (niet verplicht)"
          inputmode="numeric"
          size="short"
          {...answerField(props, 'punten')}
        />
      )}
    </>
  ));

function checkSchooling({ scholing, punten }: Answers): Record<string, string> {
  if (scholing === '') return { scholing: UNANSWERED };
  return scholing === 'ja' && punten !== '' && !wholeNumber(punten)
    ? { punten: 'Vul een heel getal van 1 of meer in.' }
    : {};
}

function schoolingText({ scholing, punten }: Answers) {
  if (scholing === '') return 'Nog niet beantwoord';
  return scholing === 'ja' ? `Ja${punten ? `, ${punten} punten` : ''}` : 'Nee';
}

const registratie: WizardType = {
  type: 'registratie',
  title: 'Registratie aanvragen',
  namesProfession: false,
  useSteps(answers) {
    const { diplomaHerkomst, taalvaardigheid, beroep, antwoorden, documenten } = answers;
    const diplomas = useCall((signal) => client.GET('/duo/diplomas', { signal }));
    const dashboard = useCall((signal) => client.GET('/dashboard-view', { signal })).data;
    const { person, registration } = dashboard ?? {};
    const atDuo = diplomaToUse(diplomas.data?.diplomas ?? [], registration);
    const profession = diplomaHerkomst === 'duo' ? atDuo?.beroep : beroep;
    const refusal = noRegistrationReason(profession, registration);
    const isReturn = returnText(registration) !== null && registration?.beroep === profession;
    // Without a date of birth: that of nobody who still works.
    const birth = person?.geboortedatum ?? '1924-01-01';
    const questions = diplomas.data && questionsFor(diplomas.data, answers);
    const documents = useDocumentsStep('registratie', answers);
    // The service asks this question about a diploma at DUO of more than five years ago; the other date the user fills in.
    const isOld = questions?.some(
      ({ id }) =>
        id === 'werkervaring-5-jaar' ||
        (id === 'diploma-datum' && (readDate(antwoorden[id] ?? '') ?? today.value) < monthsBefore(today.value, 60)),
    );
    const chosen = <Key extends string>(options: readonly (readonly [Key, string, hint?: string])[], key: Key | '') =>
      options.find(([one]) => one === key)?.[1] ?? 'Nog niet gekozen';
    const needsLanguage = diplomaHerkomst !== 'duo' && antwoorden[IN_DUTCH] === 'nee';
    const isAsked = diplomaHerkomst !== 'duo' || questions?.length !== 0;
    const isKnown = questions !== undefined && dashboard !== undefined;
    // With a new diploma at DUO there is nothing to send.
    const sends = diplomaHerkomst !== 'duo' || !isKnown || isOld || isReturn || documenten.length > 0;
    const vragen: Step = {
      title: 'Vragen',
      view: (props) => loaded(diplomas, 'Vragen', (lookup) => <Questions {...props} lookup={lookup} />),
      // The service does not check the answers: without the questions the application cannot be submitted.
      faults: {
        ...(diplomaHerkomst !== 'duo' && (beroep === '' || refusal) && { beroep: refusal ?? 'Kies een beroep.' }),
        ...(needsLanguage && !LANGUAGES.some(([proof]) => proof === taalvaardigheid) && { taalvaardigheid: UNCHOSEN }),
        ...(questions
          ? wrongIn(questions, answers, monthsBefore(birth, -16 * 12))
          : { stap: 'Wij kunnen de vragen nu niet laten zien. Probeer het zo opnieuw.' }),
      },
      facts: [
        diplomaHerkomst !== 'duo' && ['Beroep', capital(beroep) || 'Nog niet gekozen'],
        ...(questions ?? []).map((one) => [one.vraag, answerText(one, antwoorden[one.id])] as const),
        needsLanguage && ['Nederlands', chosen(LANGUAGES, taalvaardigheid)],
      ],
    };
    const proofs: Step = {
      ...documents,
      view: (props) => (
        <>
          {(isOld || isReturn) && (
            <Notice
              tone="info"
              title={isReturn ? 'U stond eerder in het register' : 'Uw diploma is ouder dan vijf jaar'}
            >
              U moet dan genoeg hebben gewerkt of scholing hebben gevolgd, zoals bij herregistratie.{' '}
              {isReturn && `${HOURS_AFTER_END} `}
              Stuur daar nu bewijs van mee, ook dat van scholing, als ‘Bewijs van werkervaring’. Anders vragen wij er
              later om.
            </Notice>
          )}
          {documents.view(props)}
        </>
      ),
    };
    return [
      {
        title: 'Uw diploma',
        view: (props) =>
          loaded(diplomas, 'Uw diploma’s bij DUO', (lookup) => (
            <Diploma {...props} lookup={lookup} registration={registration} />
          )),
        faults:
          diplomaHerkomst === ''
            ? { diplomaHerkomst: UNCHOSEN }
            : diplomaHerkomst === 'duo' && refusal
              ? { diplomaHerkomst: `${refusal} Kies een ander diploma.` }
              : {},
        facts: [
          ['Herkomst', chosen(ORIGINS, diplomaHerkomst)],
          diplomaHerkomst === 'duo' && ['Beroep', capital(beroep) || 'Volgens uw diploma'],
        ],
      },
      ...(isAsked ? [vragen] : []),
      ...(sends ? [proofs] : []),
    ];
  },
  body: ({ diplomaHerkomst, documenten }) => ({
    diplomaHerkomst: diplomaHerkomst || null,
    documents: refsOf(documenten),
  }),
  stepOf: (field) =>
    field === 'diplomaHerkomst' ? 'Uw diploma' : field.startsWith('documenten') ? 'Documenten' : 'Vragen',
};

const ORIGINS: readonly (readonly [Exclude<Answers['diplomaHerkomst'], ''>, string, hint?: string])[] = [
  ['duo', 'Mijn diploma staat bij DUO'],
  ['handmatig', 'Mijn Nederlandse diploma staat niet bij DUO', 'U vult het dan zelf in.'],
  [
    'buitenland',
    'Mijn diploma komt uit het buitenland',
    'Komt het van buiten de Europese Unie? Dan toetsen wij eerst uw vakbekwaamheid.',
  ],
];

/** The id of the question of the service in which country the diploma was obtained. */
const COUNTRY = 'diploma-land';

const HINTS: Record<string, string> = {
  [COUNTRY]: 'Bestaat het land niet meer? Kies dan het land waar de opleiding nu in ligt.',
  'diploma-datum': 'De datum die op uw diploma staat, bijvoorbeeld 6 juli 2014 of 6-7-2014.',
};

/** The id of the question of the service whether the training was in Dutch: only without that is another proof needed. */
const IN_DUTCH = 'opleiding-nederlandstalig';

const LANGUAGES: readonly (readonly [Exclude<Answers['taalvaardigheid'], ''>, string])[] = [
  ['taaltoets', 'Ik heb een taaltoets Nederlands gehaald'],
  ['vooropleiding', 'Ik heb mijn basisschool en middelbare school in het Nederlands gedaan'],
];

const YES_NO = { ja: 'Ja', nee: 'Nee' } as const;

type DiplomaProps = StepProps & { lookup: DuoLookupDto; registration: RegistrationDto | null | undefined };

function Diploma({ lookup: { diplomas }, registration, ...props }: DiplomaProps) {
  const atDuo = diplomaToUse(diplomas, registration);
  const refusal = noRegistrationReason(atDuo?.beroep, registration);
  const former = returnText(registration) === null ? undefined : registration?.beroep;
  return (
    <>
      {diplomas.length > 0 ? (
        <>
          <p class="utrecht-paragraph">DUO kent deze diploma’s van u:</p>
          <DiplomaCards of={diplomas} />
          {refusal && (
            <Notice
              tone="warning"
              title={`Met uw diploma${diplomas.length > 1 ? '’s' : ''} bij DUO kunt u niets aanvragen`}
            >
              {[...new Set(diplomas.map(({ beroep }) => noRegistrationReason(beroep, registration)))].join(' ')} Hebt u
              een diploma voor een ander beroep? Kies dan hieronder waar het vandaan komt.
            </Notice>
          )}
        </>
      ) : (
        <Notice tone="info" title="DUO heeft geen diploma van u voor een beroep in dit register">
          Dat kan: DUO kent geen buitenlandse diploma’s, en niet alle oudere diploma’s en opleidingen. U vult uw diploma
          dan zelf in.
        </Notice>
      )}
      <Choice
        legend="Met welk diploma vraagt u registratie aan?"
        options={ORIGINS.filter(([key]) => key !== 'duo' || (atDuo && !refusal)).map((one) =>
          one[0] === 'duo' ? ([one[0], one[1], `Voor het beroep ${atDuo?.beroep}`] as const) : one,
        )}
        {...answerField(props, 'diplomaHerkomst')}
        // Kept with the choice: after the decision, the diploma to use is another one.
        onInput={(diplomaHerkomst: Answers['diplomaHerkomst']) =>
          props.set({ diplomaHerkomst, beroep: (diplomaHerkomst === 'duo' ? atDuo?.beroep : former) ?? '' })
        }
      />
    </>
  );
}

/**
 * Returns the questions about the chosen kind of diploma: of all diplomas at DUO, each question once. The kind answers in
 * which country a Dutch diploma was obtained (WCAG 3.3.7).
 */
function questionsFor({ diplomas, handmatig }: DuoLookupDto, { diplomaHerkomst }: Answers): PolicyQuestionDto[] {
  if (diplomaHerkomst === 'buitenland') return handmatig.policyQuestions;
  if (diplomaHerkomst !== 'duo') return handmatig.policyQuestions.filter(({ id }) => id !== COUNTRY);
  const all = diplomas.flatMap(({ policyQuestions }) => policyQuestions);
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}

function Questions({ lookup, ...props }: StepProps & { lookup: DuoLookupDto }) {
  const { answers, set, faultOf } = props;
  const { diplomaHerkomst, antwoorden } = answers;
  const questions = questionsFor(lookup, answers);
  return (
    <>
      {diplomaHerkomst !== 'duo' && (
        <Select
          label="Voor welk beroep?"
          options={[['', 'Kies een beroep'], ...lookup.handmatig.beroepen.map((one) => [one, capital(one)] as const)]}
          {...answerField(props, 'beroep')}
        />
      )}
      {questions.map((question) => (
        <Fragment key={question.id}>
          <Question
            of={question}
            error={faultOf(question.id)}
            value={antwoorden[question.id] ?? ''}
            onInput={(answer: string) =>
              set({
                antwoorden: { ...antwoorden, [question.id]: answer },
                ...(question.id === IN_DUTCH && { taalvaardigheid: answer === 'ja' ? 'nederlandstalig' : '' }),
              })
            }
          />
          {question.id === IN_DUTCH && antwoorden[IN_DUTCH] === 'nee' && (
            <Choice
              legend="Hoe laat u zien dat u Nederlands spreekt?"
              options={LANGUAGES}
              {...answerField(props, 'taalvaardigheid')}
            />
          )}
        </Fragment>
      ))}
    </>
  );
}

/** Returns the errors of answers that are missing or cannot be true. `earliest` is the first day for a diploma. */
const wrongIn = (questions: readonly PolicyQuestionDto[], { antwoorden }: Answers, earliest: string) =>
  Object.fromEntries(
    questions.flatMap(({ id, type }): [string, string][] => {
      const answer = antwoorden[id] ?? '';
      if (answer.trim() === '') return [[id, UNANSWERED]];
      if (id === COUNTRY) {
        const country = countryOf(answer);
        if (country === undefined)
          return [[id, 'Schrijf de Nederlandse naam van het land voluit, of kies die uit de lijst.']];
        return country === 'Nederland'
          ? [[id, 'U koos in de vorige stap een diploma uit het buitenland. Verander een van de twee.']]
          : [];
      }
      if (!/[\p{L}\p{N}]/u.test(answer)) return [[id, UNREADABLE]];
      if (type !== 'datum') return [];
      const day = readDate(answer);
      if (day === null) return [[id, 'Deze datum bestaat niet. Schrijf de datum zo: 6 juli 2014.']];
      if (day > today.value) return [[id, 'Deze dag moet nog komen. Vul de datum van uw diploma in.']];
      return day < earliest ? [[id, 'Op deze dag was u nog geen 16 jaar. Kijk of het jaar klopt.']] : [];
    }),
  );

type QuestionProps = { of: PolicyQuestionDto } & Pick<ComponentProps<typeof TextField>, 'error' | 'value' | 'onInput'>;

function Question({ of: { id, vraag, type }, ...field }: QuestionProps) {
  if (type === 'ja-nee') return <Choice id={id} legend={vraag} options={Object.entries(YES_NO)} {...field} />;
  return (
    <TextField
      id={id}
      label={vraag}
      maxlength={200}
      size={type === 'datum' ? 'short' : 'normal'}
      hint={HINTS[id]}
      suggestions={id === COUNTRY ? COUNTRIES : undefined}
      {...field}
    />
  );
}

function answerText({ type }: PolicyQuestionDto, answer: string = '') {
  if (answer === '') return 'Nog niet beantwoord';
  if (type === 'ja-nee') return YES_NO[answer as keyof typeof YES_NO] ?? answer;
  const day = type === 'datum' && readDate(answer);
  return day ? dateText(day) : answer;
}

/** The kinds of application that are filled in step by step. */
export const WIZARDS = { registratie, herregistratie, intake };
