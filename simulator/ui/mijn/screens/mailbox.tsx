import { Empty } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import { Link, Panel, Screen, Tag } from '../parts.tsx';
import { persona, world } from '../session.ts';
import { dateText } from '../words.ts';

/**
 * A letter that the simulated register sent, without its text, as in the list of the mailbox. `date` is the date of
 * sending (`YYYY-MM-DD`). `referentie` is the reference of the request that the letter is about; null when it is about
 * none.
 */
type LetterSummary = {
  id: string;
  date: string;
  kind: string;
  channel: string;
  subject: string;
  referentie: string | null;
};

/** Shows a note which says that only the simulator has a mailbox: the API of the service has no letters. */
export const ExtraNote = () => (
  <div class="extra no-print">
    <p class="extra__mark">Extra van de simulator</p>
    <p>De API van het register geeft geen brieven. Een echt portaal zou hier naar de Berichtenbox verwijzen.</p>
  </div>
);

/**
 * The problem code and the Dutch texts for a message that does not exist. They replace those of the control API, which
 * are not written for citizens.
 */
const NO_MESSAGE = {
  code: 'bericht-onbekend',
  title: 'Dit bericht is er niet',
  detail: 'U hebt op deze dag geen bericht met dit adres.',
};

/** The same for a person who is not in this world. */
const NO_PERSON = { code: 'identiteit-onbekend', title: 'Deze persoon is niet bekend' };

/**
 * Reads the list of letters to the user, or one letter, from the control API of the simulator. Rejects when there is no
 * answer.
 * @param path empty for the list; `/<id>` for one letter
 */
export async function readPost<Data>(
  path: string,
  signal: AbortSignal,
): Promise<import('zorgregister-bff/client').Result<Data>> {
  const response = await fetch(`/_simulator/worlds/${encodeURIComponent(world)}/post/${persona}${path}`, { signal });
  const body = await response.json();
  if (response.ok) return { data: body, response };
  const texts = body.code === 'persona-onbekend' ? NO_PERSON : NO_MESSAGE;
  const problem = response.status === 404 ? { ...body, ...texts } : body;
  return { problem, operation: `GET /post${path}`, retryAfter: null, response };
}

/** Reads the list of letters to the user, newest first, when the screen opens (see `useCall`). */
export const useMailbox = () =>
  useCall(async (signal) => {
    const result = await readPost('', signal);
    return result.problem ? result : { ...result, data: (result.data as LetterSummary[]).toReversed() };
  });

const CHANNELS = { berichtenbox: 'Berichtenbox', post: 'Per post' } as Record<string, string>;

export function Mailbox() {
  const mailbox = useMailbox();
  return (
    <Screen title="Berichten" lead="Wat het register u heeft gestuurd.">
      <ExtraNote />
      {loaded(mailbox, 'Uw berichten', (letters) => (
        <Panel title="Ontvangen">
          {letters.length > 0 ? <Letters of={letters} /> : <Empty>U hebt nog geen brieven.</Empty>}
        </Panel>
      ))}
    </Screen>
  );
}

/** Shows letters as a list of links. */
export const Letters = ({ of }: { of: readonly LetterSummary[] }) => (
  <ul class="rows">
    {of.map(({ id, subject, date, channel }) => (
      <li key={id} class="row-item">
        <div class="row-item__main">
          <strong>
            <Link to={['berichten', id]}>{subject}</Link>
          </strong>
          <span class="small">{dateText(date)}</span>
        </div>
        <Tag of={[CHANNELS[channel] ?? channel, 'neutral']} />
      </li>
    ))}
  </ul>
);
