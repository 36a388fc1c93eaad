/** The commands for the letters that the simulated register sent. */
import type { Command } from 'commander';
import type * as z from 'zod';
import type { SentLetterSummary } from '../control/letters/schema.ts';
import { toRows } from '../control/print.ts';
import { CliError } from './client.ts';
import { type Session, writeBytes } from './command.ts';

/** Adds the command `post` to the command line. */
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
