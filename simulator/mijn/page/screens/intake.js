import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { loaded } from '../calls/loaded.js';
import { useCall } from '../calls/outcome.js';
import { Choice, TextField } from '../forms/fields.js';
import { Alert } from '../parts.js';
import { wholeNumber } from '../requests/draft.js';
import { CheckAnswers } from '../requests/parts.js';
import { client } from '../session.js';
import { numberText } from '../words.js';
import { checkHours } from './herregistratie.js';

/** @import { Answers } from '../requests/draft.js' */
/** @import { StepProps, WizardType } from '../requests/wizard.js' */

/**
 * The steps of an intake: the user asks whether they have worked enough hours for herregistratie (renewal of the
 * registration).
 * @type {WizardType}
 */
export const intake = {
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

/** Shows the step in which the user fills in how many hours they worked. @param {StepProps} props */
function Hours({ answers, set, faultOf }) {
  return html`<p class="utrecht-paragraph">Hebt u genoeg gewerkt voor herregistratie? Met de intake weet u het vooraf.</p>
    <${TextField} id="uren" label="Aantal uren in vijf jaar" value=${answers.uren} inputmode="numeric" size="short" error=${faultOf('uren')}
      hint="Tel alle uren in uw beroep. Vakantie en ziekte tellen niet mee." onInput=${(/** @type {string} */ uren) => set({ uren })} />`;
}

const usePolicy = () => useCall((signal) => client.GET('/intake/policy', { signal }));

/**
 * Shows the step about scholing (training). It asks a question only when the hours of the user are below the norm of
 * the service. Otherwise it removes earlier answers to that question.
 * @param {StepProps} props
 */
function Schooling({ answers, set, faultOf }) {
  const policy = usePolicy();
  const hours = wholeNumber(answers.uren) ?? 0;
  const isEnough = policy.data !== undefined && hours >= policy.data.scholingThreshold;
  // From the draft as well: at the submission, the service takes an answer that is not sent from the draft.
  useEffect(() => {
    if (isEnough && answers.scholing + answers.punten !== '') set({ scholing: '', punten: '' });
  }, [isEnough]);
  return loaded(policy, 'De urennorm', ({ scholingThreshold: norm }) =>
    isEnough
      ? html`<${Alert} tone="positive" title="U hebt genoeg uren"><p>De norm is ${numberText(norm)} uur. U hoeft geen vraag over scholing te beantwoorden.</p><//>`
      : html`<p class="utrecht-paragraph">De norm is ${numberText(norm)} uur. U hebt er ${numberText(hours)}.</p>
        <${Choice} id="scholing" legend="Hebt u scholing gevolgd?" value=${answers.scholing} error=${faultOf('scholing')}
          options=${[['ja', 'Ja'], ['nee', 'Nee']]} onInput=${(/** @type {'ja' | 'nee'} */ scholing) => set({ scholing, ...(scholing === 'nee' && { punten: '' }) })} />
        ${
          answers.scholing === 'ja' &&
          html`<${TextField} id="punten" label="Hoeveel punten hebt u behaald? (niet verplicht)" value=${answers.punten} inputmode="numeric" size="short"
            error=${faultOf('punten')} onInput=${(/** @type {string} */ punten) => set({ punten })} />`
        }`,
  );
}

/**
 * Returns the error messages for the points of training, keyed by the id of the field. It is empty when the user
 * followed no training, typed no points, or typed a whole number of 1 or more.
 * @param {Answers} answers
 * @returns {Record<string, string>}
 */
function checkPoints({ scholing, punten }) {
  return scholing === 'ja' && punten !== '' && !wholeNumber(punten)
    ? { punten: 'Vul een heel getal van 1 of meer in.' }
    : {};
}

/** Shows the last step, in which the user checks all answers. @param {StepProps} props */
function Summary({ answers, goTo }) {
  const { uren, scholing, punten } = answers;
  const norm = usePolicy().data?.scholingThreshold ?? Number.POSITIVE_INFINITY;
  const unanswered = (wholeNumber(uren) ?? 0) >= norm ? 'Niet gevraagd' : 'Nog niet beantwoord';
  const followed = scholing === '' ? unanswered : scholing === 'ja' ? `Ja${punten ? `, ${punten} punten` : ''}` : 'Nee';
  const parts = [
    { step: 0, title: 'Uw uren', facts: [['Uren in vijf jaar', numberText(wholeNumber(uren) ?? 0)]] },
    { step: 1, title: 'Scholing', facts: [['Scholing gevolgd', followed]] },
  ];
  return html`<${CheckAnswers} parts=${parts} goTo=${goTo} />`;
}
