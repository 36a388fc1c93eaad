import { signal } from '@preact/signals';
import { type ComponentType, render } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { hasWords } from '../../words.ts';
import { TextField } from '../components/fields.tsx';
import { Alert } from '../components/parts.tsx';
import { ButtonLink, Loading, Panel, Screen, startAgain } from './parts.tsx';
import { addressAs, groupsOf, LOGGED_OUT_PAGE, people, peopleLoading, worksOnLetters } from './people.ts';
import { WIZARDS } from './requests/kinds.tsx';
import { Wizard } from './requests/wizard.tsx';
import { route, ScreenContext } from './router.ts';
import { Address } from './screens/address.tsx';
import { Application } from './screens/application.tsx';
import { Applications } from './screens/applications.tsx';
import { Details } from './screens/details.tsx';
import { Mailbox, Message } from './screens/mailbox.tsx';
import { Overview } from './screens/overview.tsx';
import { Start } from './screens/start.tsx';
import { isLoggedOut, persona, world } from './session.ts';
import { Shell } from './shell.tsx';

function Who() {
  const [words, setWords] = useState('');
  const [screen] = useContext(ScreenContext).address;
  const matches = people.value.filter(({ naam, toont }) => hasWords(() => `${naam} ${toont}`, words));
  return (
    <Screen title="Wie bent u?" lead="In een echt register zou u hier inloggen. In de simulator kiest u een persoon.">
      {screen === 'uitgelogd' && (
        <Alert tone="positive" role="status" title="U bent uitgelogd">
          <p>Op dit apparaat staan uw gegevens niet meer op het scherm, ook niet met de knop Vorige.</p>
        </Alert>
      )}
      <TextField id="zoek" label="Zoek op naam of situatie" value={words} onInput={setWords} />
      {groupsOf(matches).map(
        ([title, some]) =>
          some.length > 0 && (
            <Panel title={title} key={title}>
              <ul class="cards">
                {some.map(({ slug, naam, toont }) => (
                  <li key={slug} class="card">
                    <a class="utrecht-link utrecht-link--html-a card__link" href={addressAs(slug)}>
                      {naam}
                    </a>
                    <span>{toont}</span>
                  </li>
                ))}
              </ul>
            </Panel>
          ),
      )}
      {matches.length === 0 && (
        <p role="status">
          Niemand gevonden. Zoek verder in de console, bij{' '}
          <a
            class="utrecht-link utrecht-link--html-a"
            href={`/_simulator/?${new URLSearchParams({ wereld: world, links: 'zoeken' })}`}
            target="_top"
          >
            Meer personen
          </a>
          .
        </p>
      )}
    </Screen>
  );
}

const Unknown = () => (
  <Screen title="Deze pagina bestaat niet" lead="Misschien is de link oud, of hebt u een letter gemist.">
    <p>
      <ButtonLink to={[]} look="primary">
        Naar de eerste pagina
      </ButtonLink>
    </p>
  </Screen>
);

const letterScreens = signal<Record<'Letter' | 'Preview', ComponentType> | null>(null);

/** Shows a screen of people who work on letters. Its module has the editor, which the page of a citizen does not load. */
function LetterScreen({ name }: { name: 'Letter' | 'Preview' }) {
  useEffect(() => {
    void import('./screens/letter.tsx').then(({ Letter, Preview }) => (letterScreens.value = { Letter, Preview }));
  }, []);
  const Loaded = letterScreens.value?.[name];
  if (Loaded) return <Loaded />;
  return (
    <Screen title="Brief">
      <Loading>De brief laden…</Loading>
    </Screen>
  );
}

/** Shows the screen that the address names, such as `#/aanvragen/<id>`. */
function CurrentScreen() {
  const [screen = worksOnLetters() ? 'brief' : 'overzicht', id, extra] = useContext(ScreenContext).address;
  if (persona === null) return <Who />;
  switch (screen) {
    case 'overzicht':
      return worksOnLetters() ? <LetterScreen name="Letter" /> : <Overview />;
    case 'aanvragen':
      if (id === undefined) return <Applications />;
      return <Application key={id} id={id} wasSubmitted={extra === 'ontvangen'} />;
    case 'registratie':
    case 'herregistratie':
    case 'intake':
      if (id === undefined) return <Start key={screen} type={screen} />;
      return <Wizard key={`${screen}/${id}`} wizard={WIZARDS[screen]} id={id} />;
    case 'adres':
      return <Address />;
    case 'gegevens':
      return <Details />;
    case 'berichten':
      return id === undefined ? <Mailbox /> : <Message key={id} id={id} />;
    // Not left to the service: for that a professional without a role is a drafter (specification.md, "Authentication 3").
    case 'brief':
      return worksOnLetters() ? <LetterScreen name="Letter" /> : <Unknown />;
    case 'voorbeeld':
      return worksOnLetters() ? <LetterScreen name="Preview" /> : <Unknown />;
    default:
      return <Unknown />;
  }
}

/** The keys of the screens in the page: the one that is shown, and the hidden one that replaces it when it has its data. */
const screens = signal([0]);

// The console says that the service is in another state: the screen is shown as if it was just opened.
addEventListener('world-changed', () => {
  // A person who is typing keeps the screen, which reads its data again.
  if (document.hasFocus() && document.activeElement?.matches('input, select, textarea, [contenteditable]')) {
    dispatchEvent(new Event('data-changed'));
    return;
  }
  startAgain();
  const [shown = 0, next = shown] = screens.value;
  screens.value = [shown, next + 1];
});

/** Milliseconds after which a screen is shown also while it still loads, so that the user sees what is slow. */
const MAX_WAIT = 500;

/** Contains a screen; while it is hidden, waits for its data and then shows it in place of the one before it. */
function Place({ id, isShown }: { id: number; isShown: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const address = useRef(route.value);
  const isLeaving = isShown && screens.value.length > 1;
  if (!isLeaving) address.current = route.value;
  useEffect(() => {
    const element = place.current;
    if (isShown || element === null) return;
    const show = () => {
      element.hidden = false;
      takeFocus(element);
      screens.value = [id];
    };
    // The letter on paper beside its text may come later.
    const showWhenLoaded = () => element.querySelector('.loading:not(.letter-columns__paper *)') === null && show();
    const timer = setTimeout(show, MAX_WAIT);
    const changes = new MutationObserver(showWhenLoaded);
    changes.observe(element, { childList: true, subtree: true });
    showWhenLoaded();
    return () => {
      clearTimeout(timer);
      changes.disconnect();
    };
  }, [isShown]);
  return (
    <div hidden={!isShown} ref={place}>
      <ScreenContext.Provider value={{ address: address.current, isLeaving }}>
        <CurrentScreen />
      </ScreenContext.Provider>
    </div>
  );
}

/** Moves the focus from an element of the screen that is shown to the same element of the next one. */
function takeFocus(next: HTMLElement) {
  const focused = document.activeElement;
  // Not when the focus is outside this frame.
  if (!document.hasFocus() || focused === null || !next.previousElementSibling?.contains(focused)) return;
  const same = [...next.querySelectorAll<HTMLElement>(focused.localName)].find(
    ({ id, textContent }) => id === focused.id && textContent === focused.textContent,
  );
  (same ?? next.querySelector('h1'))?.focus({ preventScroll: true });
}

function App() {
  return (
    <Shell>
      {peopleLoading.value ? (
        <Loading>Laden…</Loading>
      ) : (
        screens.value.map((id, index) => <Place key={id} id={id} isShown={index === 0} />)
      )}
    </Shell>
  );
}

const place = document.getElementById('mijn') as HTMLElement;
// Removes the text that the page showed while its modules were loaded.
place.replaceChildren();
if (isLoggedOut()) location.replace(LOGGED_OUT_PAGE);
else render(<App />, place);

// A browser can keep this page as it is, and show it again with Back.
addEventListener('pagehide', () => isLoggedOut() && place.replaceChildren());
addEventListener('pageshow', ({ persisted }) => persisted && isLoggedOut() && location.replace(LOGGED_OUT_PAGE));
