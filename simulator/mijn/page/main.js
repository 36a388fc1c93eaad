import { html, render } from 'htm/preact';
import { peopleLoading, worksOnLetters } from './people.js';
import { Wizard } from './requests/wizard.js';
import { route } from './router.js';
import { Address } from './screens/address.js';
import { Application } from './screens/application.js';
import { Applications } from './screens/applications.js';
import { Details } from './screens/details.js';
import { herregistratie } from './screens/herregistratie.js';
import { intake } from './screens/intake.js';
import { Letter } from './screens/letter.js';
import { Mailbox } from './screens/mailbox.js';
import { Message } from './screens/message.js';
import { Overview } from './screens/overview.js';
import { Preview } from './screens/preview.js';
import { registratie } from './screens/registratie.js';
import { Start } from './screens/start.js';
import { Unknown } from './screens/unknown.js';
import { Who } from './screens/who.js';
import { persona } from './session.js';
import { Shell } from './shell.js';

const WIZARDS = { registratie, herregistratie, intake };

/**
 * Shows the screen that the address names, such as `#/aanvragen/<id>`; the list of personas when the address names no
 * persona.
 */
function CurrentScreen() {
  const [screen = worksOnLetters() ? 'brief' : 'overzicht', id, extra] = route.value;
  if (persona === null) return html`<${Who} />`;
  switch (screen) {
    case 'overzicht':
      return worksOnLetters() ? html`<${Letter} />` : html`<${Overview} />`;
    case 'aanvragen':
      return id === undefined
        ? html`<${Applications} />`
        : html`<${Application} key=${id} id=${id} wasSubmitted=${extra === 'ontvangen'} />`;
    case 'registratie':
    case 'herregistratie':
    case 'intake':
      return id === undefined
        ? html`<${Start} key=${screen} type=${screen} />`
        : html`<${Wizard} key=${id} wizard=${WIZARDS[screen]} id=${id} />`;
    case 'adres':
      return html`<${Address} />`;
    case 'gegevens':
      return html`<${Details} />`;
    case 'berichten':
      return id === undefined ? html`<${Mailbox} />` : html`<${Message} key=${id} id=${id} />`;
    case 'brief':
      return html`<${Letter} />`;
    case 'voorbeeld':
      return html`<${Preview} />`;
    default:
      return html`<${Unknown} />`;
  }
}

const App = () =>
  html`<${Shell}>${peopleLoading.value ? html`<p class="loading" role="status">Laden…</p>` : html`<${CurrentScreen} />`}<//>`;

const place = /** @type {HTMLElement} */ (document.getElementById('mijn'));
// Removes the text that the page showed while its modules were loaded.
place.replaceChildren();
render(html`<${App} />`, place);
