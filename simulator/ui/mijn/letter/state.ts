import { useEffect, useMemo, useState } from 'preact/hooks';
import type { BriefDto, LetterSectionDto, LibraryPassageDto } from 'zorgregister-bff/client';
import { outcomeOf } from '../calls/outcome.ts';
import { createSaver } from '../forms/saver.ts';
import { client } from '../session.ts';

/**
 * Reads the letter from the service when the screen opens. Returns `brief`, the letter (undefined until it is read,
 * null when there is none), `passages`, the standard texts for the letter, and `saver`, which saves the sections of the
 * letter (see `createSaver`).
 */
export function useLetter() {
  const [brief, setBrief] = useState<BriefDto | null | undefined>(undefined);
  const [passages, setPassages] = useState<readonly LibraryPassageDto[]>([]);
  const saver = useMemo(
    () =>
      createSaver({
        name: 'brief',
        async read() {
          const outcome = await outcomeOf(client.GET('/brief'));
          if (outcome.failure) return outcome;
          setBrief(outcome.data.brief);
          setPassages(outcome.data.availablePassages ?? []);
          return { data: outcome.data.brief?.sections ?? [], response: outcome.response };
        },
        async write(sections: LetterSectionDto[], headers) {
          const outcome = await outcomeOf(client.PUT('/brief', { body: { sections }, headers }));
          if (outcome.data) setBrief(outcome.data);
          return outcome;
        },
      }),
    [],
  );
  useEffect(() => {
    saver.open();
    return () => void saver.save();
  }, [saver]);
  return { brief, passages, saver };
}
