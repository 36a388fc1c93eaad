import { html } from 'htm/preact';
import { loaded } from '../calls/loaded.js';
import { useCall } from '../calls/outcome.js';
import { ButtonLink, Link, Panel, Screen, Tag } from '../parts.js';
import { client } from '../session.js';
import { dateText, REQUEST_NAMES, REQUEST_STATUS } from '../words.js';

/** @import { ApplicationSummaryDto } from 'zorgregister-bff/client' */

/**
 * Returns the segments of the address of an application: of its form for a draft, and otherwise of the screen with its
 * status.
 * @param {ApplicationSummaryDto} application
 */
export const placeOfRequest = ({ id, type, status }) =>
  status?.tag === 'Concept' ? [type ?? '', id ?? ''] : ['aanvragen', id ?? ''];

/** Shows all applications of the user, drafts first, and links to make a new one. */
export function Applications() {
  const applications = useCall((signal) => client.GET('/applications', { signal }));
  return html`<${Screen} title="Mijn aanvragen" lead="Alles wat u hebt aangevraagd, en wat u nog kunt afmaken.">
    ${loaded(applications, 'Uw aanvragen', (all) => {
      const drafts = all.filter(({ status }) => status?.tag === 'Concept');
      const others = all.filter(({ status }) => status?.tag !== 'Concept');
      return html`
        ${drafts.length > 0 && html`<${Panel} title="Nog afmaken"><${Requests} of=${drafts} /><//>`}
        <${Panel} title="Ingediend">${others.length > 0 ? html`<${Requests} of=${others} />` : html`<p class="empty">U hebt nog niets ingediend.</p>`}<//>`;
    })}
    <${Panel} title="Nieuwe aanvraag"><div class="buttons">
      <${ButtonLink} to=${['herregistratie']}>Herregistratie<//><${ButtonLink} to=${['registratie']}>Registratie<//>
      <${ButtonLink} to=${['intake']}>Intake<//><${ButtonLink} to=${['adres']}>Adres wijzigen<//>
    </div><//>
  <//>`;
}

/**
 * Returns the step of a draft application as text; empty when the draft was never saved, because the service then does
 * not know the number of steps.
 * @param {ApplicationSummaryDto['status']} status
 */
const stepText = (status) =>
  status?.stepCount ? ` · stap ${(status.stepIndex ?? 0) + 1} van ${status.stepCount}` : '';

/**
 * Shows applications as a list of links, each with its status.
 * @param {{ of: readonly ApplicationSummaryDto[] }} props
 */
export const Requests = ({ of }) =>
  html`<ul class="rows">${of.map((one) => {
    const { id, type, status, updatedAt, submittedAt } = one;
    const name = REQUEST_NAMES[type ?? ''] ?? type;
    const isDraft = status?.tag === 'Concept';
    return html`<li key=${id} class="row-item">
    <div class="row-item__main">
      <strong><${Link} to=${placeOfRequest(one)}>${isDraft ? `Ga verder met uw ${name?.toLowerCase()}` : name}<//></strong>
      <span class="small">${isDraft ? `Bewaard op ${dateText(updatedAt)}${stepText(status)}` : html`Ingediend op ${dateText(submittedAt)} · <span class="nowrap">${status?.referentie}</span>`}</span>
      ${status?.reden && html`<span>${status.reden}</span>`}
    </div>
    <${Tag} of=${REQUEST_STATUS[status?.tag ?? '']} name=${status?.tag} />
  </li>`;
  })}</ul>`;
