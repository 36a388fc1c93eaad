import type { ComponentChildren } from 'preact';
import { addressAs, currentPerson, groupsOf, LOGGED_OUT_PAGE, people, worksOnLetters } from './people.ts';
import { linkTo, route } from './router.ts';
import { logOut, persona, showsSwitcher, today, world } from './session.ts';
import { dateText } from './words.ts';

const CITIZEN_MENU = [
  ['overzicht', 'Overzicht', ['overzicht']],
  ['aanvragen', 'Mijn aanvragen', ['aanvragen', 'registratie', 'herregistratie', 'intake']],
  ['berichten', 'Berichten', ['berichten']],
  ['gegevens', 'Mijn gegevens', ['gegevens', 'adres']],
] as const;
const LETTER_MENU = [
  ['brief', 'Brief', ['brief']],
  ['voorbeeld', 'Op papier', ['voorbeeld']],
] as const;

export function Shell({ children }: { children?: ComponentChildren }) {
  const [screen = 'overzicht'] = route.value;
  const forLetters = worksOnLetters();
  const menu = forLetters ? LETTER_MENU : CITIZEN_MENU;
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link for the browser; see `skip` */}
      <a class="utrecht-skip-link utrecht-skip-link--visible-on-focus" href="#inhoud" onClick={skip}>
        Naar de inhoud
      </a>
      {showsSwitcher && <Switcher />}
      <header class="masthead">
        <div class="masthead__top">
          <div class="brand">
            <span class="brand__ribbon" aria-hidden="true" />
            <p class="brand__name">
              Zorgregister<span class="brand__sub">Register van zorgverleners</span>
            </p>
          </div>
        </div>
        <div class="bar">
          <div class="bar__inside">
            <p class="bar__title">{forLetters ? 'Brieven' : 'Mijn register'}</p>
            {persona !== null && (
              <>
                <nav aria-label="Hoofdmenu">
                  <ul class="menu">
                    {menu.map(([to, text, active]) => (
                      <li key={to}>
                        <a
                          class="menu__link"
                          href={linkTo(to)}
                          aria-current={
                            active.some((one) => one === screen) ||
                            (forLetters && to === 'brief' && screen === 'overzicht')
                              ? 'page'
                              : undefined
                          }
                        >
                          {text}
                        </a>
                      </li>
                    ))}
                  </ul>
                </nav>
                <p class="bar__who">
                  <span class="visually-hidden">Ingelogd als </span>
                  {currentPerson()?.naam ?? persona}
                  <a class="bar__logout" href={LOGGED_OUT_PAGE} onClick={logOut}>
                    Uitloggen
                  </a>
                </p>
              </>
            )}
          </div>
        </div>
      </header>
      <main id="inhoud" tabindex={-1} class="content">
        {children}
      </main>
      <footer class="footer no-print">
        <div class="footer__inside">
          <p>Dit is een voorbeeld van een portaal op het zorgregister. Alle personen en gegevens zijn verzonnen.</p>
        </div>
      </footer>
    </>
  );
}

/** Moves the focus to the content. A link could not: the part of the address after `#` names the screen. */
function skip(event: Event) {
  event.preventDefault();
  document.getElementById('inhoud')?.focus();
}

/** Shows the bar of the simulator above the portal. */
function Switcher() {
  const isListed = people.value.some(({ slug }) => slug === persona);
  const isOnly = (naam: string) => people.value.filter((one) => one.naam === naam).length < 2;
  return (
    <aside class="switcher no-print" aria-label="Simulator">
      <form class="switcher__inside" onSubmit={switchPersona}>
        <strong class="switcher__mark">Simulator</strong>
        <label for="wissel-persoon">U kijkt als</label>
        <select id="wissel-persoon" name="als">
          {persona === null && <option value="">kies iemand</option>}
          {persona !== null && !isListed && <option value={persona}>{persona}</option>}
          {groupsOf(people.value).map(([title, some]) => (
            <optgroup label={title} key={title}>
              {some.map(({ slug, naam }) => (
                <option value={slug} key={slug} selected={slug === persona}>
                  {isOnly(naam) ? naam : `${naam} (${slug})`}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <button type="submit" class="switcher__button">
          Wissel
        </button>
        <span class="switcher__facts">
          wereld <strong>{world}</strong> · het is er <strong>{dateText(today.value)}</strong>
        </span>
        <a href={`/_simulator/${world === 'default' ? '' : `?wereld=${encodeURIComponent(world)}`}`} target="_top">
          Naar de console
        </a>
      </form>
    </aside>
  );
}

/** For a button, and not for the list itself: with the keyboard a list changes at each arrow key. */
function switchPersona(event: SubmitEvent) {
  event.preventDefault();
  const slug = new FormData(event.target as HTMLFormElement).get('als');
  if (slug) location.assign(addressAs(String(slug)));
}
