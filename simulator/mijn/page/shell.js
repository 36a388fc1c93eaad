import { html } from 'htm/preact';
import { addressAs, currentPerson, people, worksOnLetters } from './people.js';
import { linkTo, route } from './router.js';
import { persona, showsSwitcher, today, world } from './session.js';
import { dateText } from './words.js';

const CITIZEN_MENU = /** @type {const} */ ([
  ['overzicht', 'Overzicht', ['overzicht']],
  ['aanvragen', 'Mijn aanvragen', ['aanvragen', 'registratie', 'herregistratie', 'intake']],
  ['berichten', 'Berichten', ['berichten']],
  ['gegevens', 'Mijn gegevens', ['gegevens', 'adres']],
]);
const LETTER_MENU = /** @type {const} */ ([
  ['brief', 'Brief', ['brief']],
  ['voorbeeld', 'Op papier', ['voorbeeld']],
]);

/** Shows the header, menu and footer around a screen. @param {{ children?: unknown }} props */
export function Shell({ children }) {
  const [screen = 'overzicht'] = route.value;
  const forLetters = worksOnLetters();
  const menu = forLetters ? LETTER_MENU : CITIZEN_MENU;
  return html`
    <a class="utrecht-skip-link utrecht-skip-link--visible-on-focus" href="#inhoud" onClick=${skip}>Naar de inhoud</a>
    ${showsSwitcher && html`<${Switcher} />`}
    <header class="masthead">
      <div class="masthead__top">
        <div class="brand"><span class="brand__ribbon" aria-hidden="true"></span>
          <p class="brand__name">Zorgregister<span class="brand__sub">Register van zorgverleners</span></p></div>
      </div>
      <div class="bar"><div class="bar__inside">
        <p class="bar__title">${forLetters ? 'Brieven' : 'Mijn register'}</p>
        ${
          persona !== null &&
          html`<nav aria-label="Hoofdmenu"><ul class="menu">${menu.map(
            ([to, text, active]) =>
              html`<li key=${to}><a class="menu__link" href=${linkTo(to)} aria-current=${active.some((one) => one === screen) || (forLetters && to === 'brief' && screen === 'overzicht') ? 'page' : undefined}>${text}</a></li>`,
          )}</ul></nav>
          <p class="bar__who"><span class="visually-hidden">Ingelogd als </span>${currentPerson()?.naam ?? persona}</p>`
        }
      </div></div>
    </header>
    <main id="inhoud" tabindex="-1" class="content">${children}</main>
    <footer class="footer no-print"><div class="footer__inside">
      <p>Dit is een voorbeeld van een portaal op het zorgregister. Alle personen en gegevens zijn verzonnen.</p>
      <p><a class="utrecht-link utrecht-link--html-a" href="/docs" target="_top">Beschrijving van de API</a></p>
    </div></footer>`;
}

/**
 * Moves the focus to the content. The browser may not follow the link, because the part of the address after `#` names
 * the screen.
 * @param {Event} event
 */
function skip(event) {
  event.preventDefault();
  document.getElementById('inhoud')?.focus();
}

/**
 * Shows a bar of the simulator above the portal, with the current persona and world, and a field to choose another
 * persona.
 */
function Switcher() {
  const groups = /** @type {const} */ ([
    ['Zorgverleners', people.value.filter(({ kind }) => kind === 'professional')],
    ['Medewerkers', people.value.filter(({ kind }) => kind !== 'professional')],
  ]);
  const isListed = persona === null || people.value.some(({ slug }) => slug === persona);
  return html`<aside class="switcher no-print" aria-label="Simulator">
    <form class="switcher__inside" onSubmit=${switchPersona}>
      <strong class="switcher__mark">Simulator</strong>
      <label for="wissel-persoon">U kijkt als</label>
      <select id="wissel-persoon" name="als" value=${persona ?? ''}>
        ${persona === null && html`<option value="">kies iemand</option>`}
        ${!isListed && html`<option value=${persona}>${persona}</option>`}
        ${groups.map(([title, some]) => html`<optgroup label=${title} key=${title}>${some.map(({ slug, naam }) => html`<option value=${slug} key=${slug} selected=${slug === persona}>${naam}</option>`)}</optgroup>`)}
      </select>
      <button class="switcher__button">Wissel</button>
      <span class="switcher__facts">wereld <strong>${world}</strong> · het is er <strong>${dateText(today.value)}</strong></span>
      <a href=${`/_simulator/${world === 'default' ? '' : `?wereld=${encodeURIComponent(world)}`}`} target="_top">Naar de console</a>
    </form>
  </aside>`;
}

/**
 * Opens this page as the persona that is chosen in the form; does nothing when none is chosen. A button does this and not
 * the list itself: with the keyboard a list changes at each arrow key.
 * @param {SubmitEvent} event
 */
function switchPersona(event) {
  event.preventDefault();
  const slug = new FormData(/** @type {HTMLFormElement} */ (event.target)).get('als');
  if (slug) location.assign(addressAs(String(slug)));
}
