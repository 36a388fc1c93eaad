import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Desk, deskIn, nodeOf, wordsOf } from './support/letter.ts';
import { createValidator } from './support/openapi.ts';
import { startService, type TestService } from './support/service.ts';
import { type Source, startSources } from './support/sources.ts';
import { sendJson } from './support/upstream.ts';

let sources: Awaited<ReturnType<typeof startSources>>;
let register: Source;
let brp: Source;
let service: TestService;
beforeAll(async () => {
  sources = await startSources();
  ({ register, brp } = sources);
  service = await startService(sources.env);
});
afterEach(() => {
  for (const source of [register, brp]) Object.assign(source, { intercept: null, amend: null });
});
afterAll(async () => {
  await service.close();
  await sources.close();
});

let worlds = 0;
const desk = (): Desk => {
  worlds += 1;
  return deskIn(service, `s${worlds}`);
};
const approved = async (): Promise<Desk> => {
  const at = desk();
  await at.bring('approved');
  return at;
};
const tagOf = async (at: Desk): Promise<string> => (await at.get('dana')).body.brief.status.tag;
/** What was handed to the register since `from`. */
const handed = (from: number) =>
  register.seen
    .slice(from)
    .filter(({ url }) => url === '/brieven/verzendingen')
    .map(({ headers, body }) => ({ key: String(headers['idempotency-key']), body: JSON.parse(body) }));
const textOf = (inhoud: { secties: { alineas: { delen: { tekst: string }[] }[] }[] }): string =>
  inhoud.secties
    .flatMap(({ alineas }) => alineas.map(({ delen }) => delen.map(({ tekst }) => tekst).join('')))
    .join('\n');

type Hand = NonNullable<Source['intercept']>;
const answering =
  (status: number): Hand =>
  (_, response) => {
    sendJson(response, {}, status);
    return true;
  };
const hangingUp: Hand = (_, response) => {
  response.destroy();
  return true;
};
/** A hand on one path only. */
const onlyAt =
  (path: string, hand: Hand): Hand =>
  (seen, response) =>
    seen.url.startsWith(path) && hand(seen, response);
const SENDING = '/brieven/verzendingen';

describe('what goes out', () => {
  it('is the whole letter with everything filled in, unmasked, under a key and over the right channel', async () => {
    const at = await approved();
    const from = register.seen.length;
    await at.post('bas', 'send');
    const [sent, ...more] = handed(from);
    expect(more).toEqual([]);
    expect(sent?.key).toMatch(/^brief-[\w-]{36}-\d+$/);
    expect(sent?.body).toMatchObject({ referentie: 'HER-2026-000118', kanaal: 'berichtenbox' });
    const contract = readFileSync(new URL('../adapters/register/openapi.yaml', import.meta.url), 'utf8');
    expect(createValidator(parse(contract))('/components/schemas/Verzending', sent?.body)).toEqual([]);
    const text = textOf(sent?.body.inhoud);
    expect(text).toContain('Lotte van Dijk\nKleine Houtweg 27 RD\n2012 CB Haarlem\nDatum: 1 juni 2026');
    expect(text).toContain('Registratienummer: 90000011130');
    expect(text).toContain('Wij hebben de periode 1 juni 2021 tot 1 juni 2026 beoordeeld.');
    expect(text).not.toMatch(/\{\{|\*\*|null|undefined/);
    const titles = sent?.body.inhoud.secties.map(({ titel }: { titel: string }) => titel);
    expect(titles).not.toContain('Aanvullende bewijsstukken');
    expect(titles).toHaveLength(7);
  });

  it('is what was approved, whatever the register and the BRP say since', async () => {
    const at = await approved();
    const before = (await at.get('dana')).body.brief.sections;
    register.amend = (path, body) => {
      if (path === '/registraties/zoek') body[0].registerNummer = '90000099930';
      if (path === '/brieven/opdrachten/zoek') body[0].urenOpgegeven = 1;
      return body;
    };
    brp.amend = (_, body) => {
      body.personen[0].naam.volledigeNaam = 'Lotte Verhuisd';
      body.personen[0].verblijfplaats.verblijfadres.huisnummer = 99;
      return body;
    };
    expect((await at.get('dana')).body.brief.sections).toEqual(before);
    const from = register.seen.length;
    expect((await at.post('bas', 'send')).body.sections).toEqual(before);
    const text = textOf(handed(from)[0]?.body.inhoud);
    expect(text).toContain('Lotte van Dijk\nKleine Houtweg 27 RD');
    expect(text).toContain('90000011130');
    expect(text).toContain('2.412 uur');
  });

  it('needs no BRP, and no word of the register but its receipt', async () => {
    const at = await approved();
    brp.intercept = hangingUp;
    register.intercept = (seen, response) => seen.url !== SENDING && hangingUp(seen, response);
    expect((await at.post('bas', 'send')).status).toBe(200);
  });

  it('has a secret address in it that no answer shows', async () => {
    brp.amend = (_, body) => {
      body.personen[0].geheimhoudingPersoonsgegevens = true;
      return body;
    };
    const at = desk();
    const seen = [await at.get('dana', { 'x-step-up': '1' }), await at.preview('anna')];
    await at.bring('approved');
    brp.amend = null;
    const from = register.seen.length;
    seen.push(await at.get('anna'), await at.post('bas', 'send'), await at.get('bas'), await at.preview('bas'));
    for (const { status, body } of seen) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/Kleine Houtweg|2012/);
      expect(JSON.stringify(body)).toContain('(geheim)');
    }
    expect(textOf(handed(from)[0]?.body.inhoud)).toContain('Kleine Houtweg 27 RD\n2012 CB Haarlem');
  });

  it('goes by post, to where the register writes, for someone whom the BRP cannot know', async () => {
    const loginId = 'tomasz-wolski';
    register.amend = (path, body) => {
      if (path === '/brieven/opdrachten/zoek') {
        body[0].indiener = { loginId };
        body[0].registratieId = `90000010904.${loginId}`;
        body[0].beroepCode = '04';
        body[0].correspondentieadres = { adresregel: 'Lange Lozanastraat 114', postcodeWoonplaats: '2018 Antwerpen' };
      }
      return body;
    };
    const at = desk();
    await at.bring('sent');
    const { body } = handed(0).at(-1) ?? {};
    expect(body.kanaal).toBe('post');
    expect(textOf(body.inhoud)).toContain('Tomasz Wolski\nLange Lozanastraat 114\n2018 Antwerpen\n');
    expect(textOf(body.inhoud)).toContain('Geachte Tomasz Wolski,');
  });
});

describe('a dispatch', () => {
  it.each([
    ['refuses', 422],
    ['finds in conflict', 409],
    ['finds wrong', 400],
  ])('that the register %s (%i) is 409, and the letter stays approved', async (_, status) => {
    const at = await approved();
    register.intercept = onlyAt(SENDING, answering(status));
    const { status: answered, body } = await at.post('bas', 'send');
    expect([answered, body.code]).toEqual([409, 'verzending-geweigerd']);
    expect(await tagOf(at)).toBe('approved');
    register.intercept = null;
    const { briefId } = (await at.get('dana')).body.brief;
    expect((await at.post('dana', 'reset')).body.brief.briefId).toBe(briefId);
  });

  const ways: [string, Hand, number][] = [
    ['is down', answering(503), 503],
    ['refuses our credential', answering(401), 503],
    ['has another path', answering(404), 503],
    ['hangs up', hangingUp, 504],
    ['says what we cannot read', answering(202), 502],
    [
      'has it, and hangs up',
      async (seen, response) => {
        await register.ask(seen);
        return hangingUp(seen, response);
      },
      504,
    ],
    [
      'has it, and breaks off',
      async (seen, response) => {
        await register.ask(seen);
        response.writeHead(202, { 'content-type': 'application/json', 'content-length': 100 }).write('{');
        setTimeout(() => response.destroy(), 20);
        return true;
      },
      504,
    ],
  ];
  it.each(ways)('of which the register %s leaves it approved; the next try sends it, once', async (_, way, status) => {
    const at = await approved();
    const from = register.seen.length;
    register.intercept = onlyAt(SENDING, way);
    const failed = await at.post('bas', 'send');
    expect(failed).toMatchObject({ status, body: { bron: 'register' } });
    expect(JSON.stringify(failed.body)).not.toMatch(/Lotte|127\.0\.0\.1/);
    expect(await tagOf(at)).toBe('approved');
    register.intercept = null;
    expect((await at.post('anna', 'send')).status).toBe(200);
    expect(await tagOf(at)).toBe('sent');
    const tries = handed(from);
    expect(tries).toHaveLength(2);
    expect(new Set(tries.map(({ key, body }) => `${key} ${JSON.stringify(body)}`)).size).toBe(1);
  });

  it('that may have arrived is not overwritten by a reset, and one that certainly did not is', async () => {
    const at = await approved();
    const { briefId } = (await at.get('dana')).body.brief;
    register.intercept = onlyAt(SENDING, hangingUp);
    await at.post('bas', 'send');
    register.intercept = null;
    expect((await at.post('dana', 'reset')).body.brief.briefId).not.toBe(briefId);
  });

  it('that may have arrived stays so when a later try certainly did not', async () => {
    const at = await approved();
    const { briefId } = (await at.get('dana')).body.brief;
    for (const way of [hangingUp, answering(401)]) {
      register.intercept = onlyAt(SENDING, way);
      await at.post('bas', 'send');
    }
    register.intercept = null;
    expect((await at.post('dana', 'reset')).body.brief.briefId).not.toBe(briefId);
  });

  it('of another approval has another key', async () => {
    const at = desk();
    const from = register.seen.length;
    await at.bring('sent');
    await at.post('dana', 'reset');
    await at.bring('sent');
    expect(new Set(handed(from).map(({ key }) => key)).size).toBe(2);
  });
});

describe('a source that does not answer', () => {
  it('keeps a letter from being read, changed and approved: it would have holes', async () => {
    const at = desk();
    await at.bring('submitted');
    for (const source of [register, brp]) {
      source.intercept = answering(503);
      for (const reply of [await at.get('dana'), await at.preview('dana'), await at.post('anna', 'approve')]) {
        expect(reply).toMatchObject({ status: 503, body: { code: 'bron-niet-beschikbaar' } });
      }
      source.intercept = null;
    }
    expect(await tagOf(at)).toBe('submitted');
    expect((await at.post('anna', 'approve')).status).toBe(200);
  });

  it('keeps a letter from being begun, and the next look begins it', async () => {
    const at = desk();
    register.intercept = onlyAt('/brieven/sjablonen', answering(500));
    expect((await at.get('dana')).status).toBe(503);
    register.intercept = null;
    expect((await at.get('anna')).body.brief.drafterId).toBe(`drafter-dana@${at.world}`);
  });
});

describe('a source that has no value', () => {
  it('keeps a letter from being submitted, and from being approved when it had one before', async () => {
    const at = desk();
    await at.bring('submitted');
    brp.amend = (_, body) => {
      body.personen = [];
      return body;
    };
    const refused = await at.post('anna', 'approve');
    expect([refused.status, refused.body.code]).toEqual([409, 'plaatshouder-open']);
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/sections/0/blocks/0/content/paragraphs/0/nodes/2',
      '/sections/0/blocks/0/content/paragraphs/0/nodes/4',
    ]);
    await at.post('anna', 'reject', { comments: 'Geen adres.' });
    expect((await at.post('dana', 'submit')).body.code).toBe('plaatshouder-open');
    const { sections } = (await at.get('dana')).body.brief;
    expect([nodeOf(sections, 'naam').text, nodeOf(sections, 'adresregel').text]).toEqual(['Lotte van Dijk', null]);
    expect(wordsOf(sections, 'aanhef')).toMatch(/^Geachte Lotte van Dijk,/);
  });
});

describe('a register that asks for no letter', () => {
  it('has none to read, and none to change', async () => {
    register.amend = (path, body) => (path === '/brieven/opdrachten/zoek' ? [] : body);
    const at = desk();
    expect((await at.get('dana')).body).toEqual({ brief: null, availablePassages: [] });
    expect((await at.post('dana', 'reset')).body).toEqual({ brief: null, availablePassages: [] });
    for (const action of ['submit', 'send']) expect((await at.post('dana', action)).body.code).toBe('brief-status');
    expect((await at.put('dana', [])).body.code).toBe('brief-status');
    expect((await at.preview('dana')).body).toContain('geen brief');
  });

  it('or whose nobody drafts yet, makes a drafter of whoever saves first', async () => {
    register.amend = (path, body) => {
      if (path === '/brieven/opdrachten/zoek') body[0].opsteller = null;
      return body;
    };
    const at = desk();
    expect((await at.get('anna')).body.brief.drafterId).toBeNull();
    expect((await at.put('bas', await at.filled())).body.drafterId).toBe(`behandelaar-bas@${at.world}`);
  });
});

describe('a library that moves on', () => {
  it('offers the newest version, and knows the one that a letter has', async () => {
    const at = desk();
    await at.get('dana');
    register.amend = (path, body) => {
      if (!path.startsWith('/brieven/passages')) return body;
      const newer = { ...body[0], versie: 2, alineas: [{ lijst: 'nummering', tekst: 'Nieuw: {{naam}}' }] };
      return [...body, newer];
    };
    const { brief, availablePassages } = (await at.get('dana')).body;
    expect(
      availablePassages.filter(({ passageId }: { passageId: string }) => passageId === 'p-besluit-toewijzing'),
    ).toEqual([
      expect.objectContaining({ version: 2, content: { paragraphs: [expect.objectContaining({ list: 'number' })] } }),
    ]);
    const { sections } = (await at.put('dana', brief.sections)).body;
    expect(sections[2].blocks[0]).toMatchObject({ sourceVersion: 1, edited: false });
    brief.sections[2].blocks[0].sourceVersion = 2;
    expect((await at.put('dana', brief.sections)).body.sections[2].blocks[0]).toMatchObject({
      sourceVersion: 2,
      edited: true,
    });
  });
});

describe('a letter whose first sending was not heard of', () => {
  it('is kept by a reset, also when the register then refuses it', async () => {
    const at = await approved();
    const before = (await at.get('dana')).body.brief.briefId;
    register.intercept = onlyAt(SENDING, hangingUp);
    expect((await at.post('bas', 'send')).status).toBe(504);
    register.intercept = onlyAt(SENDING, answering(422));
    expect((await at.post('bas', 'send')).status).toBe(409);
    register.intercept = null;
    expect((await at.post('dana', 'reset')).body.brief.briefId).not.toBe(before);
  });
});

describe('a passage that the library has withdrawn', () => {
  it('stays in a letter that has it, and comes into no other', async () => {
    const at = desk();
    const sections = await at.filled();
    register.amend = (path, body) =>
      path.startsWith('/brieven/passages')
        ? body.filter(({ passageId }: { passageId: string }) => passageId !== 'p-motivering-werkervaring')
        : body;
    const saved = await at.put('dana', sections);
    expect(saved.status).toBe(200);
    const passageOf = (all: typeof sections) => all[3].blocks[0];
    expect(passageOf(saved.body.sections)).toMatchObject({
      sourcePassageId: 'p-motivering-werkervaring',
      edited: false,
    });
    passageOf(sections).content.paragraphs[0].nodes.unshift({ type: 'text', text: 'Ook: ' });
    expect(passageOf((await at.put('dana', sections)).body.sections).edited).toBe(true);
    sections[4].blocks.push({ ...passageOf(sections), blockId: 'elsewhere' });
    expect((await at.put('dana', sections)).status).toBe(400);
  });
});
