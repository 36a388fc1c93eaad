import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../simulator/cli/index.ts';
import { SAMPLES } from '../../simulator/samples/index.ts';
import { sampleOfSize } from '../../simulator/samples/sized.ts';
import { formOf } from '../../simulator/ui/console/recording/steps.ts';
import type { Entry } from '../../simulator/ui/console/types.d.ts';
import { CATEGORY_IDS } from '../../src/uploads/categories.ts';
import { REFUSALS } from '../../src/uploads/inspection/inspect.ts';
import { upload } from '../support/multipart.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { useService } from '../support/service.ts';

const folder = temporaryFolder('samples');
const service = await useService({ SCANNER: 'simulator' });
await runCli(['samples', folder], { out: () => undefined, url: service.url });

describe('the sample files', () => {
  it('are written with a README that names each of them', () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const names = readdirSync(folder).filter((name) => name !== 'README.md');
    expect(names.sort()).toEqual(SAMPLES.map(({ name }) => name).sort());
    expect(names.filter((name) => !readme.includes(`| ${name} |`))).toEqual([]);
  });

  it('are written with a README whose command for other answers makes an upload get that code', async () => {
    const [, command = ''] =
      /`npm run sim -- (fault [^`]*)`/.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? [];
    const words = command.replace('<code>', 'te-veel-uploads').split(' ');
    await runCli([...words, '--world', 'leesmij'], { out: () => undefined, url: service.url });
    const { body } = await upload(service, 'burger-1@leesmij', { file: readFileSync(join(folder, 'cv.pdf')) });
    expect(body.code).toBe('te-veel-uploads');
  });

  it('contain one for every category and for every final refusal', () => {
    const given = new Set(SAMPLES.map(({ gives }) => gives));
    expect(REFUSALS.filter((code) => !given.has(code))).toEqual([]);
    expect(CATEGORY_IDS.filter((id) => !SAMPLES.some(({ name }) => name === `${id}.pdf`))).toEqual([]);
  });

  it.each(
    SAMPLES.filter(({ name }) => name !== 'sim-traag.pdf').map(
      ({ name, gives }, index) => [name, gives, index] as const,
    ),
  )('include %s, whose upload is answered with the code %s', async (name, gives, index) => {
    const file = readFileSync(join(folder, name));
    const { status, body } = await upload(service, `burger-${index + 1}`, { file, filename: name });
    expect([status < 300, body.code ?? null]).toEqual([gives === null, gives]);
  });

  it.each([
    ['pdf', 1_024, 901],
    ['pdf', 10_094, 906],
    ['pdf', 300_000, 902],
    ['pdf', 1_000_096, 907],
    ['png', 2_000, 903],
    ['jpg', 200_001, 904],
    ['jpg', 66_600, 905],
  ] as const)('are made as %s of any size, such as %d bytes, by the control API', async (type, size, burger) => {
    const answer = await fetch(`${service.url}/_simulator/samples/${type}?size=${size}`);
    const file = Buffer.from(await answer.arrayBuffer());
    expect(file.length).toBe(size);
    expect((await upload(service, `burger-${burger}`, { file, filename: `groot.${type}` })).status).toBe(201);
  });

  it('have exactly the requested size when they are PDFs, also where a position in the file gets a digit', () => {
    const sizes = [1_093, 10_094, 100_095].flatMap((size) => [-2, -1, 0, 1, 2].map((more) => size + more));
    expect(sizes.map((size) => sampleOfSize('pdf', size).length)).toEqual(sizes);
  });

  it('replace a refused file in a recorded demonstration by a file that is refused with the same code', () => {
    const wrong = REFUSALS.filter((problem) => {
      const body = JSON.stringify({ fields: {}, file: { name: 'diploma.jpg', size: 9 } });
      const form = formOf({ request: { body }, problem } as Entry);
      return SAMPLES.find(({ name }) => name === form?.file.sample)?.gives !== problem;
    });
    expect(wrong).toEqual([]);
  });

  it('have their minimum size when the requested size is smaller', () => {
    expect([sampleOfSize('pdf', 0).length, sampleOfSize('png', 3).length < 1_024]).toEqual([1_024, true]);
  });

  it.each(['gif?size=2000', 'pdf?size=0x10', 'pdf?size=1e3', 'pdf?size=', 'pdf?size=16777217'])(
    'get 404 for an unknown name or an impossible size: %s',
    async (sample) => {
      expect((await service.get(`/_simulator/samples/${sample}`)).status).toBe(404);
    },
  );
});
