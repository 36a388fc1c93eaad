import type { Result } from 'zorgregister-bff/client';
import type { SentLetter, SentLetterSummary } from '../../../../testing/types.ts';
import { LetterPaper } from '../../components/paper.tsx';
import { Button, Empty } from '../../components/parts.tsx';
import { loaded } from '../calls/failure.tsx';
import { useCall } from '../calls/outcome.ts';
import { Extra, Link, Panel, Screen, Tag } from '../parts.tsx';
import { persona, world } from '../session.ts';
import { dateText } from '../words.ts';

const ExtraNote = () => (
  <Extra>In een echt portaal leest u deze brieven in de Berichtenbox, of krijgt u ze op papier.</Extra>
);

/** Replaces the texts of the control API, which are not written for citizens. */
const NO_MESSAGE = {
  code: 'bericht-onbekend',
  title: 'Dit bericht is er niet',
  detail: 'U hebt op deze dag geen bericht met dit adres.',
};

const NO_PERSON = { code: 'identiteit-onbekend', title: 'Deze persoon is niet bekend' };

/** Reads the letters to the user, or one letter (`/<id>`), from the control API of the simulator. */
async function readPost<Data>(path: string, signal: AbortSignal): Promise<Result<Data>> {
  const response = await fetch(`/_simulator/worlds/${encodeURIComponent(world)}/post/${persona}${path}`, { signal });
  const body = await response.json();
  if (response.ok) return { data: body, response };
  const texts = body.code === 'persona-onbekend' ? NO_PERSON : NO_MESSAGE;
  const problem = response.status === 404 ? { ...body, ...texts } : body;
  return { problem, operation: `GET /post${path}`, retryAfter: null, response };
}

/** The letters that come first on their day: what was decided says more than a reminder that follows from it. */
const DECISIONS: readonly string[] = ['brief', 'besluit', 'besluit-doorhaling'];

const isDecision = ({ kind }: SentLetterSummary) => DECISIONS.includes(kind);

/** Reads the letters to the user, newest first. */
export const useMailbox = () =>
  useCall(async (signal) => {
    const result = await readPost<SentLetterSummary[]>('', signal);
    if (result.problem) return result;
    const letters = result.data
      .toReversed()
      .sort((a, b) => b.date.localeCompare(a.date) || Number(isDecision(b)) - Number(isDecision(a)));
    return { ...result, data: letters };
  });

export function Mailbox() {
  const mailbox = useMailbox();
  return (
    <Screen title="Berichten" lead="Wat het register heeft gestuurd.">
      <ExtraNote />
      {loaded(mailbox, 'Uw berichten', (letters) => (
        <Panel title="Ontvangen">
          <Letters of={letters} />
        </Panel>
      ))}
    </Screen>
  );
}

export const Letters = ({ of }: { of: readonly SentLetterSummary[] }) =>
  of.length === 0 ? (
    <Empty>Er zijn geen brieven.</Empty>
  ) : (
    <ul class="rows">
      {of.map(({ id, subject, date, channel }) => (
        <li key={id} class="row-item">
          <div class="row-item__main">
            <strong>
              <Link to={['berichten', id]}>{subject}</Link>
            </strong>
            <span class="small">{dateText(date)}</span>
          </div>
          <Tag of={[channel === 'post' ? 'Per post' : 'Berichtenbox', 'neutral']} />
        </li>
      ))}
    </ul>
  );

export function Message({ id }: { id: string }) {
  const letter = useCall((signal) => readPost<SentLetter>(`/${encodeURIComponent(id)}`, signal), id);
  const pdf = `/_simulator/worlds/${encodeURIComponent(world)}/post/${persona}/${encodeURIComponent(id)}/pdf`;
  return (
    <Screen title={letter.data?.subject ?? 'Bericht'} back={{ to: ['berichten'], text: 'Berichten' }}>
      {loaded(letter, 'De brief', ({ letter: content }) => (
        <>
          <div class="buttons no-print">
            <Button onClick={() => print()}>Afdrukken</Button>
            <a
              class="utrecht-button utrecht-button--secondary-action button-link"
              href={pdf}
              target="_blank"
              rel="noopener"
            >
              Openen als pdf<span class="visually-hidden"> (nieuw tabblad)</span>
            </a>
          </div>
          <LetterPaper of={content} />
        </>
      ))}
      <ExtraNote />
    </Screen>
  );
}
