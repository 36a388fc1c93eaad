import { randomUUID } from 'node:crypto';
import type { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Handlers, HandlersOptions } from '../../browser/index.ts';
import { createClient, type Persona } from '../../client/index.ts';
import { sampleNamed } from '../../simulator/control/uploads.ts';
import { SAMPLES } from '../../simulator/samples/index.ts';
import { createControl } from '../../testing/control.ts';
import { worldOf } from '../../testing/world.ts';
import { together } from '../support/service.ts';
import { pdf } from './files.ts';
import { type Bundle, bundleForTest } from './handlers.ts';
import { TODAY } from './service.ts';
import { textOf } from './snippets.ts';

/** The fields of an upload. */
const PROOF = { wizardId: 'herregistratie', categoryId: 'scholingsbewijs' } as const;
const GUIDE = 'docs/guides/tests.md';

/**
 * Defines the tests of the functions that control `handlers()` (MSW request handlers that answer as the service).
 * `setup` is `setupServer` of one major version of MSW. A test file must use only one version, because both would
 * answer a request.
 */
export const describeControl = (msw: string, setup: typeof setupServer) =>
  describe(`handlers() with ${msw}`, () => {
    const server = setup();
    let bundle: Bundle;
    let make: Awaited<ReturnType<Bundle['load']>>['handlers'];
    let bff: Handlers;
    let baseUrl: string;

    function open(options: HandlersOptions = {}): Handlers {
      baseUrl = `http://${randomUUID()}.test`;
      const made = make({ clock: TODAY, persona: 'sanne-de-wit', ...options, baseUrl });
      server.use(...made);
      return made;
    }
    const client = () => createClient({ baseUrl });
    const submit = () => client().POST('/herregistraties', { body: { uren: 2_600 } });

    beforeAll(async () => {
      bundle = await bundleForTest(msw);
      make = (await bundle.load()).handlers;
      server.listen();
    });
    afterAll(() => {
      server.close();
      bundle.remove();
    });
    beforeEach(() => {
      bff = open();
    });

    it('returns an array of handlers only, that can be spread or copied', () => {
      expect(Object.keys(bff)).toEqual(Object.keys([...bff]));
      expect([...bff].every((handler) => 'info' in handler)).toBe(true);
    });

    it('sets the clock to a date or around a deadline: on the day after it, a request is refused with niet-herregistreerbaar', async () => {
      expect(bff.clock('2027-01-31').toISOString()).toMatch(/^2027-01-31/);
      bff.clock({ deadline: 'sanne-de-wit', days: 1 });
      expect((await submit()).problem?.code).toBe('niet-herregistreerbaar');
      expect(() => bff.clock('morgen')).toThrow("'morgen' is not a clock change");
    });

    it('sets the clock back before a decision, which the register and the service then do not have', async () => {
      const tag = async () => (await client().GET('/applications')).data?.[0]?.status.tag;
      await submit();
      bff.clock('+2days');
      expect(await tag()).toBe('Goedgekeurd');
      bff.clock('-1day');
      expect(await tag()).toBe('InBehandeling');
      expect(bff.zaken().find(({ slug }) => slug === 'sanne-de-wit')?.status).toBe('ontvangen');
    });

    it('switches scenarios and faults on, and calm() switches them off', async () => {
      bff.scenario('register-down');
      expect((await client().GET('/dashboard-view')).problem?.code).toBe('bron-niet-beschikbaar');
      bff.calm();
      bff.fault({ upstream: 'dienst', kind: 'problem', code: 'niet-ingelogd', after: 1 });
      expect((await client().GET('/notes')).problem).toBeUndefined();
      expect((await client().GET('/notes')).problem?.code).toBe('niet-ingelogd');
      bff.calm();
      expect((await client().GET('/dashboard-view')).problem).toBeUndefined();
      // @ts-expect-error: the type has the problem codes.
      expect(() => bff.fault({ upstream: 'dienst', kind: 'problem', code: 'geen-code' })).toThrow(
        'geen-code does not exist',
      );
    });

    it('refuses a fault that cannot happen, as the control API does', () => {
      for (const [fault, says] of [
        [{ upstream: 'brp', kind: 'problem', code: 'niet-ingelogd' }, 'an upstream has no problem code'],
        [{ upstream: 'brp', kind: 'refused', probability: 0.5 }, 'the upstream refuses every connection'],
        [{ upstream: 'register', kind: 'reset', operation: 'raad' }, 'register has no operation raad'],
        [{ upstream: 'duo', kind: 'latency', ms: { min: 9, max: 1 } }, 'min may not be more than max'],
        [{ upstream: 'brp', kind: 'resett' as 'reset' }, '/kind: Choose from refused, reset'],
        [{ upstream: 'brp', kind: 'status', status: 200 }, '/status: '],
      ] as const)
        expect(() => bff.fault(fault)).toThrow(says);
    });

    it('applies the faults of the document store and of the scanner as the service does', async () => {
      const file = new File([new Uint8Array(pdf({ pad: 300_000 }))], 'bewijs.pdf');
      const { data } = await client().upload({ ...PROOF, file });
      const leaving = new AbortController();
      const download = () => fetch(`${baseUrl}/api/v1/uploads/${data?.documentId}/content`, { signal: leaving.signal });
      const faulty = (fault: Parameters<Handlers['fault']>[0]) => {
        bff.calm();
        bff.fault(fault);
      };
      faulty({ upstream: 'documenten', kind: 'cut' });
      const cut = await download();
      expect(cut.status).toBe(200);
      await expect(cut.arrayBuffer()).rejects.toThrow();
      faulty({ upstream: 'documenten', kind: 'drip', ms: 50 });
      // The answer begins before its bytes are there.
      expect((await download()).status).toBe(200);
      faulty({ upstream: 'documenten', kind: 'status', status: 404 });
      expect((await download()).status).toBe(404);
      leaving.abort();
      faulty({ upstream: 'scanner', kind: 'cut' });
      expect((await client().upload({ ...PROOF, file })).problem?.code).toBe('bron-niet-beschikbaar');
    });

    it('decides a case, and GET /applications returns the decision', async () => {
      const { data } = await submit();
      expect(bff.zaken().map(({ referentie }) => referentie)).toContain(data?.referentie);
      await bff.decide(data?.referentie ?? '', 'afgewezen', 'Te weinig uren.');
      const [first] = (await client().GET('/applications')).data ?? [];
      expect(first?.status).toMatchObject({ tag: 'Afgewezen', reden: 'Te weinig uren.' });
      await expect(bff.decide(data?.referentie ?? '', 'open' as 'afgewezen')).rejects.toThrow('/uitkomst: Choose from');
    });

    it('has a journal with what each request sent, its calls to upstreams and its decisions', async () => {
      await client().GET('/dashboard-view');
      const key = { 'Idempotency-Key': '5d0a9b3c-6f63-4f0e-9d52-3a8e0f8c4a11' };
      await client().POST('/herregistraties', { body: { uren: -1 }, headers: key });
      await client().GET('/uploads/status', { query: { localIds: 'a' } });
      const form = { ...PROOF, localId: 'a' } as const;
      await client().upload({ ...form, file: new File(['%PDF'], 'a.pdf') });
      const [read, refused, asked, sent] = bff.journal();
      const path = '/api/v1/dashboard-view';
      expect(read).toMatchObject({ path, status: 200, operation: 'dashboardView', problem: null });
      expect(read?.upstream.map(({ upstream }) => upstream).sort()).toEqual(['brp', 'register']);
      expect(read?.why.map(({ rule }) => rule)).toContain('checkHerregistratie');
      expect(read).toMatchObject({ body: null, headers: { 'x-subject': expect.any(String) } });
      expect(read?.headers).not.toHaveProperty('authorization');
      expect(refused).toMatchObject({ status: 422, problem: 'uren-ongeldig', body: '{"uren":-1}' });
      expect(refused?.headers).toMatchObject({ 'idempotency-key': key['Idempotency-Key'] });
      expect(JSON.parse(sent?.body ?? '')).toEqual({ fields: form, file: { name: 'a.pdf', size: 4 } });
      expect(asked?.path).toBe('/api/v1/uploads/status?localIds=a');
    });

    it('writes all state, also documents, to a snapshot, and restores it in other handlers', async () => {
      bff.clock('2026-06-02');
      const file = new File([new Uint8Array(pdf())], 'bewijs.pdf');
      const { data, problem } = await client().upload({ ...PROOF, file });
      expect(problem ?? data?.status).toBe('uploaded');
      const params = { documentId: data?.documentId ?? '' };
      await submit();
      const snapshot = JSON.parse(JSON.stringify(bff.snapshot()));
      const before = (await client().GET('/applications')).data;
      const other = open();
      expect((await client().GET('/applications')).data).toEqual([]);
      await other.restore(snapshot);
      expect((await client().GET('/applications')).data).toEqual(before);
      const content = (await client().GET('/uploads/{documentId}/content', { params })).data;
      expect(await content?.bytes()).toEqual(new Uint8Array(pdf()));
      await expect(other.restore({ format: 'x' } as never)).rejects.toThrow(
        'its format must be zorgregister-handlers/1',
      );
    });

    it('restores a snapshot of an older version, in which a letter does not have everyone who submitted it', async () => {
      await client().as('drafter-dana').GET('/brief');
      const saved = JSON.stringify(bff.snapshot());
      const older = saved.replace('"submitters":[],', '').replace('"tag":"draft"', '"tag":"submitted"');
      await bff.restore(JSON.parse(older));
      const { problem } = await client().as('approver-anna').POST('/brief/approve');
      expect(problem?.code).toBe('plaatshouder-open');
    });

    it('has every function of a world in tests, except those that the guide names', () => {
      const [, exceptions = ''] = /<!-- not-in-handlers -->(.+?)<!-- \/not-in-handlers -->/s.exec(textOf(GUIDE)) ?? [];
      const absent = [...exceptions.matchAll(/^\| `bff\.(\w+)/gm)].map(([, name]) => name);
      const inTests = Object.entries(worldOf('', createControl(''), 'default'));
      const missing = inTests.filter(([name, value]) => typeof bff[name as 'name'] !== typeof value);
      expect(missing.map(([name]) => name).sort()).toEqual(absent.sort());
    });

    it('has sample files, which the service accepts or refuses as it does those of the simulator', async () => {
      const upload = async (name: string) => {
        const file = new File([await bff.sample(name)], name);
        const { data, problem } = await client().upload({ ...PROOF, file });
        return problem ? problem.code : data.status;
      };
      for (const { name, gives } of SAMPLES) {
        // The images are compressed by another library in a page.
        if (!name.endsWith('.png')) expect(Buffer.compare(await bff.sample(name), sampleNamed(name)), name).toBe(0);
        // Those of the document store are slow or lost.
        if (name.startsWith('sim-')) continue;
        expect(await upload(name), name).toBe(gives ?? 'uploaded');
        await bff.reset();
      }
      await expect(bff.sample('geen.pdf')).rejects.toThrow('There is no such sample file.');
    });

    it('has a client and headers of a persona in its world, and lists the calls that a filter selects', async () => {
      const other = open({ persona: 'sanne-de-wit@demo' });
      expect(other.name).toBe('demo');
      const { data } = await other.as('noor-bakker').GET('/dashboard-view');
      expect(data?.person?.naam).toContain('Noor');
      expect(other.headers('noor-bakker')).toMatchObject({ 'X-Subject': 'noor-bakker@demo' });
      const headers = other.headers('sanne-de-wit');
      await client().POST('/herregistraties', { body: { uren: 2_600 }, headers });
      const sent = { operation: 'createHerregistratie', persona: 'sanne-de-wit', body: { uren: 2_600 } };
      expect(await other.calls({ persona: 'sanne-de-wit' })).toEqual([{ ...sent, status: 200, problem: null }]);
      expect(await other.calls({ operation: 'dashboardView', status: 200 })).toHaveLength(1);
      expect(await other.calls({ status: '4xx' })).toEqual([]);
      const refused = await other.as('noor-bakker').POST('/herregistraties', { body: { uren: -1 } });
      const trace = refused.problem?.traceId ?? '';
      expect(other.journal({ trace }).map(({ status }) => status)).toEqual([refused.response.status]);
      await expect(other.calls({ operation: 'createHerregistraties' })).rejects.toThrow('createHerregistratie');
      expect(() => other.journal({ persona: 'sane-de-wit' as 'sanne-de-wit' })).toThrow('There is no such persona.');
      other.fault({ upstream: 'dienst', kind: 'lost' });
      await expect(other.as('noor-bakker').GET('/notes')).rejects.toThrow();
    });

    it('has the state, the letters of the register and the letter of the staff', async () => {
      expect((await bff.state()).clock).toMatchObject({ mode: 'frozen', today: TODAY });
      await bff.reset('2026-02-01');
      expect(await bff.state()).toMatchObject({ clock: { today: '2026-02-01', firstDay: '2026-02-01' }, entries: 0 });
      await expect(bff.reset('morgen')).rejects.toThrow('/begin');
      await submit();
      const [letter] = (await bff.post('sanne-de-wit')).slice(-1);
      expect(letter).toMatchObject({ kind: 'ontvangstbevestiging', date: '2026-02-01' });
      expect((await bff.postLetter('sanne-de-wit', letter?.id ?? '')).text).toContain('de Wit');
      await expect(bff.post('drafter-dana')).rejects.toThrow('gets no letters');
      expect(await bff.brief()).toBeNull();
      bff.scenario('register-down');
      expect(await bff.putBrief('approved')).toMatchObject({ tag: 'approved' });
      expect((await bff.state()).scenarios).toEqual(['register-down']);
      bff.calm();
      expect(await bff.brief()).toMatchObject({ tag: 'approved', submittedBy: 'drafter-dana' });
      await expect(bff.putBrief('sent', { referentie: 'HER-2026-999999' })).rejects.toThrow();
      expect(await bff.brief()).toMatchObject({ tag: 'approved' });
      const { referentie } = await bff.putBrief('sent');
      expect(bff.zaken().find((zaak) => zaak.referentie === referentie)?.status).toBe('besloten');
      const post = await bff.post('lotte-van-dijk');
      expect(post.at(-1)).toMatchObject({ date: '2026-02-01', referentie });
    });

    it('lists the uploads, and brings one to a state', async () => {
      const file = new File([await bff.sample('scholingsbewijs.pdf')], 'bewijs.pdf');
      await client().upload({ ...PROOF, localId: 'mijn', file });
      const mine = (await bff.uploads()).find(({ localId }) => localId === 'mijn');
      expect(mine).toMatchObject({ slug: 'sanne-de-wit', bestandsnaam: 'bewijs.pdf', state: 'uploaded' });
      const status = async () => (await client().GET('/uploads/status', { query: { localIds: 'mijn' } })).data;
      for (const state of ['pending', 'rejected', 'uploaded'] as const) {
        expect(await bff.putUpload(mine?.documentId ?? '', state)).toMatchObject({ state });
        expect((await status())?.results[0]?.status).toBe(state);
      }
      await expect(bff.putUpload('x', 'uploaded')).rejects.toThrow('There is no such document');
      await expect(bff.putUpload(mine?.documentId ?? '', 'klaar' as 'pending')).rejects.toThrow('/state');
    });

    it('saves a snapshot by name, and restores it', async () => {
      bff.snapshot('leeg');
      await submit();
      await bff.restore('leeg');
      expect((await client().GET('/applications')).data).toEqual([]);
      await expect(bff.restore('leg')).rejects.toThrow('there is no snapshot "leg"; the nearest are leeg');
    });

    it('removes requests, scenarios and the journal with reset()', async () => {
      await submit();
      bff.scenario('register-down');
      await bff.reset();
      expect((await client().GET('/applications')).data).toEqual([]);
      expect(bff.journal()).toHaveLength(1);
      expect((await submit()).problem).toBeUndefined();
    });

    it.each<[string, () => unknown]>([
      ['calm()', () => bff.calm()],
      ['scenario(…, false)', () => bff.scenario('register-garbage', false)],
      ['reset()', () => bff.reset()],
    ])('closes the circuit breakers with %s', async (_, recover) => {
      const begin = bff.snapshot();
      const notes = async (persona: Persona) => (await client().as(persona).GET('/notes')).response.status;
      bff.scenario('register-garbage');
      await together(20, () => notes('sanne-de-wit'));
      await recover();
      expect(await notes('sanne-de-wit')).toBe(200);
      bff.scenario('register-garbage');
      await together(20, () => notes('sanne-de-wit'));
      expect(await notes('sanne-de-wit@other')).toBe(200);
      await bff.restore(begin);
      expect(await notes('sanne-de-wit')).toBe(200);
    });

    it('keeps the state over a reload with the option keep, until it is reset', async () => {
      stubSessionStorage();
      open({ keep: 'story' });
      await submit();
      const reloaded = open({ keep: 'story' });
      expect((await client().GET('/applications')).data).toHaveLength(1);
      open({ keep: 'other' });
      expect((await client().GET('/applications')).data).toEqual([]);
      await reloaded.reset();
      open({ keep: 'story' });
      expect((await client().GET('/applications')).data).toEqual([]);
    });

    it('keeps a case whose answer was lost, and has it in the journal with status 499', async () => {
      stubSessionStorage();
      const lost = open({ keep: 'story' });
      lost.fault({ upstream: 'dienst', kind: 'lost' });
      await expect(submit()).rejects.toThrow();
      expect(lost.journal()).toMatchObject([{ method: 'POST', path: '/api/v1/herregistraties', status: 499 }]);
      const reloaded = open({ keep: 'story' });
      reloaded.calm();
      expect((await client().GET('/applications')).data).toHaveLength(1);
    });

    it.each(['oops', '{}', 'null', '{"format":"zorgregister-handlers/1","worlds":{"default":{}}}'])(
      'begins anew, with a warning, when the kept state is %s',
      async (state) => {
        stubSessionStorage().set('zorgregister-bff:story', state);
        const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
        onTestFinished(() => warn.mockRestore());
        open({ keep: 'story' });
        expect(warn).toHaveBeenCalledWith(expect.stringContaining('cannot be read'));
        expect((await submit()).problem).toBeUndefined();
        expect((await client().GET('/applications')).data).toHaveLength(1);
      },
    );

    it('answers a page of another origin, and its preflight, with CORS headers', async () => {
      const asked = { Origin: 'http://page.test', 'Access-Control-Request-Method': 'PUT' };
      const preflight = await fetch(`${baseUrl}/api/v1/notes`, { method: 'OPTIONS', headers: asked });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('PUT');
      expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('If-Match');
      const { response } = await client().GET('/notes', { headers: { Origin: 'http://page.test' } });
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('http://page.test');
      expect(response.headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
    });
  });

/** Replaces `sessionStorage`, which Node lacks, until the end of the test, and returns its values. */
function stubSessionStorage(): Map<string, string> {
  onTestFinished(() => void vi.unstubAllGlobals());
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  return kept;
}
