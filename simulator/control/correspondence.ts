import * as z from 'zod';
import { correspondenceOf, type SentLetter } from '../correspondence/index.ts';
import { LETTER_KINDS } from '../correspondence/kinds.ts';
import { letterPdf } from '../letters/pdf.ts';
import { letterText } from '../letters/text.ts';
import { hasWords } from '../words.ts';
import { type ControlDeps, loginNamed, loginsIn, slugOf, worldNamed } from './deps.ts';
import { ControlAnswer, operation } from './operation.ts';
import { toRows } from './print.ts';
import { InboxLetter, SentLetter as SentLetterSchema, SentLetterSummary } from './schema.ts';
import { letterNamed, letterOf, lettersOf, summaryOf } from './sent-letters.ts';

const TAG = 'Post';

export const correspondenceOperations = [
  operation(TAG, 'GET /worlds/{world}/post', {
    id: 'inbox',
    description: 'List the letters that the register sent to all persons up to today, newest first',
    guide: [
      ['All letters of the world', 'Post: Post aan', 'inbox'],
      ['Some of them', 'Post: Zoek in de post, Soort', 'inbox --search "duizend uren"'],
    ],
    query: z.object({
      persona: z.string().optional().describe('Only letters to this person.'),
      kind: z.enum(LETTER_KINDS).optional().describe('Only letters of this kind.'),
      search: z.string().max(200).optional().describe('Only letters with these words in the text or the addressee.'),
    }),
    command: {
      name: 'inbox',
      print(answer) {
        const letters = answer as z.output<typeof InboxLetter>[];
        const rows = letters.map(({ date, persona, channel, id, subject }) => ({
          date,
          persona,
          channel,
          id,
          subject,
        }));
        return { ...toRows(rows, 'No letters yet.'), json: answer };
      },
    },
    tool: {
      name: 'list_all_letters',
      advice: 'read_letter shows the text of one; list_letters has those of one person.',
    },
    answers: { 200: z.array(InboxLetter) },
    handle({ world, query }, deps) {
      const { persona, kind, search = '' } = query;
      const logins = persona === undefined ? loginsIn(deps, world) : [loginNamed(deps, world, persona)];
      const here = deps.worlds.at(world);
      const found = logins.flatMap((login) => {
        const resident = here.byLogin(login);
        const letters = resident === null ? [] : correspondenceOf(here, resident);
        return letters
          .filter((one) => kind === undefined || one.kind === kind)
          .filter((one) => hasWords(() => textOf(one, slugOf(login)), search))
          .map((one) => ({ ...summaryOf(one), persona: slugOf(login) }));
      });
      // The letters to one person are oldest first, so they are reversed; the sort keeps the order of letters of one
      // day.
      return found.reverse().sort((one, other) => other.date.localeCompare(one.date));
    },
  }),

  operation(TAG, 'GET /worlds/{world}/post/{persona}', {
    id: 'post',
    forAudience: true,
    description: 'List the letters that the register sent to a persona up to today, oldest first',
    guide: [['The letters that the register sent somebody', 'Post: Post aan', 'post sanne-de-wit']],
    tool: { name: 'list_letters', advice: 'read_letter shows the text of one.' },
    answers: { 200: z.array(SentLetterSummary) },
    handle: ({ world, params }, deps) => lettersOf(deps, world, params.persona ?? '').map(summaryOf),
  }),

  operation(TAG, 'GET /worlds/{world}/post/{persona}/{letter}', {
    id: 'postLetter',
    forAudience: true,
    description: 'Show a letter that the register sent, in parts and as plain text',
    guide: [['One of them, as on paper', 'Post: Toon', 'post sanne-de-wit oproep-30-2026-04-01']],
    answers: { 200: SentLetterSchema },
    handle: ({ params }, deps) => letterOf(letterAt(deps, params)),
  }),

  operation(TAG, 'GET /worlds/{world}/post/{persona}/{letter}/text', {
    id: 'postText',
    description: 'Show a letter that the register sent as plain text',
    guide: [['The same as plain text', 'Post: Toon', 'post sanne-de-wit oproep-30-2026-04-01']],
    media: 'text/plain',
    tool: { name: 'read_letter', advice: 'list_letters has the ids of the letters.' },
    answers: { 200: null },
    handle: ({ params }, deps) =>
      new ControlAnswer({
        text: letterText(letterAt(deps, params).letter),
        headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      }),
  }),

  operation(TAG, 'GET /worlds/{world}/post/{persona}/{letter}/pdf', {
    id: 'postPdf',
    forAudience: true,
    description: 'Show a letter that the register sent as PDF',
    guide: [['The same as PDF', 'Post: PDF', 'post sanne-de-wit oproep-30-2026-04-01 --pdf <file>']],
    media: 'application/pdf',
    answers: { 200: null },
    async handle({ params }, deps) {
      const { id, letter } = letterAt(deps, params);
      const headers = { 'Content-Type': 'application/pdf', 'Content-Disposition': `inline; filename="${id}.pdf"` };
      return new ControlAnswer({ bytes: await letterPdf(letter), headers });
    },
  }),
];

const letterAt = (deps: ControlDeps, params: Readonly<Record<string, string>>) =>
  letterNamed(deps, worldNamed(params), params.persona ?? '', params.letter ?? '');

const textOf = ({ id, letter }: SentLetter, slug: string): string => `${slug}\n${id}\n${letterText(letter)}`;
