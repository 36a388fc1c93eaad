import { html } from 'htm/preact';
import { ButtonLink, Screen } from '../parts.js';

export const Unknown =
  () => html`<${Screen} title="Deze pagina bestaat niet" lead="Misschien is de link oud, of hebt u een letter gemist.">
  <p><${ButtonLink} to=${[]} look="primary">Naar de eerste pagina<//></p>
<//>`;
