import type { LetterSectionDto, PlaceholderDefDto } from 'zorgregister-bff/client';
import { Paper } from '../../components/paper.tsx';
import { piecesOf } from './text.ts';

interface LetterPaperProps {
  sections: readonly LetterSectionDto[];
  placeholders: ReadonlyMap<string, PlaceholderDefDto>;
}

/** Shows a letter as it looks on paper. Placeholders that are not filled in are marked. */
export function LetterPaper({ sections, placeholders }: LetterPaperProps) {
  const paragraphs = sections
    .flatMap(({ blocks }) => blocks ?? [])
    .flatMap(({ content }) => content?.paragraphs ?? [])
    .map((one) => piecesOf(one, placeholders));
  return <Paper label="De brief op papier" paragraphs={paragraphs} />;
}
