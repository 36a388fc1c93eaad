import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { startAgain } from './parts.tsx';
import { peopleLoading, worksOnLetters } from './people.ts';
import { Wizard } from './requests/wizard.tsx';
import { route } from './router.ts';
import { Address } from './screens/address.tsx';
import { Application } from './screens/application.tsx';
import { Applications } from './screens/applications.tsx';
import { Details } from './screens/details.tsx';
import { herregistratie } from './screens/herregistratie.tsx';
import { intake } from './screens/intake.tsx';
import { Letter } from './screens/letter.tsx';
import { Mailbox } from './screens/mailbox.tsx';
import { Message } from './screens/message.tsx';
import { Overview } from './screens/overview.tsx';
import { Preview } from './screens/preview.tsx';
import { registratie } from './screens/registratie.tsx';
import { Start } from './screens/start.tsx';
import { Unknown } from './screens/unknown.tsx';
import { Who } from './screens/who.tsx';
import { persona } from './session.ts';
import { Shell } from './shell.tsx';

const WIZARDS = { registratie, herregistratie, intake };

/**
 * Shows the screen that the address names, such as `#/aanvragen/<id>`; the list of personas when the address names no
 * persona.
 */
function CurrentScreen() {
  const [screen = worksOnLetters() ? 'brief' : 'overzicht', id, extra] = route.value;
  if (persona === null) return <Who />;
  switch (screen) {
    case 'overzicht':
      return worksOnLetters() ? <Letter /> : <Overview />;
    case 'aanvragen':
      return id === undefined ? (
        <Applications />
      ) : (
        <Application key={id} id={id} wasSubmitted={extra === 'ontvangen'} />
      );
    case 'registratie':
    case 'herregistratie':
    case 'intake':
      return id === undefined ? (
        <Start key={screen} type={screen} />
      ) : (
        <Wizard key={id} wizard={WIZARDS[screen]} id={id} />
      );
    case 'adres':
      return <Address />;
    case 'gegevens':
      return <Details />;
    case 'berichten':
      return id === undefined ? <Mailbox /> : <Message key={id} id={id} />;
    case 'brief':
      return <Letter />;
    case 'voorbeeld':
      return <Preview />;
    default:
      return <Unknown />;
  }
}

function App() {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    // The console says that the service is in another state: the screen is shown as if it was just opened.
    addEventListener('world-changed', () => {
      startAgain();
      setTurn((before) => before + 1);
    });
  }, []);
  return (
    <Shell>
      {peopleLoading.value ? (
        <p class="loading" role="status">
          Laden…
        </p>
      ) : (
        <CurrentScreen key={turn} />
      )}
    </Shell>
  );
}

const place = document.getElementById('mijn') as HTMLElement;
// Removes the text that the page showed while its modules were loaded.
place.replaceChildren();
render(<App />, place);
