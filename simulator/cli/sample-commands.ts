/** The command that writes sample files for uploads. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Sample } from '../samples/index.ts';
import { CliError } from './client.ts';
import type { Session } from './command.ts';

export function addSampleCommands(program: Command, session: Session): void {
  program
    .command('samples')
    .description('Write sample files for uploads to a folder: one for each category, and one for each refusal')
    .argument('<folder>', 'is made when it does not exist; files of the same name are replaced')
    .action(async (folder: string) => {
      const { SAMPLES } = await import('../samples/index.ts');
      const written = await writeSamples(folder, SAMPLES).catch((error: NodeJS.ErrnoException) => {
        throw new CliError(`${folder} cannot be written (${error.code}). Choose another folder.`);
      });
      session.print({
        json: SAMPLES.map(({ name, gives }) => ({ name, gives })),
        text: `${written} files and a README.md, which says what each gives, are in ${folder}.`,
      });
    });
}

async function writeSamples(folder: string, samples: readonly Sample[]): Promise<number> {
  await mkdir(folder, { recursive: true });
  for (const { name, content } of samples) await writeFile(join(folder, name), content());
  await writeFile(join(folder, 'README.md'), readme(samples));
  return samples.length;
}

const readme = (samples: readonly Sample[]): string => `# Sample files for uploads

Made by \`npm run sim -- samples\`. Send each to \`POST /api/v1/uploads\`. All categories accept the same types and sizes.

| File | Upload gets | What it is |
| --- | --- | --- |
${samples.map(({ name, gives, what }) => `| ${name} | ${gives === null ? 'accepted' : `\`${gives}\``} | ${what} |`).join('\n')}

These answers need no file of their own. \`upload-anders\`: send another file with the same \`localId\`. \`upload-quotum\`: send the PDF of 10 MB
sixteen times, each with its own \`localId\`. \`te-veel-uploads\`, \`upload-bezig\` and others:
\`npm run sim -- fault dienst <code> --operation createUpload\`.
`;
