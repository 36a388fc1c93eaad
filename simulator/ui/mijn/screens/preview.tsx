import { Button, Empty } from '../../components/parts.tsx';
import { loaded } from '../calls/loaded.tsx';
import { useCall } from '../calls/outcome.ts';
import { BriefPdf } from '../letter/letter-paper.tsx';
import { Screen, Tag } from '../parts.tsx';
import { client } from '../session.ts';
import { LETTER_STATUS } from '../words.ts';

/** Shows the current letter as it is sent, without its editor, to read or print it. */
export function Preview() {
  const letter = useCall((signal) => client.GET('/brief', { signal }));
  return (
    <Screen title="De brief op papier">
      {loaded(letter, 'De brief', ({ brief }) =>
        brief === null ? (
          <Empty>Er is nu geen brief.</Empty>
        ) : (
          <>
            <div class="letter-bar no-print">
              <Tag of={LETTER_STATUS[brief.status?.tag ?? '']} />
              {!navigator.pdfViewerEnabled && <Button onClick={() => print()}>Afdrukken</Button>}
            </div>
            <BriefPdf brief={brief} />
          </>
        ),
      )}
    </Screen>
  );
}
