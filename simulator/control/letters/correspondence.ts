import * as z from 'zod';
import { correspondenceOf, type SentLetter } from '../../correspondence/index.ts';
import { letterPdf } from '../../letters/pdf.ts';
import { letterText } from '../../letters/text.ts';
import { type ControlDeps, loginNamed, slugOf, worldNamed } from '../deps.ts';
import { ok, operation } from '../operation.ts';
import { ControlError } from '../refusals.ts';
import { SentLetter as SentLetterSchema, SentLetterSummary } from './schema.ts';

const TAG = 'Post';

/**
 * Operations that list the letters sent by the register to a person, and that show one letter as JSON, text
 * or PDF.
 */
export const correspondenceOperations = [
  operation({
    id: 'post',
    method: 'GET',
    path: '/worlds/{world}/post/{persona}',
    tag: TAG,
    forAudience: true,
    description: 'List the letters that the register sent to a persona up to today, oldest first',
    guide: [['The letters that the register sent somebody', 'Post: Post van', 'post sanne-de-wit']],
    tool: { name: 'list_letters', advice: 'read_letter shows the text of one.' },
    answers: { 200: z.array(SentLetterSummary) },
    handle: ({ params }, deps) => ok(lettersOf(deps, params).map(summaryOf)),
  }),

  operation({
    id: 'postLetter',
    method: 'GET',
    path: '/worlds/{world}/post/{persona}/{letter}',
    tag: TAG,
    forAudience: true,
    description: 'Show a letter that the register sent, in parts and as plain text',
    guide: [['One of them, as on paper', 'Post: Toon', 'post sanne-de-wit oproep-30-2026-04-01']],
    answers: { 200: SentLetterSchema },
    handle({ params }, deps) {
      const found = letterNamed(deps, params);
      return ok({ ...summaryOf(found), text: letterText(found.letter), letter: found.letter });
    },
  }),

  operation({
    id: 'postText',
    method: 'GET',
    path: '/worlds/{world}/post/{persona}/{letter}/text',
    tag: TAG,
    description: 'Show a letter that the register sent as plain text',
    guide: [['The same as plain text', 'Post: Toon', 'post sanne-de-wit oproep-30-2026-04-01']],
    media: 'text/plain',
    tool: { name: 'read_letter', advice: 'list_letters has the ids of the letters.' },
    answers: { 200: null },
    handle: ({ params }, deps) => ({
      status: 200,
      text: letterText(letterNamed(deps, params).letter),
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    }),
  }),

  operation({
    id: 'postPdf',
    method: 'GET',
    path: '/worlds/{world}/post/{persona}/{letter}/pdf',
    tag: TAG,
    forAudience: true,
    description: 'Show a letter that the register sent as PDF',
    guide: [['The same as PDF', 'Post: PDF', 'post sanne-de-wit oproep-30-2026-04-01 --pdf <file>']],
    media: 'application/pdf',
    answers: { 200: null },
    async handle({ params }, deps) {
      const { id, letter } = letterNamed(deps, params);
      const headers = { 'Content-Type': 'application/pdf', 'Content-Disposition': `inline; filename="${id}.pdf"` };
      return { status: 200, bytes: await letterPdf(letter), headers };
    },
  }),
];

type Params = Readonly<Record<string, string>>;

/**
 * Returns the letters that the register has sent to the person in the path, up to the current day of the world. Throws
 * a 404 when there is no such person, or when the person is staff and gets no letters.
 */
function lettersOf(deps: ControlDeps, params: Params): SentLetter[] {
  const world = worldNamed(params);
  const here = deps.worlds.at(world);
  const login = loginNamed(deps, world, params.persona ?? '');
  const found = here.byLogin(login);
  if (found !== null) return correspondenceOf(here, found);
  throw new ControlError(
    404,
    'persona-zonder-post',
    `${slugOf(login)} staat niet in het register en krijgt geen brieven. Kies een zorgverlener, bijvoorbeeld sanne-de-wit.`,
  );
}

function letterNamed(deps: ControlDeps, params: Params): SentLetter {
  const letters = lettersOf(deps, params);
  const found = letters.find(({ id }) => id === params.letter);
  if (found !== undefined) return found;
  const known = letters.map(({ id }) => id).join(', ');
  throw new ControlError(
    404,
    'brief-onbekend',
    `Die brief is er vandaag niet. ${known ? `Er zijn: ${known}.` : 'Er is nog niets gestuurd.'}`,
  );
}

const summaryOf = ({ id, kind, date, channel, referentie, letter }: SentLetter) => ({
  id,
  date,
  kind,
  channel,
  subject: letter.onderwerp,
  referentie,
});
