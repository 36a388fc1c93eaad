import { describe, expect, it } from 'vitest';
import { copyOf, decide, demand, rule } from '../../../src/domain/rule.ts';
import { Problem } from '../../../src/problem.ts';
import { controlOf } from '../../support/control.ts';
import { jpeg, pdf, png } from '../../support/files.ts';
import { journalOf } from '../../support/journal.ts';
import { createLetterClient, fillablePlaceholderOf, freeText, type LetterClient } from '../../support/letter.ts';
import { upload } from '../../support/multipart.ts';
import { PERSONAL_DATA } from '../../support/people.ts';
import { newWorld, type Reply, useService } from '../../support/service.ts';

const service = await useService({ SCANNER: 'simulator' });
const declared = problemsOf((await service.get('/api/v1/openapi.json')).body);

interface Described {
  readonly operationId: string;
  readonly responses: Record<string, { readonly description: string }>;
}

/** Returns every 409 and 422 code that the OpenAPI document declares, by operation. */
function problemsOf(document: { paths: Record<string, Record<string, Described>> }): Record<string, string[]> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(
    operations.flatMap(({ operationId, responses }) => {
      const codes = ['409', '422'].flatMap((status) =>
        [...(responses[status]?.description ?? '').matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code),
      );
      return codes.length > 0 ? [[operationId, codes.sort()]] : [];
    }),
  );
}

const post = (path: string, as: string, json: unknown = {}, headers = {}) =>
  service.post(`/api/v1${path}`, as, json, headers);
const twice = async (ask: () => Promise<Reply>): Promise<Reply> => {
  await ask();
  return ask();
};
/** Sends many requests at once and returns the answer that was refused with this code. */
const concurrently = async (code: string, ask: () => Promise<Reply>, more = 8): Promise<Reply> => {
  const replies = await Promise.all(Array.from({ length: more }, ask));
  const refused = replies.find(({ body }) => body.code === code);
  if (refused === undefined) throw new Error(`nobody was refused: ${replies.map(({ status }) => status)}`);
  return refused;
};
const EICAR = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

const draft = async (as: string, type: string, content: unknown = null): Promise<string> => {
  const { id } = (await post('/applications', as, { type })).body;
  if (content !== null) await service.call('PUT', `/api/v1/applications/${id}`, { as, json: { draft: content } });
  return id;
};
const submit = async (as: string, type: string, json: unknown = {}): Promise<Reply> =>
  post(`/applications/${await draft(as, type)}/submit`, as, json);
const file = (as: string, content: Buffer | string, filename = 'a.pdf', localId = 'l1') =>
  upload(service, as, { file: content, filename, localId });
const documentOf = async (as: string, localId: string): Promise<string> => {
  const { results } = (await service.get('/api/v1/uploads/status', { as })).body;
  return results.find((one: { localId: string }) => one.localId === localId).documentId;
};

/** Makes one operation refuse with one code, in the given world. Returns the refusal. */
type Way = (world: string) => Promise<Reply>;
const at =
  (state: Parameters<LetterClient['bringTo']>[0], act: (letter: LetterClient) => Promise<Reply>): Way =>
  async (name) => {
    const letter = createLetterClient(service, name);
    await letter.bringTo(state);
    return act(letter);
  };
const saved = async (
  letter: LetterClient,
  change: (sections: Awaited<ReturnType<LetterClient['filledSections']>>) => void,
): Promise<LetterClient> => {
  const sections = await letter.filledSections();
  change(sections);
  await letter.put('dana', sections);
  return letter;
};
/** Brings a draft of the letter to the service with these changes, and submits it. */
const submitted = (change: Parameters<typeof saved>[1]): Way =>
  at('draft', async (letter) => {
    await saved(letter, change);
    return letter.post('dana', 'submit');
  });
/** Returns one case for each of the two refusals of an idempotency key, for one operation. */
const idempotencyRefusals = (
  path: string | ((as: string) => Promise<string>),
  who: string,
  json: unknown,
  other: unknown,
) => {
  const ask = async (name: string, body: unknown, key: string, to?: string) => {
    const as = `${who}@${name}`;
    const target = to ?? (typeof path === 'string' ? path : await path(as));
    return () => post(target, as, body, { 'idempotency-key': key });
  };
  return {
    'sleutel-hergebruikt': (async (name) => {
      const target = typeof path === 'string' ? path : await path(`${who}@${name}`);
      await (await ask(name, json, 'k', target))();
      return (await ask(name, other, 'k', target))();
    }) satisfies Way,
    'sleutel-in-gebruik': (async (name) =>
      concurrently('sleutel-in-gebruik', await ask(name, json, 'k'))) satisfies Way,
  };
};

const ADRES = { straat: 'Kerkstraat 1', postcode: '3511 AB', woonplaats: 'Utrecht' };

const WAYS: Record<string, Record<string, Way>> = {
  createRegistration: {
    'aanvrager-overleden': (w) => post('/registrations', `truus-visser@${w}`, { diplomaHerkomst: 'duo' }),
    'diplomaherkomst-ongeldig': (w) => post('/registrations', `gerda-postma@${w}`),
    'geen-duo-diploma': (w) => post('/registrations', `gerda-postma@${w}`, { diplomaHerkomst: 'duo' }),
    'al-geregistreerd': (w) => post('/registrations', `pieter-hoekstra@${w}`, { diplomaHerkomst: 'duo' }),
    // Struck off by the disciplinary court, with a diploma at DUO.
    'herinschrijving-niet-mogelijk': (w) => post('/registrations', `burger-712@${w}`, { diplomaHerkomst: 'duo' }),
    'documenten-ongeldig': (w) => post('/registrations', `gerda-postma@${w}`, { diplomaHerkomst: 'handmatig' }),
    'lopende-aanvraag': (w) => twice(() => post('/registrations', `noor-bakker@${w}`, { diplomaHerkomst: 'duo' })),
    ...idempotencyRefusals(
      '/registrations',
      'noor-bakker',
      { diplomaHerkomst: 'duo' },
      { diplomaHerkomst: 'handmatig' },
    ),
  },
  createHerregistratie: {
    'uren-ongeldig': (w) => post('/herregistraties', `sanne-de-wit@${w}`, { uren: -1 }),
    'urennorm-niet-gehaald': (w) => post('/herregistraties', `joost-van-buren@${w}`, { uren: 1_400 }),
    'niet-herregistreerbaar': (w) => post('/herregistraties', `wilma-dekker@${w}`, { uren: 2_600 }),
    'lopende-aanvraag': (w) =>
      concurrently('lopende-aanvraag', () => post('/herregistraties', `sanne-de-wit@${w}`, { uren: 2_600 })),
    'documenten-ongeldig': (w) =>
      post('/herregistraties', `sanne-de-wit@${w}`, { uren: 2_600, documents: [{ categoryId: 'cv' }] }),
    ...idempotencyRefusals('/herregistraties', 'sanne-de-wit', { uren: 2_600 }, { uren: 2_601 }),
  },
  createIntake: {
    'aanvrager-overleden': (w) => post('/intakes', `truus-visser@${w}`, { uren: 3_000 }),
    'uren-ongeldig': (w) => post('/intakes', `sanne-de-wit@${w}`, { uren: 99_999 }),
    'lopende-aanvraag': (w) => twice(() => post('/intakes', `sanne-de-wit@${w}`, { uren: 3_000 })),
    ...idempotencyRefusals('/intakes', 'sanne-de-wit', { uren: 3_000 }, { uren: 3_001 }),
  },
  createChangeRequest: {
    'aanvrager-overleden': (w) => post('/change-requests', `truus-visser@${w}`, ADRES),
    'adres-ongeldig': (w) => post('/change-requests', `sanne-de-wit@${w}`, { ...ADRES, postcode: '0000 AA' }),
    'adres-ongewijzigd': async (w) => {
      const as = `sanne-de-wit@${w}`;
      return post('/change-requests', as, (await service.get('/api/v1/brp/address', { as })).body.adres);
    },
    'lopende-aanvraag': (w) => twice(() => post('/change-requests', `sanne-de-wit@${w}`, ADRES)),
    ...idempotencyRefusals('/change-requests', 'sanne-de-wit', ADRES, { ...ADRES, straat: 'Kerkstraat 2' }),
  },
  createApplication: {
    'aanvrager-overleden': (w) => post('/applications', `truus-visser@${w}`, { type: 'intake' }),
    'te-veel-concepten': (w) =>
      concurrently('te-veel-concepten', () => post('/applications', `sanne-de-wit@${w}`, { type: 'intake' }), 101),
    'sleutel-hergebruikt': idempotencyRefusals(
      '/applications',
      'sanne-de-wit',
      { type: 'intake' },
      { type: 'registratie' },
    )['sleutel-hergebruikt'],
  },
  deleteApplication: {
    'aanvraag-al-ingediend': async (w) => {
      const as = `sanne-de-wit@${w}`;
      const id = await draft(as, 'intake');
      await post(`/applications/${id}/submit`, as, { uren: 3_000 });
      return service.call('DELETE', `/api/v1/applications/${id}`, { as });
    },
  },
  submitApplication: {
    'aanvraag-al-ingediend': async (w) => {
      const as = `sanne-de-wit@${w}`;
      const id = await draft(as, 'intake');
      return twice(() => post(`/applications/${id}/submit`, as, { uren: 3_000 }));
    },
    'aanvraag-onvolledig': (w) => submit(`elena-marin@${w}`, 'registratie', { diplomaHerkomst: 'buitenland' }),
    'lopende-aanvraag': (w) => twice(() => submit(`sanne-de-wit@${w}`, 'intake', { uren: 3_000 })),
    'niet-herregistreerbaar': (w) => submit(`wilma-dekker@${w}`, 'herregistratie', { uren: 2_600 }),
    ...idempotencyRefusals(
      async (as) => `/applications/${await draft(as, 'intake')}/submit`,
      'sanne-de-wit',
      { uren: 3_000 },
      { uren: 3_001 },
    ),
  },
  createUpload: {
    'upload-anders': async (w) => {
      await file(`burger-1@${w}`, pdf());
      return file(`burger-1@${w}`, pdf({ pad: 9 }));
    },
    'upload-bezig': (w) => concurrently('upload-bezig', () => file(`burger-1@${w}`, pdf()), 3),
    'upload-quotum': async (w) => {
      for (let n = 1; n <= 30; n += 1) await file(`burger-1@${w}`, pdf({ pad: n }), 'a.pdf', `n${n}`);
      return file(`burger-1@${w}`, pdf(), 'a.pdf', 'n31');
    },
    'bestand-leeg': (w) => file(`burger-1@${w}`, ''),
    'bestandsnaam-onjuist': (w) => file(`burger-1@${w}`, jpeg()),
    'bestand-beschadigd': (w) => file(`burger-1@${w}`, pdf().subarray(0, 200)),
    'bestand-versleuteld': (w) => file(`burger-1@${w}`, pdf({ trailer: '/Encrypt 5 0 R ' })),
    'afbeelding-te-groot': (w) => file(`burger-1@${w}`, png(10_000, 5_001), 'a.png'),
    'bestand-geinfecteerd': (w) =>
      file(`burger-1@${w}`, pdf({ trailer: `/Info (${EICAR.replace(')', '\\)')}) % ${EICAR}\n` })),
  },
  deleteUpload: {
    'document-in-gebruik': async (w) => {
      const as = `ruben-smit@${w}`;
      return service.call('DELETE', `/api/v1/uploads/${await documentOf(as, 'oud-certificaat')}`, { as });
    },
  },
  saveBrief: {
    'brief-status': at('sent', async (letter) => letter.put('dana', (await letter.brief()).sections)),
    'sectie-vergrendeld': at('draft', async (letter) => letter.put('dana', (await letter.filledSections()).slice(1))),
  },
  briefSubmit: {
    'brief-status': at('submitted', (letter) => letter.post('dana', 'submit')),
    'sectie-onvolledig': submitted((sections) => Object.assign(sections[4], { blocks: [] })),
    'plaatshouder-open': at('draft', (letter) => letter.post('dana', 'submit')),
    'plaatshouder-vervallen': submitted((sections) => {
      const nodes = [{ type: 'placeholder', key: 'naam_minister' }];
      sections[5].blocks = [{ type: 'freeText', content: { paragraphs: [{ nodes }] } }];
    }),
    'besluit-tegenstrijdig': submitted((sections) => {
      fillablePlaceholderOf(sections).text = 'mei';
      sections[2].blocks = [freeText('Wij wijzen uw aanvraag toe.')];
    }),
    'besluit-ongegrond': submitted((sections) => {
      fillablePlaceholderOf(sections).text = 'van 1900 tot 2099';
    }),
  },
  briefApprove: {
    'brief-status': at('approved', (letter) => letter.post('anna', 'approve')),
    'besluit-tegenstrijdig': at('submitted', async (letter) => {
      await controlOf(service).in(letter.world).put('/zaken/HER-2026-000118/besluit', { uitkomst: 'afgewezen' });
      return letter.post('anna', 'approve');
    }),
  },
  briefReject: { 'brief-status': at('draft', (letter) => letter.post('anna', 'reject', { comments: 'Nee.' })) },
  briefSend: {
    'brief-status': at('draft', (letter) => letter.post('bas', 'send')),
    'verzending-geweigerd': at('draft', async (letter) => {
      await saved(letter, (sections) => {
        sections[5].blocks = [freeText('NIET verzenden')];
      });
      await letter.post('dana', 'submit');
      await letter.post('anna', 'approve');
      return letter.post('bas', 'send');
    }),
  },
};

/** Refusals that no persona can cause, with the reason; another test causes each with its own register. */
const UNREACHABLE: Record<string, string> = {
  'createApplication sleutel-in-gebruik': 'no source is asked, so that on SQLite one is made before the next is read',
  'briefApprove besluit-ongegrond':
    'what happened stays, and the day is later (test/brief/besluit.test.ts has the submit)',
  'briefApprove plaatshouder-open': 'the sources lose a value between submit and approval (test/brief/send.test.ts)',
};

/** Returns the names of the members of the first fault in a problem. */
const faultMembers = (body: { errors?: object[] }): string[] => Object.keys(body.errors?.[0] ?? {}).sort();

describe('a refusal', () => {
  it('with 409 or 422 in the OpenAPI document is in the table of this test or in its list of exceptions', () => {
    const pairs = (table: Record<string, readonly string[]>) =>
      Object.entries(table).flatMap(([id, codes]) => codes.map((code) => `${id} ${code}`));
    const reached = pairs(Object.fromEntries(Object.entries(WAYS).map(([id, ways]) => [id, Object.keys(ways)])));
    expect([...reached, ...Object.keys(UNREACHABLE)].sort()).toEqual(pairs(declared).sort());
  });

  const rows = Object.entries(WAYS).flatMap(([id, ways]) =>
    Object.entries(ways).map(([code, way]): [string, string, Way] => [id, code, way]),
  );
  it.each(rows)('of %s with the code %s has its rule, source and facts in the journal', async (id, code, way) => {
    const name = newWorld();
    const reply = await way(name);
    expect(reply.body.code).toBe(code);
    expect([409, 422]).toContain(reply.status);
    // Shown to citizens: no names of members, and a whole sentence.
    if (!code.startsWith('sleutel-')) expect(reply.body.detail).toMatch(/^[^`]*[.]$/);
    expect(reply.body.detail).not.toMatch(/errors|localId|documentId/);
    const entry = (await journalOf(service, name)).find(({ traceId }) => traceId === reply.body.traceId);
    expect(entry).toMatchObject({ operation: id, problem: code, world: name });
    // No burgerservicenummer in any part of it.
    expect(JSON.stringify(entry)).not.toMatch(/(?<![\w:])\d{9}(?!\w)/);
    const refusals = entry?.why.filter(({ outcome }) => (outcome as { geweigerd?: string }).geweigerd === code) ?? [];
    expect(refusals).toEqual([
      {
        rule: expect.stringMatching(/\S/),
        source: expect.stringMatching(/\S/),
        facts: expect.any(Object),
        sentence: expect.stringMatching(
          /^Geweigerd, omdat (?!.*(undefined|null|NaN|\[object|brief[A-Z]|drafter|step-up)).+[.]$/,
        ),
        basis: expect.stringMatching(/^(Wet|Besluit|Awb|AVG|Afspraak|Simulator)\b/),
        outcome: expect.objectContaining({ geweigerd: code }),
      },
    ]);
    expect(Object.keys(refusals[0]?.facts as object).length).toBeGreaterThan(0);

    // On request the simulator refuses so as well, and a page cannot tell the difference.
    const { method = '', path = '', headers = {} } = entry?.request ?? {};
    const who = Object.entries(headers).filter(([header]) => /^x-(subject|role|medewerker|rollen)$/.test(header));
    const asked = await service.call(method as 'GET', path, {
      headers: { ...Object.fromEntries(who), authorization: 'Bearer x', prefer: `code=${code}` },
    });
    const shown = ({ status, body }: Reply) => [status, body.title, Object.keys(body).sort(), faultMembers(body)];
    expect(shown(asked)).toEqual(shown(reply));
  });
});

/** Returns the last journal entry of a world, and the reason of one rule in it. */
const reasonOf = async (name: string, rule: string) => {
  const entry = (await journalOf(service, name)).at(-1);
  return { entry, reason: entry?.why.find((one) => one.rule === rule) };
};

describe('the journal entry of the dashboard', () => {
  it.each([
    ['sanne-de-wit', null, '1 juni 2026 in de zes maanden tot en met de uiterste datum 1 oktober 2026 ligt'],
    ['noor-bakker', 'geenRegistratie', 'er geen registratie is'],
    ['wilma-dekker', 'doorgehaald', 'de registratie op 1 oktober 2025 is doorgehaald (Niet geherregistreerd)'],
    ['pieter-hoekstra', null, '1 juni 2026 in de zes maanden tot en met de uiterste datum 1 september 2026 ligt'],
    ['amira-el-idrissi', 'specialist', 'de registratie als specialist nog loopt tot en met 5 juli 2029'],
    ['ingrid-visser', 'loopt', 'aanvraag HER-2026-000097 nog loopt'],
    [
      'fatima-yilmaz',
      'teVroeg',
      '1 juni 2026 voor 1 december 2028 ligt, zes maanden voor de uiterste datum 1 juni 2029',
    ],
  ])(
    'of %s has the obstacle %s, the registration and the date that the eligibility rule used, and its sentence',
    async (slug, obstacle, clause) => {
      const name = newWorld();
      const { body } = await service.get('/api/v1/dashboard-view', { as: `${slug}@${name}` });
      const { reason } = await reasonOf(name, 'checkHerregistratie');
      expect(reason).toMatchObject({
        source: 'domain.md 4.2',
        facts: { today: '2026-06-01' },
        outcome: { ...body.decisions, obstacle },
        sentence: `Herregistratie kan ${obstacle === null ? 'nu' : 'niet'}, omdat ${clause}.`,
      });
      expect(reason?.facts).toHaveProperty('registratie');
    },
  );

  it('has the masked register number and its rule, and the entry of GET /notes has the number of hidden notes', async () => {
    const name = newWorld();
    await service.get('/api/v1/dashboard-view', { as: `sanne-de-wit@${name}` });
    const hidden = (await reasonOf(name, 'maskRegisterNummer')).reason;
    expect(hidden).toMatchObject({ facts: { steppedUp: false }, outcome: { registerNummer: '*********30' } });
    await service.get('/api/v1/notes', { as: `pieter-hoekstra@${name}` });
    const notes = (await reasonOf(name, 'visibleNotes')).reason;
    expect(notes?.facts).toMatchObject({ aantekeningen: expect.any(Array), today: '2026-06-01' });
    expect(notes?.outcome).toMatchObject({ shown: expect.any(Array), hidden: expect.any(Number) });
  });
});

it.each([
  ['/brp/address', 'tomasz-wolski', 'toBrpAddress', { gevonden: false, adres: null }],
  ['/duo/diplomas', 'gerda-postma', 'toDuoLookup', []],
  ['/intake/policy', 'fatima-yilmaz', 'scholingThreshold', 3_120],
])('the journal entry of GET %s by %s has the facts and outcome of %s', async (path, slug, rule, outcome) => {
  const name = newWorld();
  await service.get(`/api/v1${path}`, { as: `${slug}@${name}` });
  expect((await reasonOf(name, rule)).reason).toMatchObject({ outcome, facts: expect.any(Object) });
});

describe('the journal entry of a refusal with', () => {
  it('400 scholing-regel has the answer, the threshold and the registrations', async () => {
    const name = newWorld();
    await post('/intakes', `joost-van-buren@${name}`, { uren: 1_400 });
    expect((await reasonOf(name, 'checkScholing')).reason).toMatchObject({
      facts: { answer: { uren: 1_400 }, threshold: 2_080, registraties: [{ beroep: 'fysiotherapeut' }] },
      outcome: { geweigerd: 'scholing-regel', status: 400 },
    });
  });

  it('403 vier-ogen has the submitter and the caller', async () => {
    const name = newWorld();
    const letter = createLetterClient(service, name);
    await saved(letter, () => undefined);
    await letter.post('ali', 'submit');
    await letter.post('ali', 'approve');
    expect((await reasonOf(name, 'demandFourEyes')).reason).toMatchObject({
      facts: { subject: `admin-ali@${name}`, submittedBy: `admin-ali@${name}` },
      outcome: { geweigerd: 'vier-ogen', status: 403 },
    });
  });

  it('403 without a body has the roles of the caller and the code rol-ontbreekt', async () => {
    const name = newWorld();
    const headers = { authorization: 'Bearer x', 'x-medewerker': `behandelaar-bas@${name}`, 'x-rollen': 'behandelaar' };
    const { status, body } = await service.call('DELETE', '/api/v1/admin/uploads/x', { headers });
    expect([status, body]).toEqual([403, '']);
    expect((await reasonOf(name, 'admit')).reason).toMatchObject({
      facts: { operation: 'adminDeleteUpload', group: 'uploadAdmin', kind: 'staff', roles: ['behandelaar'] },
      outcome: { geweigerd: 'rol-ontbreekt' },
    });
  });
});

describe('the reason of a decision', () => {
  it('is in no answer and no log line, and contains no burgerservicenummer', async () => {
    const name = newWorld();
    const from = service.log.length;
    const { body } = await service.get('/api/v1/dashboard-view', { as: `sanne-de-wit@${name}` });
    const refusal = await post('/herregistraties', `sanne-de-wit@${name}`, { uren: 0 });
    expect(Object.keys(body)).toEqual(['registration', 'person', 'decisions']);
    expect(Object.keys(refusal.body)).not.toContain('why');
    const told = JSON.stringify([body, refusal.body, service.log.slice(from)]);
    expect(told).not.toMatch(/domain.md 4|checkHerregistratie/);
    const numbers = PERSONAL_DATA.filter((value) => /^\d{9}$/.test(value));
    const text = JSON.stringify(await journalOf(service, name));
    expect(numbers.filter((bsn) => text.includes(bsn))).toEqual([]);
    expect(text).not.toMatch(/"(bsn|burgerservicenummer)"/);
  });

  it('is not computed without a journal, or when no request reads the journal', () => {
    const shown = {
      facts: () => {
        throw new Error('computed');
      },
    };
    const one = rule('s', () => 1, shown);
    expect(decide(undefined, one, {})).toBe(1);
    expect(decide(() => undefined, one, {})).toBe(1);
    expect(() => decide((reason) => void copyOf(reason), one, {})).toThrow('computed');
    const faulty = rule('s', () => [{ code: 'dubbel' as const, pointer: '', detail: 'd', english: 'e' }], shown);
    const refused = () => demand(undefined, faulty, {}, () => new Problem('brief-status', 'Nee.'));
    expect(refused).toThrow('brief-status');
  });
});
