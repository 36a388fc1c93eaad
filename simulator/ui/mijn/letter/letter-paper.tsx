import type { ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type BriefDto, type LetterSectionDto, type Persona, personaHeaders } from 'zorgregister-bff/client';
import { letterFrom } from '../../../letters/from-sections.ts';
import type { Letter } from '../../../letters/letter.ts';
import { LetterPaper } from '../../components/paper.tsx';
import { loaded } from '../calls/failure.tsx';
import { useCall } from '../calls/outcome.ts';
import { persona, world } from '../session.ts';
import { toParagraph } from './rich-text.ts';

/** Returns a letter that people of the register work on, in the form in which a letter is shown and sent. */
export function letterOf({ status, placeholders }: BriefDto, sections: readonly LetterSectionDto[]): Letter {
  const known = new Map(placeholders.map((one) => [one.key, one]));
  const shown = sections.map(({ sectionKey, blocks }) => ({
    key: sectionKey,
    paragraphs: blocks.flatMap(({ content }) => content.paragraphs.map((one) => toParagraph(one, known))),
  }));
  return letterFrom(shown, status.sentAt, status.tag);
}

const BriefPaper = ({ brief, sections }: { brief: BriefDto; sections: readonly LetterSectionDto[] }) => (
  <LetterPaper label="De brief op papier" of={letterOf(brief, sections)} />
);

/** Shows the letter beside its text: on paper while it is written, and then as PDF. The paper scrolls with the text. */
export function PaperBeside({ isWritten, ...letter }: ComponentProps<typeof BriefPaper> & { isWritten: boolean }) {
  const paper = useRef<HTMLElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    const toCaret = () => showBeside(paper.current, withCaret());
    const toText = () => showBeside(paper.current, withCaret() ?? textsOnScreen(innerHeight / 4)[0]);
    toCaret();
    document.addEventListener('selectionchange', toCaret, stop);
    document.addEventListener('scroll', toText, stop);
    return () => stop.abort();
  });
  return (
    <section ref={paper} class="letter-columns__paper" aria-label="Op papier" tabindex={0}>
      {isWritten ? <BriefPaper {...letter} /> : <BriefPdf brief={letter.brief} />}
    </section>
  );
}

const PARAGRAPH = ':is(p, h2, li)';

/** Returns the paragraphs beside the paper that are on the screen, and begin below `top`. */
const textsOnScreen = (top = 0) =>
  [...document.querySelectorAll(`.block__text ${PARAGRAPH}`)].filter((one) => {
    const place = one.getBoundingClientRect();
    return one.checkVisibility() && place.top >= top && place.top < innerHeight;
  });

const withCaret = () => textsOnScreen().find((one) => one.contains(getSelection()?.anchorNode ?? null));

/** Scrolls the paper, when it does not show this paragraph, until it is beside it. */
function showBeside(paper: Element | null, text: Element | undefined) {
  const wordsOf = ({ textContent }: Element) => textContent?.replaceAll(/\s/g, '');
  const printed = text && [...(paper?.querySelectorAll(PARAGRAPH) ?? [])].find((one) => wordsOf(one) === wordsOf(text));
  if (!paper || !printed) return;
  const view = paper.getBoundingClientRect();
  const { top, bottom } = printed.getBoundingClientRect();
  if (top < view.top || bottom > Math.min(view.bottom, innerHeight))
    paper.scrollTop += top - text.getBoundingClientRect().top;
}

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
