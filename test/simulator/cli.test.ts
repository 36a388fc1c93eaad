import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../simulator/cli/index.ts';
import { temporaryFolder } from '../support/run-folder.ts';
import { startService, useService } from '../support/service.ts';

const folder = temporaryFolder('cli');
const service = await useService({ DATA_DIR: join(folder, 'data') });

/** Runs a command of the simulator, without `--world` when it is empty. Returns what it prints; throws when it refuses. */
async function sim(line: string, world = 'terminal'): Promise<string> {
  let printed = '';
  const words = line.split(' ').filter((word) => word !== '');
  const out = (text: string) => {
    printed += text;
  };
  await runCli([...words, ...(world === '' ? [] : ['--world', world])], { out, url: service.url });
  return printed;
}

const json = async (line: string, world?: string) => JSON.parse(await sim(`${line} --json`, world));

/** A file that the service refuses because it is empty. */
const SAMPLE = { name: 'leeg.pdf', sample: 'leeg.pdf' };

describe('an invalid command of npm run sim', () => {
  it.each([
    ['clock later', /does not know later\. Use one of: \+4months, -1day, 2026-09-01 \[freeze\], freeze, run, real/],
    ['clock 2026-02-30', /does not know 2026-02-30\. Use/],
    ['clock +4months --wereld demo', /There is no option --wereld\. This command takes --world, --url and --json/],
    ['clock freeze -w demo', /There is no option -w\./],
    ['clock freeze now', /does not know freeze now/],
    ['clock deadline sanne-de-wit soon', /does not know soon days/],
    ['clock deadline sane-de-wit', /sanne-de-wit/],
    ['reset demo', /too many arguments for 'reset'.+\nSee: npm run sim -- help reset$/],
    ['reset --begin tomorrow', /--begin.+has to be a day, such as 2026-06-01/],
    ['reset --all --begin 2026-06-01', /--all.+cannot be used with.+--begin/],
    ['worlds all', /too many arguments for 'worlds'/],
    ['scenario duo-slow maybe', /Choose from: on, off/],
    ['scenario duo-slwo', /duo-slow/],
    ['fault burger slow', /Choose from: register, brp, duo, documenten, scanner, dienst/],
    ['fault dienst overbelst', /Did you mean overbelast/],
    ['fault dienst problem', /problem needs --code/],
    ['fault burger off', /'burger' is invalid for argument 'upstream'/],
    ['export-people --format xml', /is invalid\. Choose from: json, csv\./],
    ['decide lotte-van-dijk toegewezen', /argument 'outcome'\. Choose from: goedgekeurd,/],
    ['fault brp sloow', /Did you mean slow\?/],
    ['fault brp 700', /400 to 599/],
    ['fault off fault-9', /no such fault in this world.+\nSee: npm run sim -- help fault$/],
    ['decide lotte-van-dijk perhaps', /Choose from: goedgekeurd, afgewezen, buiten-behandeling, open/],
    ['decide sanne-de-wit goedgekeurd', /no case that is undecided/],
    ['decide lotte goedgekeurd', /lotte has no case that is undecided\. These people have one: .*lotte-van-dijk/],
    ['decide lotte-van-dijk open', /no case that is decided\. .*These people have one: ruben-smit/],
    ['brief lost', /Choose from: draft, submitted, approved, rejected, sent/],
    ['post sane-de-wit', /sanne-de-wit/],
    ['post sanne-de-wit oproep', /There are: oproep-30-\d/],
    ['post sanne-de-wit --pdf brief.pdf', /--pdf needs the id of a letter/],
    ['post sanne-de-wit oproep-30-2026-04-01 --pdf /nowhere/brief.pdf', /cannot be written \(ENOENT\)/],
    ['upload x gone', /Choose from: uploaded, pending, rejected/],
    ['as sane-de-wit', /^There is no such persona\. The nearest: sanne-de-wit/],
    ['fault brp slow --probability 7', /^The body has one fault\.\n {2}\/probability: At most 1\./],
    ['as sanne-de-wit dashboard-view', /begins with a slash/],
    ['demo herregistrati', /Choose from: diploma-tot-registratie, duo-traag, herregistratie/],
    ['demo herregistratie --step 10', /takes 1 to 9/],
    ['demo herregistratie --step 1 --all', /--step.+cannot be used with.+--all/],
    ['audience sanne-de-wit', /^Others on the network cannot open Mijn register\.\n.+open-audience/],
    ['journal --follow --har all.har', /--har.+cannot be used with.+--follow/],
    ['demo package.json', /is not a demonstration/],
    ['import winter nowhere.json', /nowhere\.json cannot be read \(ENOENT\)/],
    ['journal --status vier', /status is a number such as 422, or 4xx/],
    ['journal --trace 12', /trace is a traceId: 32 characters/],
    ['journal --operation dashbord', /Did you mean dashboardView\?/],
    ['journal --status 4xx --follow', /--status.+cannot be used with.+--follow/],
    ['journal --har /nowhere/at/all.har', /cannot be written \(ENOENT\)/],
    ['samples /proc/samples', /^\/proc\/samples cannot be written \(E\w+\)\. Choose another folder\.$/],
    ['worlds --url localhost:3000', /without a path/],
    ['rset', /unknown command 'rset' \(Did you mean reset\?\)\nSee: npm run sim -- help$/],
    ['help peopl', /unknown command 'peopl' \(Did you mean people\?\)\nSee: npm run sim -- help$/],
    ['journal --folow', /unknown option '--folow' \(Did you mean --follow\?\)/],
    ['worlds --step 2', /unknown option '--step'/],
    ['save', /missing required argument 'name'\nSee: npm run sim -- help save$/],
    ['fault brp', /Say what goes wrong: a status from 400 to 599, or off, slow, down, flaky/],
    ['fault brp status --status many', /--status.+has to be a number/],
    ['fault brp down --times 0x2', /--times.+has to be a number/],
    ['journal --limit 1e3', /--limit.+has to be a number/],
    ['fault brp slow --ms soon', /Use 1500, 200-900, or 900~0\.3/],
    ['clock deadline', /Name the persona whose deadline it is/],
  ])('is refused with a message that says what is possible: %s', async (line, said) => {
    await expect(sim(line)).rejects.toThrow(said);
  });

  it.each([
    ...['scenario duo-slow on', 'brief sent', 'export-people --format csv', 'journal --limit 1 --status 4xx', 'worlds'],
    ...['fault brp slow --ms 900~0.3 --probability 0.7 --times 2', 'fault brp 599', 'fault brp status --status 500'],
    ...['fault dienst problem --code overbelast', 'fault brp off', 'reset'],
    ...['clock 2026-02-28', 'clock deadline sanne-de-wit 9', 'decide lotte-van-dijk goedgekeurd', 'help people'],
  ])('is not this valid one: %s', async (line) => {
    await sim('reset', 'juist');
    await expect(sim(line, 'juist')).resolves.not.toBe('');
  });

  it('is refused with a message about http when the address begins with https', async () => {
    const url = service.url.replace('http:', 'https:');
    await expect(sim(`worlds --url ${url}`)).rejects.toThrow(
      /^There is no TLS connection to https:.+ \(ERR_SSL_\w+\)\. The address of a simulator usually begins with http:/,
    );
  });

  it('changes nothing', async () => {
    expect(await sim('show', 'stil')).toContain('2026-06-01 (real time), no faults');
    for (const line of ['clock later', 'fault brp sloow', 'scenario duo-slow maybe', 'reset demo'])
      await expect(sim(line, 'stil')).rejects.toThrow();
    expect(await sim('show', 'stil')).toContain('2026-06-01 (real time), no faults');
  });
});

describe('npm run sim -- help', () => {
  it('lists every command, also when no command is named', async () => {
    const text = await sim('help');
    expect(text).toContain('Usage: npm run sim -- [options] [command]');
    for (const command of ['worlds', 'fault [options] <upstream> [kind]', 'decide <case> <outcome> [reason...]'])
      expect(text).toContain(command);
    expect(await sim('', 'default')).toBe(text);
  });

  it('describes the conditions of a search for people in English', async () => {
    const text = await sim('help people');
    expect(text).toContain('woonplaats = != text');
    expect(text).toContain('leeftijd = != < <= > >= number');
    expect(text).toContain('uhd = != < <= > >= day (2026-09-01), duration from today (+6months, -1year) or today');
  });

  it.each(['help fault', 'fault --help', 'fault -h', 'fault brp --help'])(
    'shows the arguments and the options of one command: %s',
    async (line) => {
      const text = await sim(line);
      expect(text).toContain('Usage: npm run sim -- fault [options] <upstream> [kind]');
      expect(text).toContain('register, brp, duo, documenten, scanner');
      expect(text).toContain('--retry-after <seconds>');
      expect(text).toContain('--world <name>');
    },
  );
});

describe('npm run sim', () => {
  it('sets, moves, freezes and runs the clock of a world', async () => {
    expect(await sim('clock 2027-01-15 freeze', 'klok')).toContain('2027-01-15 (frozen)');
    expect(await sim('clock -1day', 'klok')).toContain('2027-01-14 (frozen)');
    expect(await sim('clock +1year 2days', 'klok')).toContain('2028-01-16');
    expect(await sim('clock run', 'klok')).toContain('own time');
    expect(await sim('reset --begin 2028-02-29', 'klok')).toContain('2028-02-29 (frozen)');
  });

  it('switches off one fault by its id, the faults of an upstream, or all faults', async () => {
    await sim('fault brp slow', 'mis');
    await sim('fault brp 429 --retry-after 3', 'mis');
    await sim('fault duo down', 'mis');
    const [first] = (await json('show', 'mis')).faults;
    expect(await sim(`fault off ${first.id}`, 'mis')).toMatch(/brp: status 429, Retry-After 3\), .+ \(duo: refused\)/);
    expect(await sim('fault brp off', 'mis')).not.toContain('brp');
    await sim('scenario brp-slow', 'mis');
    expect(await sim('fault off', 'mis')).toContain('no faults');
  });

  it('lets the service itself fail by problem code, status or delay', async () => {
    expect(await sim('fault dienst niet-ingelogd --after 1 --persona sanne-de-wit', 'zelf')).toContain(
      '(dienst: niet-ingelogd for sanne-de-wit, after 1 call)',
    );
    const status = async () => (await json('as sanne-de-wit', 'zelf')).answer.status;
    expect([await status(), await status()]).toEqual([200, 401]);
    expect(await sim('fault dienst off --persona sanne-de-wit@zelf', '')).toContain('no faults');
    expect(await sim('fault dienst problem --code niet-ingelogd', 'zelf')).toContain('dienst: niet-ingelogd)');
    await sim('fault dienst off', 'zelf');
    await sim('fault dienst 429 --retry-after 5', 'zelf');
    expect(await status()).toBe(429);
    expect(await sim('fault dienst slow --operation dashboardView --times 2', 'zelf')).toContain(
      '(dienst dashboardView: latency about 900 ms, for 2 calls)',
    );
  });

  it('makes a request as a persona, and prints the curl command, headers and answer', async () => {
    const text = await sim('as sanne-de-wit');
    expect(text).toContain("-H 'X-Subject: sanne-de-wit@terminal'");
    expect(text).toContain('"eligibleForHerregistratie": true');
    expect(await json('as teamlead-tess')).toMatchObject({
      headers: { 'X-Medewerker': 'teamlead-tess@terminal' },
      answer: { status: 200 },
    });
    expect(await json('as burger-7 /api/v1/nowhere')).toMatchObject({ answer: { status: 404 } });
    for (const path of ['/applications', '/health?full'])
      expect(await json(`as burger-7 ${path}`)).toMatchObject({ answer: { status: 200 } });
  });

  it('lists the calls with the time in the Netherlands, as the console does', async () => {
    await service.get('/api/v1/notes', { as: 'sanne-de-wit@tijd' });
    const [{ at }] = await json('journal', 'tijd');
    const time = new Date(at).toLocaleTimeString('nl-NL', { timeZone: 'Europe/Amsterdam' });
    expect(await sim('journal', 'tijd')).toContain(`${time} sanne-de-wit@tijd GET /api/v1/notes 200`);
    expect(await sim('journal --limit 0', 'tijd')).toBe('No calls to show.\n');
  });

  it('says whether there was a world to delete', async () => {
    await sim('show', 'weg');
    expect(await sim('drop', 'weg')).toBe('The world is deleted.\n');
    expect(await sim('drop', 'weg')).toMatch(/^There was no such world\. There are: default\b/);
    await sim('show', 'weg');
    expect(await sim('drop', 'weg')).toBe('The world is deleted.\n');
  });

  it('takes a change of the clock in quotes, which are one word', async () => {
    await runCli(['clock', 'deadline sanne-de-wit 1', '--world', 'citaat'], { out: () => undefined, url: service.url });
    expect(await sim('show', 'citaat')).toContain('2026-10-02');
  });

  it('works in the world that the name of a persona names', async () => {
    expect(await sim('as sanne-de-wit@ander')).toContain("-H 'X-Subject: sanne-de-wit@ander'");
    expect(await json('clock deadline sanne-de-wit@ander')).toMatchObject({ world: 'ander' });
    await sim('post sanne-de-wit@derde');
    expect(await sim('worlds', '')).toMatch(/^derde: /m);
    expect(await json('brief --about lotte-van-dijk@derde')).toMatchObject({ referentie: 'HER-2026-000118' });
    expect(await json('decide lotte-van-dijk@derde afgewezen')).toMatchObject({ status: 'besloten' });
    expect(await json('fault dienst 503 --persona sanne-de-wit@derde')).toMatchObject({
      world: 'derde',
      faults: [{ persona: 'sanne-de-wit' }],
    });
  });

  it('plays all steps of a demonstration, with the same answers twice', async () => {
    const play = async () =>
      (await json('demo herregistratie --all', 'podium')).map((one: Played) => [one.answer.status, one.answer.body]);
    const first = await play();
    expect(first.map(([status]: [number]) => status)).toEqual(Array(9).fill(200));
    expect(await play()).toEqual(first);
    expect(await sim('demo uiterste-datum --step 3', 'podium')).toContain('200 in ');
  });

  it('plays a demonstration in a world of its own, and refuses to play in default', async () => {
    const worlds = async () => (await json('worlds', '')).map(({ world }: { world: string }) => world);
    // A presenter shows the demonstration in the console, at a moment of their own.
    await sim('clock 2026-08-15 freeze', 'demo-uiterste-datum');
    await sim('demo uiterste-datum --step 1', '');
    expect(await worlds()).toContain('cli-uiterste-datum');
    await sim('clock 2026-07-15 freeze', 'cli-uiterste-datum');
    const before = await worlds();
    await sim('demo uiterste-datum --all', '');
    expect(await worlds()).toEqual(before);
    expect(await sim('show', 'cli-uiterste-datum')).toContain('2026-07-15');
    expect(await sim('show', 'demo-uiterste-datum')).toContain('2026-08-15');
    await expect(sim('demo uiterste-datum --step 1', 'default')).rejects.toThrow(/not played in default/);
  });

  it('deletes the new world of a demonstration also when a step fails', async () => {
    const file = join(folder, 'halverwege.json');
    writeFileSync(file, JSON.stringify({ steps: [{ title: 'Terug', persona: 'sanne-de-wit', restore: 'nergens' }] }));
    await expect(sim(`demo ${file} --all`, '')).rejects.toThrow('Step 1, Terug: ');
    expect(await sim('worlds', '')).not.toContain('halverwege');
  });

  it('plays a demonstration from a file, and exports and imports a snapshot', async () => {
    const file = join(folder, 'eigen.json');
    const step = { title: 'Op', clock: { move: '+1month' }, persona: 'sanne-de-wit', path: '/api/v1/dashboard-view' };
    writeFileSync(file, JSON.stringify({ title: 'Eigen', steps: [step] }));
    await sim(`demo ${file} --all`, 'eigen');
    expect(await sim('show', 'eigen')).toContain('2026-07-01');
    await sim('save zomer', 'eigen');
    await sim(`export zomer ${join(folder, 'zomer.json')}`, 'eigen');
    await sim('discard zomer');
    await sim(`import winter ${join(folder, 'zomer.json')}`);
    expect(await sim('restore winter', 'ander')).toContain('ander: 2026-07-01');
  });

  it('refuses a demonstration from a file with a wrong step before it plays one, and names a step that fails', async () => {
    const file = join(folder, 'fout.json');
    const step = { title: 'Later', persona: 'sanne-de-wit', clock: { move: '+1month' } };
    const write = (...steps: object[]) => writeFileSync(file, JSON.stringify({ steps }));
    writeFileSync(file, '{\n"steps": [],}');
    await expect(sim(`demo ${file}`)).rejects.toThrow('fout.json is not JSON (line 2 column 13).');
    write(step, { as: 'sanne-de-wit' });
    await expect(sim(`demo ${file}`)).rejects.toThrow('/steps/1/as: There is no such member.');
    write(step, { ...step, persona: 'sanne-de-witt' });
    await expect(sim(`demo ${file} --all`, 'fout')).rejects.toThrow(
      '/steps/1/persona: There is no such persona. The nearest: sanne-de-wit',
    );
    write(step, {
      ...step,
      clock: { real: true, frozen: true },
      scenarios: ['duo-slo'],
      faults: [{ upstream: 'duo', kind: 'problem', code: 'overbelast' }],
      document: { persona: 'niemand', wizardId: 'intake', localId: 'a', state: 'uploaded' },
    });
    await expect(sim(`demo ${file} --all`, 'fout')).rejects.toThrow(
      /steps\/1\/document\/persona: .+steps\/1\/clock: .+steps\/1\/scenarios: .+duo-slow.+steps\/1\/faults: /s,
    );
    expect(await sim('worlds')).not.toContain('fout');
    await sim('save eerste', 'fout');
    write(step, { ...step, title: 'Terug', restore: 'nergens' });
    await expect(sim(`demo ${file} --all`, 'fout')).rejects.toThrow(
      'Step 2, Terug: There is no such snapshot. There are: ',
    );
  });

  it('lists the demonstrations of the folder, and what is wrong with the other files there', async () => {
    const demos = join(folder, 'data', 'demos');
    mkdirSync(demos, { recursive: true });
    const steps = [{ title: 'Kijk', persona: 'sanne-de-wit' }];
    writeFileSync(join(demos, 'naamloos.json'), JSON.stringify({ steps }));
    writeFileSync(join(demos, 'fout.json'), JSON.stringify({ title: 'Fout', steps: [{ ...steps[0], persoon: 'x' }] }));
    writeFileSync(join(demos, 'half.json'), '{');
    writeFileSync(join(demos, 'herregistratie.json'), JSON.stringify({ steps }));
    const lines = (await sim('demo')).trimEnd().split('\n').slice(-4);
    const oneColumn = 'oproep-tot-nieuwe-termijn'.length + 2;
    expect(lines[0]).toBe(`${'naamloos'.padEnd(oneColumn)}naamloos`);
    expect(lines[1]).toMatch(
      /^refused: fout\.json \/steps\/0\/persoon: There is no such member\. Did you mean persona\?/,
    );
    expect(lines[2]).toBe('refused: half.json: This file is not JSON (line 1 column 2).');
    expect(lines[3]).toMatch(
      /^refused: herregistratie\.json \/name: There is already a demonstration herregistratie\./,
    );
    writeFileSync(
      join(demos, 'niemand.json'),
      JSON.stringify({ steps: [...steps, { title: 'O', persona: 'niemand' }] }),
    );
    await expect(sim('demo niemand --all', '')).rejects.toThrow('/steps/1/persona: There is no such persona.');
  });

  it.each([
    [{ acts: [{ press: 'Beginnen' }, { fill: 'Uren', with: '1' }] }, ''],
    [{ acts: [{ click: 'Beginnen' }] }, '/acts/0/click: There is no such member. Allowed: fill, with, choose, press.'],
    [{ acts: [{ fill: 'Uren' }] }, '/acts/0/with: This member is missing.'],
    [{ clock: { set: '2027-02-28' }, reset: { begin: '2027-02-28' } }, ''],
    [
      { clock: { set: '2027-02-30' } },
      '/clock/set: This must be a day that exists, such as 2026-06-01, or a moment, such as 2026-06-01T12:00:00Z.',
    ],
    [{ reset: { begin: '2027-02-30' } }, '/reset/begin: This must be a day that exists, such as 2026-06-01.'],
    [{ screen: 'aanvragen', path: '/api/v1/brief' }, ''],
    [{ screen: 'Aanvragen' }, '/screen: This must be the name of a screen of Mijn register, such as aanvragen.'],
    [{ path: 'api/v1/brief' }, '/path: This must begin with one slash, such as /api/v1/dashboard-view.'],
    [{ method: 'POST', path: '/api/v1/intakes', body: { uren: 1 } }, ''],
    [{ path: '/api/v1/intakes', body: { uren: 1 } }, '/method: This must be POST or PUT, because the step has a body.'],
    [{ method: 'POST', body: { uren: 1 } }, '/path: This must be there, because the step has a request.'],
  ])('of a demonstration of your own, a step with %j is refused with %j', async (members, said) => {
    const demos = join(folder, 'data', 'demos');
    mkdirSync(demos, { recursive: true });
    const steps = [{ title: 'Kijk', persona: 'sanne-de-wit', ...members }];
    writeFileSync(join(demos, 'stap.json'), `\ufeff${JSON.stringify({ steps })}`);
    const lines = (await sim('demo')).split('\n');
    expect(lines.filter((line) => line.includes('stap.json'))).toEqual(
      said ? [`refused: stap.json /steps/0${said}`] : [],
    );
    if (said) await expect(sim(`demo ${join(demos, 'stap.json')}`)).rejects.toThrow(`stap.json /steps/0${said}`);
    else expect(await sim(`demo ${join(demos, 'stap.json')}`)).toContain('1. Kijk');
    rmSync(join(demos, 'stap.json'));
  });

  it('uploads the sample file of a step, and uses a part of an earlier answer in a later step', async () => {
    const file = join(folder, 'opname.json');
    const fields = { wizardId: 'intake', categoryId: 'scholingsbewijs', localId: 'bewijs' };
    const upload = {
      title: 'Upload',
      persona: 'ruben-smit',
      method: 'POST',
      path: '/api/v1/uploads',
      form: { fields, file: { name: 'bewijs.png', sample: 'png', size: 2_000 } },
      keep: { 'documentId-1': '/documentId' },
    };
    const refused = { ...upload, form: { fields: { ...fields, localId: 'leeg' }, file: { ...SAMPLE, size: null } } };
    const remove = { ...upload, method: 'DELETE', path: '/api/v1/uploads/{documentId-1}', form: undefined };
    writeFileSync(file, JSON.stringify({ title: 'Opname', steps: [upload, refused, remove] }));
    const played = await json(`demo ${file} --all`, 'opgenomen');
    expect(played.map(({ answer: { status } }: Played) => status)).toEqual([201, 422, 204]);
    await expect(sim(`demo ${file} --step 3`, 'opgenomen')).rejects.toThrow(/needs documentId-1 .+ Play all steps/);
  });

  it('reads the escapes in the JSON Pointer to a part of an answer', async () => {
    const file = join(folder, 'wijzer.json');
    const as = { title: 'Concept', persona: 'ruben-smit' };
    const path = '/api/v1/applications';
    const draft = { stepIndex: 0, stepCount: 3, draft: { 'stuk/~1': 'bewijs' } };
    const steps = [
      { ...as, method: 'POST', path, body: { type: 'intake' }, keep: { 'id-1': '/id' } },
      { ...as, method: 'PUT', path: `${path}/{id-1}`, body: draft },
      { ...as, path: `${path}/{id-1}`, keep: { 'stuk-1': '/draft/stuk~1~01' } },
      { ...as, path: '/api/v1/uploads/status?localIds={stuk-1}' },
    ];
    writeFileSync(file, JSON.stringify({ title: 'Wijzer', steps }));
    const played = await json(`demo ${file} --all`, 'wijzer');
    expect(played.at(-1).answer.body.results).toMatchObject([{ localId: 'bewijs' }]);
  });

  it('prints the letters of a persona as a list and as text, and writes one as a PDF file', async () => {
    await sim('reset --begin 2026-06-01', 'brieven');
    expect(await sim('post noor-bakker', 'brieven')).toBe('No letters yet.\n');
    await sim('clock 2026-07-09', 'brieven');
    expect((await sim('post sanne-de-wit', 'brieven')).split('\n')).toEqual([
      '2026-04-01  berichtenbox  oproep-30-2026-04-01  Oproep: vraag uiterlijk op 1 oktober 2026 herregistratie aan',
      '2026-07-09  berichtenbox  herinnering-30-2026-07-09  Herinnering: vraag uiterlijk op 1 oktober 2026 herregistratie aan',
      '',
    ]);
    expect(await json('post sanne-de-wit', 'brieven')).toHaveLength(2);
    const letter = await sim('post sanne-de-wit herinnering-30-2026-07-09', 'brieven');
    expect(letter).toContain('Datum: 9 juli 2026');
    expect(letter).toContain('Op 1 april 2026 stuurden wij u hierover een oproep.');
    const file = join(folder, 'oproep.pdf');
    expect(await sim(`post sanne-de-wit oproep-30-2026-04-01 --pdf ${file}`, 'brieven')).toBe(`Written to ${file}.\n`);
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('prints the journal with escapes for what a terminal acts on, and without line feeds in a value', async () => {
    const json = { diplomaHerkomst: '\u001b]0;x\u0007\u009b31m\u202e\nGET', documents: [] };
    await service.call('POST', '/api/v1/registrations', { as: 'sanne-de-wit@typed', json });
    expect(await sim('journal', 'typed')).toContain('“\\u001b]0;x\\u0007\\u009b31m\\u202e GET”');
    expect(await sim('journal --json', 'typed')).not.toMatch(/[\u009b\u202e]/);
  });

  it('prints a refusal with escapes for what a terminal acts on', async () => {
    const file = join(folder, 'escapes.json');
    writeFileSync(file, JSON.stringify({ 'x\u001b]0;x\u0007': 1 }));
    await expect(sim(`import fout ${file}`)).rejects.toThrow('/x\\u001b]0;x\\u0007: ');
  });

  it('prints the calls that fit its filters, such as the call behind a problem', async () => {
    const { body } = await service.get('/api/v1/dashboard-view', { as: 'teamlead-tess@trace' });
    await service.get('/api/v1/notes', { as: 'sanne-de-wit@trace' });
    const lines = async (filter: string) => (await sim(`journal ${filter}`, 'trace')).match(/GET \S+ \d+/g);
    expect(await lines(`--trace ${body.traceId}`)).toEqual(['GET /api/v1/dashboard-view 401']);
    expect(await lines('--persona sanne-de-wit --operation notes --limit 1')).toEqual(['GET /api/v1/notes 200']);
    expect(await lines('--status 4xx')).toEqual(['GET /api/v1/dashboard-view 401']);
    await sim('journal --status 4xx --har '.concat(join(folder, 'refused.har')), 'trace');
    const { log } = JSON.parse(readFileSync(join(folder, 'refused.har'), 'utf8'));
    expect(log.entries.map(({ _traceId }: { _traceId: string }) => _traceId)).toEqual([body.traceId]);
  });

  it('decides and lists cases, and writes the journal as a HAR file', async () => {
    await sim('decide lotte-van-dijk afgewezen Te weinig uren.', 'zaken');
    expect(await sim('zaken', 'zaken')).toMatch(
      /lotte-van-dijk {2}by hand {2}\S+ {2}besloten {2}afgewezen Te weinig uren\. 2026-06-01/,
    );
    expect((await json('zaken', 'zaken'))[0].handmatig).toBe(true);
    expect(await sim('decide lotte-van-dijk open', 'zaken')).toContain('status: in-behandeling');
    await sim('journal --har '.concat(join(folder, 'x.har')), 'zaken');
    expect(JSON.parse(readFileSync(join(folder, 'x.har'), 'utf8')).log.version).toBe('1.2');
  });
});

interface Played {
  readonly answer: { readonly status: number; readonly body: unknown };
}

describe('npm run sim -- journal --follow', () => {
  const follow = (url: string, ...more: string[]) => {
    const child = spawn(process.execPath, ['start.js', 'sim', 'journal', '--follow', '--url', url, ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (bytes) => {
      out += bytes;
    });
    child.stderr.on('data', (bytes) => {
      err += bytes;
    });
    return { child, out: () => out, err: () => err, end: once(child, 'exit') as Promise<[number | null]> };
  };

  it('prints each entry on a line, and exits with code 0 when the service stops', async () => {
    const own = await startService();
    await own.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' });
    const one = follow(own.url, '--json');
    await expect.poll(one.out).toContain('\n');
    await own.get('/api/v1/applications', { as: 'ruben-smit' });
    await expect.poll(() => one.out().trim().split('\n').length).toBe(2);
    await own.close();
    expect(await one.end).toEqual([0, null]);
    const read = one.out().trim().split('\n');
    const paths = read.map((line) => JSON.parse(line).request.path);
    expect(paths).toEqual(['/api/v1/dashboard-view', '/api/v1/applications']);
    expect(one.err()).toBe('');
  });

  it('exits with code 0 and no error message when its output is closed', async () => {
    await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' });
    const one = follow(service.url);
    await once(one.child.stdout, 'data');
    one.child.stdout.destroy();
    await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' });
    await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' });
    expect(await one.end).toEqual([0, null]);
    expect(one.err()).toBe('');
  });
});
