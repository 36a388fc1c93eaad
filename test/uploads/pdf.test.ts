import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { upload } from '../support/multipart.ts';
import { PDF_KINDS } from '../support/pdf-kinds.ts';
import { useService } from '../support/service.ts';

const service = await useService({ SCANNER: 'simulator' });
let burger = 0;

async function answerTo(file: Buffer): Promise<{ readonly code: string | null; readonly detail: string }> {
  burger += 1;
  const { status, body } = await upload(service, `burger-${burger}`, { file });
  return { code: status === 201 ? null : body.code, detail: body.detail };
}

describe('the upload of a PDF', () => {
  it.each(PDF_KINDS.map(({ kind, gives, files }) => [kind, gives ?? '201', files] as const))(
    '%s is answered with %s',
    async (kind, gives, files) => {
      for (const [n, file] of files.entries())
        expect([kind, n, (await answerTo(file)).code ?? '201']).toEqual([kind, n, gives]);
    },
  );

  it('has the answers that uploads.md, "Checks" lists', () => {
    const page = readFileSync(new URL('../../docs/uploads.md', import.meta.url), 'utf8');
    const rows = PDF_KINDS.map(({ kind, gives }) => `| ${kind} | ${gives === null ? 'Accepted' : `\`${gives}\``} |`);
    expect(page).toContain(`| PDF | Answer |\n| --- | --- |\n${rows.join('\n')}\n`);
  });

  it.each([
    ['That asks for a password', 'vraagt om een wachtwoord'],
    ['Encrypted for a certificate', 'met een certificaat'],
    ['Of which only the attachments are encrypted', 'bijlagen in deze pdf zijn versleuteld'],
    ['Encrypted in a way that is not known, or without its encryption dictionary', 'die wij niet kunnen lezen'],
  ])('%s is refused with a sentence that says so, and what to do', async (wanted, words) => {
    for (const { files } of PDF_KINDS.filter(({ kind }) => kind === wanted))
      for (const file of files)
        expect((await answerTo(file)).detail).toMatch(new RegExp(`${words}.* Sla hem op zonder`));
  });
});
