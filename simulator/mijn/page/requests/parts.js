import { html } from 'htm/preact';
import { loaded } from '../calls/loaded.js';
import { useCall } from '../calls/outcome.js';
import { Alert, Facts } from '../parts.js';
import { client } from '../session.js';
import { Documents } from './documents.js';

/** @import { Answers, DraftDocument } from './draft.js' */
/** @import { CreateApplicationRequest } from 'zorgregister-bff/client' */
/** @import { StepProps } from './wizard.js' */

/**
 * Returns the query of `GET /uploads/categories`, which lists the documents that an application with these answers
 * needs.
 * @param {CreateApplicationRequest['type']} wizardId
 * @param {Answers} answers
 */
const situationOf = (wizardId, { diplomaHerkomst, taalvaardigheid }) => ({
  wizardId,
  ...(wizardId === 'registratie' && diplomaHerkomst && { diplomaHerkomst }),
  ...(wizardId === 'registratie' && diplomaHerkomst !== 'duo' && taalvaardigheid && { taalvaardigheid }),
});

/**
 * Returns a component that shows the documents step of an application. `useNeeded` is a hook with the ids of the
 * categories that are required because of the answers; the service does not know these answers before the submission.
 * @param {CreateApplicationRequest['type']} wizardId
 * @param {(answers: Answers) => readonly string[]} [useNeeded]
 * @returns {(props: StepProps) => unknown}
 */
export const documentsStep = (wizardId, useNeeded = () => []) =>
  function DocumentsStep({ answers, setDocuments, uploads, faultOf }) {
    const needed = useNeeded(answers);
    const query = situationOf(wizardId, answers);
    const categories = useCall((signal) => client.GET('/uploads/categories', { query, signal }), JSON.stringify(query));
    return html`<p class="utrecht-paragraph" id="documenten" tabindex="-1">Een foto of scan is goed, als alles leesbaar is.</p>
      ${loaded(
        categories,
        'Lijst van documenten',
        ({ categories: list }) => html`
        <${Documents} categories=${(list ?? []).map((one) => (needed.includes(one.categoryId ?? '') ? { ...one, required: true } : one))} documents=${answers.documenten} uploads=${uploads} onChange=${setDocuments}
          faultOf=${(/** @type {string} */ category) => faultOf(`documenten-${category}`)} />`,
      )}`;
  };

/**
 * Shows the last step of an application, in which the user checks all answers. Each part of the answers has a button
 * that opens its step.
 * @param {{ parts: readonly { step: number, title: string, facts: readonly (readonly [string, unknown])[] }[], goTo: (step: number) => void, children?: unknown }} props
 */
export const CheckAnswers = ({ parts, goTo, children }) =>
  html`<p class="utrecht-paragraph">Kijk of alles klopt. Na het indienen kunt u niets meer veranderen.</p>
    ${parts.map(
      ({ step, title, facts }) => html`<section class="summary" key=${title}>
        <div class="summary__head"><h3 class="utrecht-heading-3">${title}</h3>
          <button type="button" class="utrecht-link-button utrecht-link-button--html-button" onClick=${() => goTo(step)}>Wijzig<span class="visually-hidden"> ${title}</span></button></div>
        <${Facts} of=${facts} />
      </section>`,
    )}
    ${children}
    <${Alert} tone="info"><p>Met ‘Indienen’ zegt u dat u alles naar waarheid hebt ingevuld.</p><//>`;

/**
 * Returns the names of the documents as a list for the screen; the text `Geen` when there are none.
 * @param {readonly DraftDocument[]} documents
 */
export const documentsFact = (documents) =>
  documents.length === 0
    ? 'Geen'
    : html`<ul class="plain">${documents.map((one) => html`<li key=${one.localId ?? one.categoryId}>${one.channel === 'post' ? `${one.name} (per post)` : one.name}</li>`)}</ul>`;
