import { useEffect, useState } from 'preact/hooks';
import { type BriefDto, type LetterSectionDto, type Persona, personaHeaders } from 'zorgregister-bff/client';
import { toLetter } from '../../../letters/from-sections.ts';
import type { Letter } from '../../../letters/letter.ts';
import { LetterPaper } from '../../components/paper.tsx';
import { loaded } from '../calls/failure.tsx';
import { useCall } from '../calls/outcome.ts';
import { persona, world } from '../session.ts';
import { toParagraph } from './rich-text.ts';

/** Returns a letter that people of the register work on, in the form in which a letter is shown and sent. */
export function letterOf({ status, placeholders }: BriefDto, sections: readonly LetterSectionDto[]): Letter {
  const known = new Map(placeholders.map((one) => [one.key, one]));
  const secties = sections.map(({ sectionKey, title, blocks }) => ({
    sleutel: sectionKey,
    titel: title,
    alineas: blocks
      .flatMap(({ content }) => content.paragraphs)
      .map((one) => {
        const { list, spans } = toParagraph(one, known);
        return {
          lijst: list && LISTS[list],
          delen: spans.map(({ text, bold = false, italic = false, underline = false }) => ({
            tekst: text,
            vet: bold,
            cursief: italic,
            onderstreept: underline,
          })),
        };
      }),
  }));
  return toLetter(secties, status.sentAt, status.tag);
}

const LISTS = { bullet: 'opsomming', number: 'nummering' } as const;

export const BriefPaper = ({ brief, sections }: { brief: BriefDto; sections: readonly LetterSectionDto[] }) => (
  <LetterPaper label="De brief op papier" of={letterOf(brief, sections)} />
);

/** Reads the PDF of the current letter. Its data is the URL of the PDF, which exists while the screen is open. */
function usePdf(version: string) {
  const read = useCall(async (signal) => {
    const headers = { Authorization: 'Bearer dev', ...personaHeaders((persona ?? '') as Persona, world) };
    const response = await fetch('/api/v1/brief/pdf', { headers, signal });
    if (response.ok) return { data: await response.blob(), response };
    return { problem: await response.json(), operation: 'GET /brief/pdf', retryAfter: null, response };
  }, version);
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (read.data === undefined) return;
    const made = URL.createObjectURL(read.data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [read.data]);
  return { ...read, data: read.data && url };
}

/** Shows the PDF of the letter, which is what is sent; as on paper in a browser that shows no PDF in a page. */
export function BriefPdf({ brief }: { brief: BriefDto }) {
  const pdf = usePdf(JSON.stringify(brief.status));
  return (
    <>
      {loaded(pdf, 'De pdf', (url) => (
        <p class="no-print">
          <a class="utrecht-link utrecht-link--html-a" href={url} target="_blank" rel="noopener">
            Open de brief als pdf<span class="visually-hidden"> (nieuw tabblad)</span>
          </a>
        </p>
      ))}
      {navigator.pdfViewerEnabled && pdf.data ? (
        <iframe class="pdf" title="De brief als pdf" src={`${pdf.data}#navpanes=0&view=FitH`} />
      ) : (
        <BriefPaper brief={brief} sections={brief.sections} />
      )}
    </>
  );
}
