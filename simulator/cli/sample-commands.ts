/** The command that writes sample files for uploads. */
import type { Command } from 'commander';
import { CliError } from './client.ts';
import type { Session } from './command.ts';

export function addSampleCommands(program: Command, session: Session): void {
  program
    .command('samples')
    .description('Write sample files for uploads to a folder: one for each category, and one for each refusal')
    .argument('<folder>', 'is made when it does not exist; files of the same name are replaced')
    .action(async (folder: string) => {
      const { SAMPLES, writeSamples } = await import('../samples/index.ts');
      const written = await writeSamples(folder).catch((error: NodeJS.ErrnoException) => {
        throw new CliError(`${folder} cannot be written (${error.code}). Choose another folder.`);
      });
      session.print({
        json: SAMPLES.map(({ name, gives }) => ({ name, gives })),
        text: `${written} files and a README.md, which says what each gives, are in ${folder}.`,
      });
    });
}
