import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openStore } from '../../adapters/store/index.ts';
import { createLetterClient, placeholderOf } from '../support/letter.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { frozenClock, keep, startService } from '../support/service.ts';

const folder = temporaryFolder('restart');

async function run(command: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: folder };
  const { stdout } = await promisify(execFile)(process.execPath, ['start.js', command], {
    env,
    cwd: new URL('../..', import.meta.url),
  });
  return stdout;
}

it('a letter that is stored in DATA_DIR is kept over restarts on later dates, is printed by `letters` after sending, with escapes for what a terminal acts on, and is deleted by `reset`', async () => {
  expect(await run('letters')).toBe('No letter has been sent yet.\n');
  const first = await startService({ DATA_DIR: folder });
  await createLetterClient(first, 'kept').bringTo('submitted');
  const before = (await createLetterClient(first, 'kept').get('dana')).body.brief;
  const { sections } = before;
  placeholderOf(sections, 'naam').text = 'Iemand Anders';
  await createLetterClient(first, 'drafted').put('dana', sections);
  await first.close();
  const store = await openStore({ kind: 'sqlite', folder });
  for (const world of ['kept', 'drafted']) {
    // Values of the register and the BRP are looked up on every read; the service may not store them before approval.
    const kept = JSON.stringify({ ...(await store.brieven.current(world)), briefId: '' });
    expect(kept).not.toMatch(/Iemand|Lotte van|Houtweg|90000011130|\d{9}/);
  }
  await store.close();

  const second = await startService({ DATA_DIR: folder }, frozenClock('2026-06-20'));
  const letter = createLetterClient(second, 'kept');
  const { brief } = (await letter.get('dana')).body;
  expect(brief.status).toEqual(before.status);
  expect(brief.briefId).toBe(before.briefId);
  expect((await letter.post('anna', 'approve')).status).toBe(200);
  await second.close();

  const third = await startService({ DATA_DIR: folder }, frozenClock('2026-06-23'));
  expect((await createLetterClient(third, 'kept').post('bas', 'send')).status).toBe(200);
  await third.close();
  const letters = await run('letters');
  expect(letters).toContain('--- HER-2026-000118, berichtenbox, 2026-06-23, world kept\n\nZorgregister\nPostbus 100\n');
  // The date of the letter is the day of sending; the date of the request has not changed.
  expect(letters).toContain('Datum: 23 juni 2026\n');
  expect(letters).toContain('Uw nieuwe uiterste herregistratiedatum is 23 juni 2031.');
  expect(letters).toContain('Op 20 mei 2026 hebt u herregistratie aangevraagd');
  expect(letters.match(/^---/gm)).toHaveLength(1);

  // As a snapshot of somebody else can have it.
  const state = new DatabaseSync(join(folder, 'simulator.sqlite'));
  state.exec('update verzendingen set tekst = char(27, 93, 7) || tekst');
  state.close();
  expect(await run('letters')).toContain('\n\n\\u001b]\\u0007Zorgregister\n');

  await run('reset');
  expect(await run('letters')).toBe('No letter has been sent yet.\n');
  const last = keep(await startService({ DATA_DIR: folder }));
  expect((await createLetterClient(last, 'kept').get('dana')).body.brief.status.tag).toBe('draft');
});
