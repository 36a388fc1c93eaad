import { html } from 'htm/preact';
import { loaded } from '../calls/loaded.js';
import { useCall } from '../calls/outcome.js';
import { TextField } from '../forms/fields.js';
import { Alert, Facts, Link } from '../parts.js';
import { refsOf, wholeNumber } from '../requests/draft.js';
import { CheckAnswers, documentsFact, documentsStep } from '../requests/parts.js';
import { client } from '../session.js';
import { capital, dateText, numberText } from '../words.js';

/** @import { Answers } from '../requests/draft.js' */
/** @import { StepProps, WizardType } from '../requests/wizard.js' */

/** The steps of an application for herregistratie (renewal of the registration). @type {WizardType} */
export const herregistratie = {
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
  return loaded(
    dashboard,
    'Uw gegevens',
    ({ registration, person }) => html`
    <${Facts} of=${[
      ['Naam', person?.naam ?? registration?.naam ?? 'onbekend'],
      ['Beroep', capital(registration?.beroep)],
      ['Uiterste datum', dateText(registration?.status?.herregistratieDatum)],
      [
        'Woonadres',
        person?.adres
          ? `${person.adres.straat}, ${person.adres.postcode} ${person.adres.woonplaats}`
          : 'niet bekend bij ons',
      ],
    ]} />
    <p class="hint">Uw naam en woonadres komen uit de Basisregistratie Personen (BRP). Kloppen ze niet? Meld het bij uw gemeente.
      Wilt u post op een ander adres? <${Link} to=${['adres']}>Geef een adres door<//>.</p>`,
  );
}

/**
 * Shows the step in which the user fills in how many hours they worked. A warning says that the hours are below the
 * norm of the service.
 * @param {StepProps} props
 */
function Hours({ answers, set, faultOf }) {
  const norm = useNorm();
  return html`
    <p class="utrecht-paragraph">Tel alle uren die u in de vijf jaar vóór uw aanvraag in uw beroep hebt gewerkt. Vakantie en ziekte tellen niet mee.</p>
    <${TextField} id="uren" label="Aantal uren in vijf jaar" value=${answers.uren} inputmode="numeric" size="short" error=${faultOf('uren')}
      hint=${norm ? `Voor uw beroep is de norm ${numberText(norm)} uur.` : undefined} onInput=${(/** @type {string} */ uren) => set({ uren })} />
    <div role="status">${
      isBelow(norm, answers) &&
      html`<${Alert} tone="warning" title="Dit zijn minder uren dan de norm">
        <p>U kunt toch een aanvraag doen met een bewijs van scholing. Bent u in opleiding tot specialist? Dan kan het met een bewijs daarvan, als bewijs van werkervaring. Voeg het in de volgende stap toe.</p><//>`
    }</div>`;
}

/** Returns the norm of the service for the hours; undefined until it is loaded. */
const useNorm = () => useCall((signal) => client.GET('/intake/policy', { signal })).data?.scholingThreshold;

/**
 * Returns true when the hours in the answers are below the norm.
 * @param {number | undefined} norm
 * @param {Answers} answers
 */
function isBelow(norm, { uren }) {
  const hours = wholeNumber(uren);
  return norm !== undefined && hours !== null && hours < norm;
}

/**
 * Returns the categories of documents that are required with these hours. A proof of work can take the place of a proof
 * of training.
 * @param {Answers} answers
 */
function useNeeded(answers) {
  const hasWork = answers.documenten.some(({ categoryId }) => categoryId === 'werkervaring');
  return isBelow(useNorm(), answers) && !hasWork ? ['scholingsbewijs'] : [];
}

/**
 * Returns the error messages for the hours, keyed by the id of the field; empty when the hours are a whole number.
 * @param {Answers} answers
 * @returns {Record<string, string>}
 */
export function checkHours({ uren }) {
  return wholeNumber(uren) === null
    ? { uren: 'Vul een heel getal in, bijvoorbeeld 2600. Meer dan 43.800 kan niet: zoveel uren zijn er in vijf jaar.' }
    : {};
}

/** Shows the last step, in which the user checks all answers. @param {StepProps} props */
function Summary({ answers, goTo }) {
  const parts = [
    { step: 1, title: 'Uw uren', facts: [['Uren in vijf jaar', numberText(wholeNumber(answers.uren) ?? 0)]] },
    { step: 2, title: 'Documenten', facts: [['Meegestuurd', documentsFact(answers.documenten)]] },
  ];
  return html`<${CheckAnswers} parts=${parts} goTo=${goTo} />`;
}
