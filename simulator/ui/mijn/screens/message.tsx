import type { Result } from 'zorgregister-bff/client';
import type { SentLetter } from '../../../../testing/types.ts';
import { LetterPaper } from '../../components/paper.tsx';
import { Button } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import { Screen } from '../parts.tsx';
import { persona, world } from '../session.ts';
import { ExtraNote, readPost } from './mailbox.tsx';

/** Shows one letter from the mailbox, as on paper. */
export function Message({ id }: { id: string }) {
  const letter = useCall((signal) => readPost(`/${encodeURIComponent(id)}`, signal) as Promise<Result<SentLetter>>, id);
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
