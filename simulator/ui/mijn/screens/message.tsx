import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import { Paper } from '../letter/paper.tsx';
import { Button, Screen } from '../parts.tsx';
import { persona, world } from '../session.ts';
import { dateText } from '../words.ts';
import { ExtraNote, readPost } from './mailbox.tsx';

/** A letter that the simulated register sent, with its text, as the control API returns it. */
export interface SentLetter {
  subject: string;
  letter: {
    sender: string[];
    addressee: string[];
    date: string | null;
    kenmerk: string | null;
    registratienummer: string | null;
    onderwerp: string;
    signature: string[];
    paragraphs: {
      list: string | null;
      heading?: boolean;
      spans: { text: string; bold: boolean; italic: boolean; underline: boolean }[];
    }[];
  };
}

/** Shows one letter from the mailbox, as on paper. */
export function Message({ id }: { id: string }) {
  const letter = useCall(
    (signal) =>
      readPost(`/${encodeURIComponent(id)}`, signal) as Promise<import('zorgregister-bff/client').Result<SentLetter>>,
    id,
  );
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
          <Paper
            label={content.onderwerp}
            top={content.sender}
            addressee={content.addressee}
            signature={content.signature}
            facts={[
              ...(content.date ? [['Datum', dateText(content.date)]] : []),
              ...(content.kenmerk ? [['Ons kenmerk', content.kenmerk]] : []),
              ...(content.registratienummer ? [['Registratienummer', content.registratienummer]] : []),
              ['Onderwerp', content.onderwerp],
            ]}
            paragraphs={content.paragraphs.map(({ list, heading = false, spans }) => ({
              list,
              heading,
              pieces: spans.map(({ text, bold, italic, underline }) => ({
                text,
                marks: [...(bold ? ['bold'] : []), ...(italic ? ['italic'] : []), ...(underline ? ['underline'] : [])],
              })),
            }))}
          />
        </>
      ))}
      <ExtraNote />
    </Screen>
  );
}
