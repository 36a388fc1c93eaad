import { toVerzending } from '../../../adapters/register/brieven/map.ts';
import { type PlaceholderText, placeholderTextFor } from '../../../src/brief/answer.ts';
import { currentBrief } from '../../../src/brief/current.ts';
import { type BriefDeps, readLetterValues, usesOf } from '../../../src/brief/placeholders.ts';
import { fillIn, hasVisibleContent } from '../../../src/brief/rules.ts';
import { notFound } from '../../../src/http/exchange.ts';
import { forCallers } from '../../../src/http/operation/operation.ts';
import { dateOf } from '../../../src/ports/clock.ts';
import type { Brief } from '../../../src/ports/store/brief-store.ts';
import { asPrinted } from '../../../src/wire/typed-values.ts';
import { toLetter } from '../../letters/from-sections.ts';
import { highlightedPlaceholder, type Letter } from '../../letters/letter.ts';
import { letterPdf } from '../../letters/pdf.ts';

/** `GET /brief/pdf`: in development only, and not in the specification or the OpenAPI document. */
export const briefPdf = (deps: BriefDeps) => [
  forCallers({
    id: 'briefPdf',
    method: 'GET',
    path: '/brief/pdf',
    admits: 'letter',
    activity: 'brief-opstellen',
    tag: 'Brief',
    english: 'Returns the letter as PDF.',
    summary: 'De brief als pdf',
    // No schema, because the answer is a PDF.
    answers: { 200: null },
    stepUp: true,
    async handle(request) {
      const brief = await currentBrief(deps, request);
      if (brief === null) return notFound;
      const reading = placeholderTextFor(brief, await readLetterValues(deps, brief, request.call), request);
      const body = Buffer.from(await letterPdf(letterOf(brief, reading)));
      return { status: 200, body, headers: { 'Content-Type': 'application/pdf' } };
    },
  }),
];

/** A placeholder is highlighted when it has no text, or may no longer be used (`vervallen`). */
function letterOf(brief: Brief, reading: PlaceholderText): Letter {
  const labels = new Map(brief.placeholders.map(({ key, label }) => [key, label]));
  const use = usesOf(brief);
  const textOf = (key: string, typed: string | null): string => {
    const text = use(key) === 'vervallen' ? null : reading(key, typed);
    const isOpen = text === null || (text.trim() === '' && use(key) !== 'auto');
    return isOpen ? highlightedPlaceholder(labels.get(key) ?? key) : (asPrinted(key, text) ?? '');
  };
  const sections = brief.sections.map(({ sectionKey, title, blocks }) => {
    const paragraphs = blocks.flatMap(({ content }) => content.paragraphs);
    return { sectionKey, title, content: fillIn(paragraphs, textOf) };
  });
  const { inhoud } = toVerzending({
    opdrachtId: brief.opdrachtId,
    referentie: '',
    kanaal: 'post',
    besluit: null,
    uiterlijk: null,
    verzoek: null,
    sections: sections.filter(({ content }) => hasVisibleContent(content)),
  });
  const date = brief.sentAt === null ? null : dateOf(new Date(brief.sentAt));
  return toLetter(inhoud.secties, date, brief.tag);
}
