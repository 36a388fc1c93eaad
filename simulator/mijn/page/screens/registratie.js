import { html } from 'htm/preact';
import { loaded } from '../calls/loaded.js';
import { useCall } from '../calls/outcome.js';
import { Choice, Select, TextField } from '../forms/fields.js';
import { Alert } from '../parts.js';
import { refsOf } from '../requests/draft.js';
import { CheckAnswers, documentsFact, documentsStep } from '../requests/parts.js';
import { client } from '../session.js';
import { capital, dateText } from '../words.js';

/** @import { DuoDiplomaDto, DuoLookupDto, PolicyQuestionDto } from 'zorgregister-bff/client' */
/** @import { Answers } from '../requests/draft.js' */
/** @import { StepProps, WizardType } from '../requests/wizard.js' */

/**
 * The steps of an application for registration. The diploma is one that DUO knows, one that the user fills in, or a
 * foreign one.
 * @type {WizardType}
 */
export const registratie = {
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

const ORIGINS = /** @type {const} */ ({
  duo: 'Mijn diploma staat bij DUO',
  handmatig: 'Ik vul mijn diploma zelf in',
  buitenland: 'Mijn diploma komt uit het buitenland',
});

const LANGUAGES = /** @type {const} */ ([
  ['nederlandstalig', 'Mijn opleiding was in het Nederlands'],
  ['taaltoets', 'Ik heb een taaltoets Nederlands gehaald'],
  ['vooropleiding', 'Ik heb mijn school in het Nederlands gedaan'],
]);

const YES_NO = /** @type {const} */ ({ ja: 'Ja', nee: 'Nee' });

const useDiplomas = () => useCall((signal) => client.GET('/duo/diplomas', { signal }));

/**
 * Shows the diplomas that DUO has of the user, and asks which kind of diploma the user applies with.
 * @param {StepProps} props
 */
function Diploma({ answers, set, faultOf }) {
  const diplomas = useDiplomas();
  return loaded(
    diplomas,
    'Uw diploma’s bij DUO',
    ({ diplomas: found }) => html`
    ${
      (found ?? []).length > 0
        ? html`<p class="utrecht-paragraph">DUO kent deze diploma’s van u:</p><ul class="cards cards--small">${found?.map(
            ({ id, naam, instelling, jaar, beroep }) =>
              html`<li class="card" key=${id}><strong>${naam}</strong><span>${instelling}, ${jaar}</span><span class="small">Voor het beroep ${beroep}</span></li>`,
          )}</ul>`
        : html`<${Alert} tone="info" title="DUO heeft geen diploma van u"><p>Dat kan: DUO kent niet alle oudere en geen buitenlandse diploma’s. U vult uw diploma dan zelf in.</p><//>`
    }
    <${Choice} id="diplomaHerkomst" legend="Met welk diploma vraagt u registratie aan?" value=${answers.diplomaHerkomst} error=${faultOf('diplomaHerkomst')}
      options=${Object.entries(ORIGINS).filter(([key]) => key !== 'duo' || (found ?? []).length > 0)}
      onInput=${(/** @type {Answers['diplomaHerkomst']} */ diplomaHerkomst) => set({ diplomaHerkomst })} />`,
  );
}

/**
 * Returns the error messages for the step about the diploma, keyed by the id of the field; empty when the user chose an
 * option.
 * @param {Answers} answers
 * @returns {Record<string, string>}
 */
function checkOrigin({ diplomaHerkomst }) {
  return diplomaHerkomst === '' ? { diplomaHerkomst: 'Kies een van de mogelijkheden.' } : {};
}

/**
 * Returns the questions that the service asks about the chosen kind of diploma. For a diploma at DUO these are the
 * questions about all diplomas that DUO has of the user, each question once. For another diploma they are the same for
 * every user.
 * @param {DuoLookupDto} lookup
 * @param {Answers} answers
 * @returns {PolicyQuestionDto[]}
 */
function questionsFor({ diplomas, handmatig }, { diplomaHerkomst }) {
  if (diplomaHerkomst !== 'duo') return handmatig?.policyQuestions ?? [];
  const all = (diplomas ?? []).flatMap((/** @type {DuoDiplomaDto} */ one) => one.policyQuestions ?? []);
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}

/**
 * Shows the step with questions about the diploma and, without a diploma at DUO, about the profession and the Dutch
 * language.
 * @param {StepProps} props
 */
function Questions({ answers, set, faultOf }) {
  const { diplomaHerkomst, antwoorden } = answers;
  const diplomas = useDiplomas();
  return loaded(diplomas, 'Vragen', (lookup) => {
    const questions = questionsFor(lookup, answers);
    return html`
      ${
        diplomaHerkomst !== 'duo' &&
        html`<${Select} id="beroep" label="Voor welk beroep?" value=${answers.beroep} options=${[['', 'Kies een beroep'], ...(lookup.handmatig?.beroepen ?? []).map((one) => [one, capital(one)])]}
            onInput=${(/** @type {string} */ beroep) => set({ beroep })} />
          <${Choice} id="taalvaardigheid" legend="Hoe laat u zien dat u Nederlands spreekt?" value=${answers.taalvaardigheid} options=${LANGUAGES} error=${faultOf('taalvaardigheid')}
            onInput=${(/** @type {Answers['taalvaardigheid']} */ taalvaardigheid) => set({ taalvaardigheid })} />`
      }
      ${questions.map(
        (question) => html`<${Question} key=${question.id} of=${question} value=${antwoorden[question.id ?? ''] ?? ''}
        onInput=${(/** @type {string} */ answer) => set({ antwoorden: { ...antwoorden, [question.id ?? '']: answer } })} />`,
      )}
      ${questions.length === 0 && diplomaHerkomst === 'duo' && html`<${Alert} tone="positive" title="Wij hebben geen vragen"><p>DUO heeft alles wat wij nodig hebben. Ga door naar de volgende stap.</p><//>`}`;
  });
}

/**
 * Shows a question of the service, with a field for its type: yes or no, a date, or text.
 * @param {{ of: PolicyQuestionDto, value: string, onInput: (value: string) => void }} props
 */
function Question({ of: { id, vraag, type }, value, onInput }) {
  if (type === 'ja-nee')
    return html`<${Choice} id=${id} legend=${vraag} value=${value} options=${Object.entries(YES_NO)} onInput=${onInput} />`;
  return html`<${TextField} id=${id} label=${vraag} type=${type === 'datum' ? 'date' : 'text'} size=${type === 'datum' ? 'short' : 'normal'} value=${value} onInput=${onInput} />`;
}

/**
 * Returns the error messages for the step with questions, keyed by the id of the field. Only the question about the
 * Dutch language must be answered, and only without a diploma at DUO.
 * @param {Answers} answers
 * @returns {Record<string, string>}
 */
function checkQuestions({ diplomaHerkomst, taalvaardigheid }) {
  return diplomaHerkomst !== 'duo' && taalvaardigheid === ''
    ? { taalvaardigheid: 'Kies een van de mogelijkheden.' }
    : {};
}

/**
 * Returns the answer to a question of the service as Dutch text.
 * @param {PolicyQuestionDto} question
 * @param {string} [answer]
 */
function answerText({ type }, answer = '') {
  if (answer === '') return 'Nog niet beantwoord';
  if (type === 'ja-nee') return YES_NO[/** @type {keyof typeof YES_NO} */ (answer)] ?? answer;
  return type === 'datum' && !Number.isNaN(Date.parse(answer)) ? dateText(answer) : answer;
}

/**
 * Shows the last step, in which the user checks all answers. Without the questions of the service it shows why the
 * answers to them are missing.
 * @param {StepProps} props
 */
function Summary({ answers, goTo }) {
  const { diplomaHerkomst, taalvaardigheid, beroep, antwoorden, documenten } = answers;
  const diplomas = useDiplomas();
  const questions = diplomas.data === undefined ? [] : questionsFor(diplomas.data, answers);
  const parts = [
    {
      step: 0,
      title: 'Uw diploma',
      facts: [['Herkomst', diplomaHerkomst ? ORIGINS[diplomaHerkomst] : 'Nog niet gekozen']],
    },
    {
      step: 1,
      title: 'Vragen',
      facts: [
        ...(diplomaHerkomst === 'duo'
          ? [['Beroep', 'Volgens uw diploma']]
          : [
              ['Beroep', capital(beroep) || 'Nog niet gekozen'],
              ['Nederlands', LANGUAGES.find(([key]) => key === taalvaardigheid)?.[1] ?? 'Nog niet gekozen'],
            ]),
        ...questions.map((one) => [one.vraag ?? '', answerText(one, antwoorden[one.id ?? ''])]),
      ],
    },
    { step: 2, title: 'Documenten', facts: [['Meegestuurd', documentsFact(documenten)]] },
  ];
  return html`${loaded(diplomas, 'Uw antwoorden', () => null)}<${CheckAnswers} parts=${parts} goTo=${goTo} />`;
}
