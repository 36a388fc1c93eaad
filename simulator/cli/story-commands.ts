import type { Command } from 'commander';
import type * as z from 'zod';
import { UITKOMSTEN } from '../../adapters/register/wire.ts';
import { LetterState, LetterTag, type SentLetterSummary } from '../control/letters/schema.ts';
import { toMembers, toRows } from '../control/print.ts';
import type { Zaak } from '../control/schema.ts';
import { CliError } from './client.ts';
import { parseOneOf, type Session, writeBytes } from './command.ts';

const MAX_OTHERS = 10;

/** `given` is the reference itself, or a persona: then the last zaak of that person that is decided or not. */
async function referentieOf(session: Session, given: string, isDecided = false): Promise<string> {
  if (/^[A-Z]{3}-/.test(given)) return given;
  const all = (await session.control.call('GET', `${session.worldOf(given)}/zaken`)) as z.output<typeof Zaak>[];
  const zaken = all.filter(({ status }) => (status === 'besloten') === isDecided);
  const [name] = given.split('@');
  const found = zaken.findLast(({ slug }) => slug === name);
  if (found === undefined) {
    const others = [...new Set(zaken.map(({ slug }) => slug))].slice(0, MAX_OTHERS).join(', ');
    throw new CliError(
      `${given} has no case that is ${isDecided ? 'decided' : 'undecided'}. ${others && `These people have one: ${others}. `}The command zaken lists all cases.`,
    );
  }
  return found.referentie;
}

const OUTCOMES = [...UITKOMSTEN, 'open'] as const;
const LETTER_TEMPLATES = LetterState.shape.templateId.unwrap().options;

export function addStoryCommands(program: Command, session: Session): void {
  program
    .command('decide')
    .description('Decide a case, or open it again')
    .argument('<case>', 'its reference, or the persona whose undecided case it is; with open, whose decided case')
    .argument('<outcome>', OUTCOMES.join(', '), parseOneOf(OUTCOMES))
    .argument('[reason...]', 'why it is decided so')
    .action(async (given: string, uitkomst: (typeof OUTCOMES)[number], reason: string[]) => {
      const referentie = await referentieOf(session, given, uitkomst === 'open');
      const path = `${session.worldOf(given)}/zaken/${encodeURIComponent(referentie)}/besluit`;
      const decision = { uitkomst, ...(reason.length > 0 && { reden: reason.join(' ') }) };
      session.print(
        toMembers(
          uitkomst === 'open'
            ? await session.control.call('DELETE', path)
            : await session.control.call('PUT', path, decision),
        ),
      );
    });
  program
    .command('brief')
    .description('Show the letter, or bring it to a state')
    .argument('[state]', LetterTag.options.join(', '), parseOneOf(LetterTag.options))
    .option(
      '--about <case>',
      'begin a new letter about this case: its reference, or the persona whose undecided case it is',
    )
    .option('--template <id>', LETTER_TEMPLATES.join(', '), parseOneOf(LETTER_TEMPLATES))
    .option('--outcome <outcome>', UITKOMSTEN.join(', '), parseOneOf(UITKOMSTEN))
    .action(async (tag: string | undefined, options: { about?: string; template?: string; outcome?: string }) => {
      const { about, template, outcome } = options;
      const path = `${session.worldOf(about ?? '')}/brief`;
      const choice = {
        ...(about && { referentie: await referentieOf(session, about) }),
        ...(template && { templateId: template }),
        ...(outcome && { uitkomst: outcome }),
      };
      if (tag !== undefined || Object.keys(choice).length > 0) {
        return session.print(toMembers(await session.control.call('PUT', path, { tag: tag ?? 'draft', ...choice })));
      }
      const letter = await session.control.call('GET', path);
      session.print(letter === null ? { json: null, text: 'No letter yet: nobody has opened it.' } : toMembers(letter));
    });
}

export function addPostCommands(program: Command, session: Session): void {
  program
    .command('post')
    .description('List the letters that the register sent to a persona, or print one')
    .argument('<persona>', 'whose letters; burger-7 works too')
    .argument('[letter]', 'id of a letter')
    .option('--pdf <file>', 'write the letter to a file as PDF')
    .action(async (persona: string, letter: string | undefined, { pdf }: { pdf?: string }) => {
      const { control } = session;
      const mailbox = `${session.worldOf(persona)}/post/${encodeURIComponent(persona)}`;
      if (letter === undefined) {
        if (pdf !== undefined)
          throw new CliError('--pdf needs the id of a letter. Without an id the command lists them.');
        const letters = (await control.call('GET', mailbox)) as z.output<typeof SentLetterSummary>[];
        const rows = letters.map(({ date, channel, id, subject }) => ({ date, channel, id, subject }));
        return session.print({ ...toRows(rows, 'No letters yet.'), json: letters });
      }
      const path = `${mailbox}/${encodeURIComponent(letter)}`;
      if (pdf !== undefined) return session.print(writeBytes(pdf, await control.bytes(`${path}/pdf`)));
      const answer = (await control.call('GET', path)) as { readonly text: string };
      session.print({ json: answer, text: answer.text.trimEnd() });
    });
}
