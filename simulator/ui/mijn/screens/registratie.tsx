import { useEffect } from 'preact/hooks';
import type { DuoDiplomaDto, DuoLookupDto, PolicyQuestionDto } from 'zorgregister-bff/client';
import { Choice, Select, TextField } from '../../components/fields.tsx';
import { Alert } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import type { Answers } from '../requests/draft.ts';
import { refsOf } from '../requests/draft.ts';
import { CheckAnswers, documentsFact, documentsStep, type SummaryPart } from '../requests/parts.tsx';
import { type StepProps, UNANSWERED, type WizardType } from '../requests/wizard.tsx';
import { client } from '../session.ts';
import { capital, dateText } from '../words.ts';

/**
 * The steps of an application for registration. The diploma is one that DUO knows, one that the user fills in, or a
 * foreign one.
 */
export const registratie: WizardType = {
  type: 'registratie',
  title: 'Registratie aanvragen',
  steps: [
    { title: 'Uw diploma', view: Diploma, check: checkOrigin },
    { title: 'Vragen', view: Questions, check: checkQuestions },
    { title: 'Documenten', view: documentsStep('registratie') },
    { title: 'Controleren', view: Summary },
  ],
  body: ({ diplomaHerkomst, documenten }) => ({
    diplomaHerkomst: diplomaHerkomst || null,
    documents: refsOf(documenten),
  }),
  stepOf: (field) => (field === 'diplomaHerkomst' ? 0 : field.startsWith('documenten') ? 2 : 1),
};

const ORIGINS = [
  ['duo', 'Mijn diploma staat bij DUO'],
  ['handmatig', 'Ik vul mijn diploma zelf in'],
  ['buitenland', 'Mijn diploma komt uit het buitenland'],
] as const;

const LANGUAGES = [
  ['nederlandstalig', 'Mijn opleiding was in het Nederlands'],
  ['taaltoets', 'Ik heb een taaltoets Nederlands gehaald'],
  ['vooropleiding', 'Ik heb mijn school in het Nederlands gedaan'],
] as const;

const YES_NO = { ja: 'Ja', nee: 'Nee' } as const;

const useDiplomas = () => useCall((signal) => client.GET('/duo/diplomas', { signal }));

/** Shows the diplomas that DUO has of the user, and asks which kind of diploma the user applies with. */
function Diploma({ answers, set, faultOf }: StepProps) {
  const diplomas = useDiplomas();
  return loaded(diplomas, 'Uw diploma’s bij DUO', ({ diplomas: found }) => (
    <>
      {(found ?? []).length > 0 ? (
        <>
          <p class="utrecht-paragraph">DUO kent deze diploma’s van u:</p>
          <ul class="cards cards--small">
            {found?.map(({ id, naam, instelling, jaar, beroep }) => (
              <li class="card" key={id}>
                <strong>{naam}</strong>
                <span>
                  {instelling}, {jaar}
                </span>
                <span class="small">Voor het beroep {beroep}</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <Alert tone="info" title="DUO heeft geen diploma van u">
          <p>Dat kan: DUO kent niet alle oudere en geen buitenlandse diploma’s. U vult uw diploma dan zelf in.</p>
        </Alert>
      )}
      <Choice
        id="diplomaHerkomst"
        legend="Met welk diploma vraagt u registratie aan?"
        value={answers.diplomaHerkomst}
        error={faultOf('diplomaHerkomst')}
        options={ORIGINS.filter(([key]) => key !== 'duo' || (found ?? []).length > 0)}
        onInput={(diplomaHerkomst: Answers['diplomaHerkomst']) => set({ diplomaHerkomst })}
      />
    </>
  ));
}

/**
 * Returns the error messages for the step about the diploma, keyed by the id of the field; empty when the user chose an
 * option.
 */
function checkOrigin({ diplomaHerkomst }: Answers): Record<string, string> {
  return diplomaHerkomst === '' ? { diplomaHerkomst: 'Kies een van de mogelijkheden.' } : {};
}

/**
 * Returns the questions that the service asks about the chosen kind of diploma. For a diploma at DUO these are the
 * questions about all diplomas that DUO has of the user, each question once. For another diploma they are the same for
 * every user.
 */
function questionsFor({ diplomas, handmatig }: DuoLookupDto, { diplomaHerkomst }: Answers): PolicyQuestionDto[] {
  if (diplomaHerkomst !== 'duo') return handmatig?.policyQuestions ?? [];
  const all = (diplomas ?? []).flatMap((one: DuoDiplomaDto) => one.policyQuestions ?? []);
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}

/**
 * Shows the step with questions about the diploma and, without a diploma at DUO, about the profession and the Dutch
 * language.
 */
function Questions({ answers, set, faultOf, setMissing }: StepProps) {
  const { diplomaHerkomst, antwoorden } = answers;
  const diplomas = useQuestions(answers, setMissing);
  return loaded(diplomas, 'Vragen', (lookup) => {
    const questions = questionsFor(lookup, answers);
    return (
      <>
        {diplomaHerkomst !== 'duo' && (
          <>
            <Select
              id="beroep"
              label="Voor welk beroep?"
              value={answers.beroep}
              options={[
                ['', 'Kies een beroep'],
                ...(lookup.handmatig?.beroepen ?? []).map((one) => [one, capital(one)] as const),
              ]}
              error={faultOf('beroep')}
              onInput={(beroep: string) => set({ beroep })}
            />
            <Choice
              id="taalvaardigheid"
              legend="Hoe laat u zien dat u Nederlands spreekt?"
              value={answers.taalvaardigheid}
              options={LANGUAGES}
              error={faultOf('taalvaardigheid')}
              onInput={(taalvaardigheid: Answers['taalvaardigheid']) => set({ taalvaardigheid })}
            />
          </>
        )}
        {questions.map((question) => (
          <Question
            key={question.id}
            of={question}
            error={faultOf(question.id ?? '')}
            value={antwoorden[question.id ?? ''] ?? ''}
            onInput={(answer: string) => set({ antwoorden: { ...antwoorden, [question.id ?? '']: answer } })}
          />
        ))}
        {questions.length === 0 && diplomaHerkomst === 'duo' && (
          <Alert tone="positive" title="Wij hebben geen vragen">
            <p>DUO heeft alles wat wij nodig hebben. Ga door naar de volgende stap.</p>
          </Alert>
        )}
      </>
    );
  });
}

/** Returns a message for each question that has no answer yet, keyed by the id of the question. */
const unansweredIn = (questions: readonly PolicyQuestionDto[], { antwoorden }: Answers): Record<string, string> =>
  Object.fromEntries(questions.flatMap(({ id = '' }) => (antwoorden[id]?.trim() ? [] : [[id, UNANSWERED] as const])));

/** Loads the questions of the service, and tells the form which of them have no answer yet. */
function useQuestions(answers: Answers, setMissing: StepProps['setMissing']) {
  const diplomas = useDiplomas();
  const { data } = diplomas;
  useEffect(() => setMissing(data === undefined ? {} : unansweredIn(questionsFor(data, answers), answers)));
  return diplomas;
}

interface QuestionProps {
  of: PolicyQuestionDto;
  error: string | null;
  value: string;
  onInput: (value: string) => void;
}

/** Shows a question of the service, with a field for its type: yes or no, a date, or text. */
function Question({ of: { id, vraag, type }, error, value, onInput }: QuestionProps) {
  if (type === 'ja-nee')
    return (
      <Choice id={id} legend={vraag} value={value} error={error} options={Object.entries(YES_NO)} onInput={onInput} />
    );
  return (
    <TextField
      id={id}
      label={vraag}
      type={type === 'datum' ? 'date' : 'text'}
      size={type === 'datum' ? 'short' : 'normal'}
      error={error}
      value={value}
      onInput={onInput}
    />
  );
}

/**
 * Returns the error messages for the profession and the language, which are asked without a diploma at DUO, keyed by the
 * id of the field. The step itself tells which questions of the service have no answer.
 */
function checkQuestions({ diplomaHerkomst, beroep, taalvaardigheid }: Answers): Record<string, string> {
  if (diplomaHerkomst === 'duo') return {};
  return {
    ...(beroep === '' && { beroep: 'Kies een beroep.' }),
    ...(taalvaardigheid === '' && { taalvaardigheid: 'Kies een van de mogelijkheden.' }),
  };
}

/** Returns the answer to a question of the service as Dutch text. */
function answerText({ type }: PolicyQuestionDto, answer: string = '') {
  if (answer === '') return 'Nog niet beantwoord';
  if (type === 'ja-nee') return YES_NO[answer as keyof typeof YES_NO] ?? answer;
  return type === 'datum' && !Number.isNaN(Date.parse(answer)) ? dateText(answer) : answer;
}

/** Returns the answers of an application for registration, by step. */
export function useRegistratieSummary(answers: Answers): readonly SummaryPart[] {
  const { diplomaHerkomst, taalvaardigheid, beroep, antwoorden, documenten } = answers;
  const { data } = useDiplomas();
  const questions = data === undefined ? [] : questionsFor(data, answers);
  return [
    {
      step: 0,
      title: 'Uw diploma',
      facts: [['Herkomst', ORIGINS.find(([key]) => key === diplomaHerkomst)?.[1] ?? 'Nog niet gekozen']],
    },
    {
      step: 1,
      title: 'Vragen',
      facts: [
        ['Beroep', diplomaHerkomst === 'duo' ? 'Volgens uw diploma' : capital(beroep) || 'Nog niet gekozen'],
        diplomaHerkomst !== 'duo' && [
          'Nederlands',
          LANGUAGES.find(([key]) => key === taalvaardigheid)?.[1] ?? 'Nog niet gekozen',
        ],
        ...questions.map((one) => [one.vraag ?? '', answerText(one, antwoorden[one.id ?? ''])] as const),
      ],
    },
    { step: 2, title: 'Documenten', facts: [['Meegestuurd', documentsFact(documenten)]] },
  ];
}

/**
 * Shows the last step, in which the user checks all answers. Without the questions of the service it shows why the
 * answers to them are missing.
 */
function Summary({ answers, goTo, setMissing }: StepProps) {
  const diplomas = useQuestions(answers, setMissing);
  return (
    <>
      {loaded(diplomas, 'Uw antwoorden', () => null)}
      <CheckAnswers parts={useRegistratieSummary(answers)} goTo={goTo} />
    </>
  );
}
