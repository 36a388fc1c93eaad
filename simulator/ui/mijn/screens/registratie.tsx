import type { DuoDiplomaDto, DuoLookupDto, PolicyQuestionDto } from 'zorgregister-bff/client';
import { Choice, Select, TextField } from '../../components/fields.tsx';
import { Alert } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import type { Answers } from '../requests/draft.ts';
import { refsOf } from '../requests/draft.ts';
import { useDocumentsStep } from '../requests/parts.tsx';
import { type StepProps, UNANSWERED, type WizardType } from '../requests/step.ts';
import { client, today } from '../session.ts';
import { capital, dateText, monthsBefore } from '../words.ts';

/**
 * The steps of an application for registration. The diploma is one that DUO knows, one that the user fills in, or a
 * foreign one.
 */
export const registratie: WizardType = {
  type: 'registratie',
  title: 'Registratie aanvragen',
  titles: ['Uw diploma', 'Vragen', 'Documenten'],
  namesProfession: false,
  useSteps(answers) {
    const { diplomaHerkomst, taalvaardigheid, beroep, antwoorden } = answers;
    const diplomas = useCall((signal) => client.GET('/duo/diplomas', { signal }));
    const questions = diplomas.data && questionsFor(diplomas.data, answers);
    const documents = useDocumentsStep('registratie', answers);
    // The service asks this question about a diploma at DUO of more than five years ago; the other date the user fills in.
    const isOld = questions?.some(
      ({ id = '' }) =>
        id === 'werkervaring-5-jaar' || (id === 'diploma-datum' && (antwoorden[id] || today.value) < fiveYearsAgo()),
    );
    const chosen = <Key extends string>(options: readonly (readonly [Key, string])[], key: Key | '') =>
      options.find(([one]) => one === key)?.[1] ?? 'Nog niet gekozen';
    return [
      {
        view: (props) => loaded(diplomas, 'Uw diploma’s bij DUO', (lookup) => <Diploma {...props} lookup={lookup} />),
        faults: checkOrigin(answers),
        facts: [['Herkomst', chosen(ORIGINS, diplomaHerkomst)]],
      },
      {
        view: (props) => loaded(diplomas, 'Vragen', (lookup) => <Questions {...props} lookup={lookup} />),
        // The service does not check the answers: without the questions the application cannot be submitted.
        faults: { ...checkQuestions(answers), ...(questions ? wrongIn(questions, answers) : NOT_LOADED) },
        facts: [
          ['Beroep', diplomaHerkomst === 'duo' ? 'Volgens uw diploma' : capital(beroep) || 'Nog niet gekozen'],
          diplomaHerkomst !== 'duo' && ['Nederlands', chosen(LANGUAGES, taalvaardigheid)],
          ...(questions ?? []).map((one) => [one.vraag ?? '', answerText(one, antwoorden[one.id ?? ''])] as const),
        ],
      },
      {
        ...documents,
        view: (props) => (
          <>
            {isOld && <OldDiploma />}
            {documents.view(props)}
          </>
        ),
      },
    ];
  },
  body: ({ diplomaHerkomst, documenten }) => ({
    diplomaHerkomst: diplomaHerkomst || null,
    documents: refsOf(documenten),
  }),
  stepOf: (field) => (field === 'diplomaHerkomst' ? 0 : field.startsWith('documenten') ? 2 : 1),
};

const fiveYearsAgo = () => monthsBefore(today.value, 60);

const OldDiploma = () => (
  <Alert tone="info" title="Uw diploma is ouder dan vijf jaar">
    <p>
      U moet dan genoeg hebben gewerkt of scholing hebben gevolgd, zoals bij herregistratie. Stuur daar nu bewijs van
      mee: anders vragen wij er later om.
    </p>
  </Alert>
);

const NOT_LOADED = { stap: 'Wij kunnen de vragen nu niet laten zien. Probeer het zo opnieuw.' };

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

/** Shows the diplomas that DUO has of the user, and asks which kind of diploma the user applies with. */
function Diploma({ answers, set, faultOf, lookup: { diplomas: found } }: StepProps & { lookup: DuoLookupDto }) {
  return (
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
          <p>
            Dat kan: DUO kent geen buitenlandse diploma’s, en niet alle oudere diploma’s en opleidingen. U vult uw
            diploma dan zelf in.
          </p>
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
  );
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
function Questions({ answers, set, faultOf, lookup }: StepProps & { lookup: DuoLookupDto }) {
  const { diplomaHerkomst, antwoorden } = answers;
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
}

/**
 * Returns a message for each question without an answer, or with one that cannot be true, keyed by the id of the
 * question.
 */
const wrongIn = (questions: readonly PolicyQuestionDto[], { antwoorden, taalvaardigheid }: Answers) =>
  Object.fromEntries(
    questions.flatMap(({ id = '', type }): [string, string][] => {
      const answer = antwoorden[id]?.trim() ?? '';
      if (answer === '') return [[id, UNANSWERED]];
      if (type === 'datum' && answer > today.value)
        return [[id, 'Deze dag moet nog komen. Vul de datum van uw diploma in.']];
      const isDenied = id === 'opleiding-nederlandstalig' && taalvaardigheid === 'nederlandstalig' && answer === 'nee';
      return isDenied
        ? [[id, 'Hierboven koos u dat uw opleiding in het Nederlands was. Verander een van de twee.']]
        : [];
    }),
  );

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
 * id of the field.
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
