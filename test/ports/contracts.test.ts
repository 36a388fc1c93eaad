/** Checks the contracts of the register and DUO, from which other teams build these upstreams. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { toDiploma } from '../../adapters/duo/map.ts';
import { DuoAntwoordWire } from '../../adapters/duo/wire.ts';
import { beroepCodeOf } from '../../adapters/register/brieven/map.ts';
import { OpdrachtWire, PassageWire, SjabloonWire, VerzondenWire } from '../../adapters/register/brieven/wire.ts';
import {
  AantekeningWire,
  CorrespondentieadresWire,
  OntvangstWire,
  RegistratieWire,
  ZaakBijSleutelWire,
  ZaakWire,
} from '../../adapters/register/wire.ts';
import { duoOperations } from '../../simulator/upstreams/duo.ts';
import { registerOperations } from '../../simulator/upstreams/register/index.ts';
import { resolvePlaceholders } from '../../src/brief/placeholders.ts';
import type { Opdracht } from '../../src/ports/brieven.ts';
import { TIMING } from '../../src/ports/timing.ts';
import { CATEGORY_IDS } from '../../src/uploads/categories.ts';
import { BEROEPEN, DOORHALING } from '../../src/wire/values.ts';
import { createLetterClient } from '../support/letter.ts';
import { type Reply, startService, type TestService, TODAY } from '../support/service.ts';
import { type Contract, contractOf, type Operation } from '../support/upstreams/contract.ts';
import { type MockServer, startMock } from '../support/upstreams/mock.ts';

const register = contractOf('register');
const duo = contractOf('duo');
const CONTRACTS: readonly (readonly [string, Contract])[] = [
  ['register', register],
  ['DUO', duo],
];

/** The schemas with which the adapters read answers, with the name of the schema in the contract. */
const READ: readonly (readonly [Contract, string, z.ZodType])[] = [
  [register, 'Registratie', RegistratieWire],
  [register, 'Correspondentieadres', CorrespondentieadresWire],
  [register, 'Aantekening', AantekeningWire],
  [register, 'Ontvangst', OntvangstWire],
  [register, 'Zaak', ZaakWire],
  [register, 'ZaakBijSleutel', ZaakBijSleutelWire],
  [register, 'Opdracht', OpdrachtWire],
  [register, 'Sjabloon', SjabloonWire],
  [register, 'Passage', PassageWire],
  [register, 'Verzonden', VerzondenWire],
  [duo, 'Diplomas', DuoAntwoordWire],
];

/** Values that replace each member of an example in turn. */
const PROBES: readonly unknown[] = [
  null,
  '',
  'x',
  'x'.repeat(129),
  'a\0b',
  '00',
  '18',
  '79',
  '83',
  '99',
  '2026-02-29',
  '2028-02-29',
  'besloten',
  'geregistreerd',
  'goedgekeurd',
  'passed',
  true,
  false,
  -1,
  0,
  1.5,
  2 ** 31,
  [],
  {},
];

/** Returns all values that differ from `value` in one place: a member is replaced by a probe, or is absent. */
function* variants(value: unknown): Generator<unknown> {
  yield* PROBES;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const other of variants(item)) yield value.with(at, other);
    yield [...value, ...value];
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const { [name as never]: _, ...rest } = value;
      yield rest;
      for (const other of variants(member)) yield { ...value, [name]: other };
    }
}

/** All examples of answers that have this schema, also as an item of a list. */
const examplesOf = (contract: Contract, schema: string): unknown[] =>
  contract.operations
    .flatMap(({ answers }) => answers.filter(({ status }) => status < 300))
    .flatMap(({ examples }) => examples.flatMap(({ value }) => value))
    .filter((value) => contract.check(`/components/schemas/${schema}`, value).length === 0);

describe.each(CONTRACTS)('the contract of %s', (_, contract) => {
  const { document, operations } = contract;

  it('has for every operation an example of the request, and of every answer, that its schemas accept', () => {
    for (const { id, method, requests, answers, checkRequest } of operations) {
      const isPost = method === 'POST';
      expect(requests.length > 0, `${id} has an example of its body`).toBe(isPost);
      const header = (name: string) => (name === 'traceparent' ? null : 'x');
      const query = new URLSearchParams();
      for (const { value } of requests) expect(checkRequest({ query, header, body: value })).toEqual([]);
      expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([400, 401, 403, 429, 500, 503]));
      for (const { status, examples, check } of answers) {
        expect(examples.length, `${id} ${status} has an example`).toBeGreaterThan(0);
        for (const { value } of examples) {
          expect(check(value)).toEqual([]);
          if (status >= 400) expect(value.status).toBe(status);
        }
      }
    }
  });

  it('has only keywords of JSON Schema that have an effect at their place', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
    formats.default(ajv);
    ajv.addFormat('int32', true);
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      // References are followed in the other tests; `discriminator` is for those who generate code.
      const alone = JSON.parse(JSON.stringify(schema), (key, value) =>
        key === '$ref' || key === 'discriminator' ? undefined : value,
      );
      expect(() => ajv.compile(alone), name).not.toThrow();
    }
  });
});

describe('the adapters of the register and DUO', () => {
  it.each(READ)('read every $1 that the contract allows (%#)', (contract, schema, wire) => {
    const examples = examplesOf(contract, schema);
    expect(examples.length).toBeGreaterThan(0);
    let allowed = 0;
    for (const example of examples) {
      expect(wire.safeParse(example).success).toBe(true);
      for (const variant of variants(example)) {
        if (contract.check(`/components/schemas/${schema}`, variant).length > 0) continue;
        allowed += 1;
        expect(wire.safeParse(variant).success, JSON.stringify(variant)).toBe(true);
      }
    }
    expect(allowed).toBeGreaterThan(0);
  });

  it.each<[string, z.ZodType]>([
    ['Registratie', RegistratieWire],
    ['Opdracht', OpdrachtWire],
    ['Passage', PassageWire],
  ])('accept in a %s exactly the codes of professions that the contract has', (schema, wire) => {
    const [example] = examplesOf(register, schema) as object[];
    const codes = [...Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0')), '1', '018', '3O', ''];
    const accepted = codes.filter((beroepCode) => wire.safeParse({ ...example, beroepCode }).success);
    const allowed = codes.filter(
      (beroepCode) => register.check(`/components/schemas/${schema}`, { ...example, beroepCode }).length === 0,
    );
    expect(allowed).toEqual(accepted);
    expect(allowed.length).toBe(schema === 'Registratie' ? 31 : 14);
  });

  it('have the professions, categories, reasons and placeholders of the service in the contract', () => {
    const { schemas } = register.document.components;
    const facts = {
      opdracht: {
        beroep: 'arts',
        datumAanvraag: TODAY,
        correspondentieadres: null,
        uhd: null,
        eerder: [],
      } as unknown as Opdracht,
      registratie: null,
      registerNaam: null,
      geadresseerde: null,
    };
    expect(schemas.AutomatischVeld.enum).toEqual(Object.keys(resolvePlaceholders(facts)).sort());
    expect(schemas.Beroep.enum).toEqual([...BEROEPEN]);
    expect(schemas.Document.properties.categoryId.enum).toEqual([...CATEGORY_IDS]);
    expect(schemas.RegistratieStatus.allOf[1].then.properties.reden.enum).toEqual(Object.values(DOORHALING));
  });

  it.each([
    ['hbo-verpleegkunde', 'verpleegkundige'],
    ['mbo-verpleegkundige', 'verpleegkundige'],
    ['geneeskunde-ma', 'arts'],
    ['tandheelkunde-ma', 'tandarts'],
    ['farmacie-ma', 'apotheker'],
    ['fysiotherapie', 'fysiotherapeut'],
    ['verloskunde', 'verloskundige'],
    ['physician-assistant-ma', 'physician assistant'],
    ['klinische-technologie-ma', 'klinisch technoloog'],
    ['mondzorgkunde', null],
  ])('lead from the programme %s to the profession %s (domain.md 2)', (code, beroep) => {
    const [example] = examplesOf(duo, 'Diplomas').flatMap((answer) => DuoAntwoordWire.parse(answer).diplomas);
    const opleiding = { naam: code, code, taal: 'nl' };
    expect(example && toDiploma({ ...example, opleiding, status: 'passed', behaaldOp: TODAY })).toMatchObject({
      beroep,
    });
  });

  it('request the passages of an arts with profession code 01, not 18', () => {
    expect(beroepCodeOf('arts')).toBe('01');
  });

  it.each([
    ['suspended until a day', { soort: 'geschorst', datum: '2026-01-01', tot: '2026-07-01', reden: 'x' }, true],
    ['registered until a day', { soort: 'geregistreerd', datum: null, tot: '2026-07-01', reden: null }, false],
    ['struck off without a day', { soort: 'doorgehaald', datum: null, tot: null, reden: 'Overlijden' }, false],
    ['struck off for another reason', { soort: 'doorgehaald', datum: '2026-01-01', tot: null, reden: 'x' }, false],
  ])('can rely on the schema of a registration status to allow only consistent members: %s', (_, status, fits) => {
    expect(register.check('/components/schemas/RegistratieStatus', status).length === 0).toBe(fits);
  });
});

it('the simulators answer with a body of the contract during the fault "empty"', () => {
  for (const [contract, operations] of [[register, registerOperations] as const, [duo, duoOperations] as const])
    for (const { name, method, path, emptyBody } of operations) {
      if (emptyBody === undefined) continue;
      const answers = contract.find(method, path.replace('*', '').replace(/:\w+/g, 'x'))?.answers ?? [];
      const answer = answers.find(({ status }) => status === 200);
      expect(answer, `${name}: no ${method} ${path} in the openapi.yaml of its adapter`).toBeDefined();
      expect(answer?.check(emptyBody), name).toEqual([]);
    }
});

const API = '/api/v1';
const sanne = { as: 'sanne-de-wit' };
const dana = (service: TestService) => createLetterClient(service, 'default').get('dana');
const submit = (service: TestService, n: number) =>
  service.post(`${API}/herregistraties`, `burger-${n + 1}`, { uren: 2_600 });

/** Calls the service so that it calls an operation of a contract; `n` counts the calls. */
const REACH: Readonly<Record<string, (service: TestService, n: number) => Promise<Reply>>> = {
  zoekRegistraties: (service) => service.get(`${API}/dashboard-view`, sanne),
  zoekCorrespondentieadres: (service, n) =>
    service.post(`${API}/change-requests`, ['sanne-de-wit', 'joost-van-buren', 'wilma-dekker'][n % 3] ?? '', {
      straat: 'Dam 1',
      postcode: '1012 JS',
      woonplaats: 'Amsterdam',
    }),
  aantekeningenBijRegistratie: (service) => service.get(`${API}/notes`, sanne),
  dienZaakIn: submit,
  zoekZaken: (service) => service.get(`${API}/applications`, { as: 'burger-1' }),
  zoekZaakBijSleutel: (service) => service.get(`${API}/applications`, { as: 'burger-1' }),
  zoekBriefopdracht: dana,
  briefsjabloon: dana,
  briefpassages: dana,
  verzendBrief: (service) => createLetterClient(service, 'default').post('bas', 'send'),
  raadpleegDiplomas: (service) => service.get(`${API}/duo/diplomas`, sanne),
};

/** Operations whose calls are not sent again after a 503. */
const SENT_ONCE: ReadonlySet<string> = new Set(['dienZaakIn', 'verzendBrief']);

/** Prepares data without which an operation cannot be called. */
const FIRST: Readonly<Record<string, (service: TestService, register: MockServer) => Promise<unknown>>> = {
  zoekZaken: (service) => submit(service, 0),
  zoekZaakBijSleutel(service, mock) {
    mock.answerWith('dienZaakIn', 503);
    return submit(service, 0);
  },
  verzendBrief: (service) => createLetterClient(service, 'default').bringTo('approved'),
};

/** Rows of the table "What we do with your answers" in a README: statuses, operations (`all`), and our status. */
const rowsOf = (upstream: string) =>
  [
    ...readFileSync(new URL(`../../adapters/${upstream}/README.md`, import.meta.url), 'utf8').matchAll(
      /^\| ([\d, ]+) \| ([\w`, ]+) \| (\d{3})/gm,
    ),
  ].map(([, statuses = '', operations = '', ours]) => ({
    statuses: statuses.split(', ').map(Number),
    operations: operations.replaceAll('`', '').split(', '),
    ours: Number(ours),
  }));

/** Returns what the README says that we answer when this operation answers with this status. */
function told(upstream: string, operation: string, status: number): number | undefined {
  const rows = rowsOf(upstream).filter(({ statuses }) => statuses.includes(status));
  return (
    rows.find(({ operations }) => operations.includes(operation)) ??
    rows.find(({ operations }) => operations.includes('all'))
  )?.ours;
}

const CASES: readonly (readonly [string, string, Operation])[] = CONTRACTS.flatMap(([name, { operations }]) =>
  operations.map((one) => [one.id, name.toLowerCase(), one] as const),
);

describe('the service on a server that answers with the examples of the contracts', () => {
  const mocks: Record<string, MockServer> = {};
  beforeAll(async () => {
    mocks.register = await startMock(register, {
      zoekZaken: 'none',
      zoekZaakBijSleutel: 'none',
      zoekBriefopdracht: 'undecided',
    });
    mocks.duo = await startMock(duo);
  });
  afterAll(() => Promise.all(Object.values(mocks).map((mock) => mock.close())));

  it.each(CASES)('repeats a call, and answers, as the README says: %s of the %s', async (id, upstream, operation) => {
    const mock = mocks[upstream] ?? expect.unreachable();
    // A service for each operation: the failures of one do not open the circuit breaker for the next.
    const service = await startService({
      REGISTER_UPSTREAM: mocks.register?.url ?? '',
      DUO_UPSTREAM: mocks.duo?.url ?? '',
      REGISTER_API_KEY: 'sleutel',
      DUO_API_KEY: 'sleutel',
      RATE_LIMIT_PER_MINUTE: '0',
    });
    try {
      await FIRST[id]?.(service, mock);
      mock.answerWith(id, 503, undefined, { 'retry-after': '0' });
      await REACH[id]?.(service, 0);
      expect(mock.calls.filter((one) => one === id)).toHaveLength(SENT_ONCE.has(id) ? 1 : 2);
      let calls = 1;
      const bad = operation.answers.filter(({ status }) => status >= 400);
      const good = operation.answers.filter(({ status }) => status < 400);
      for (const { status, examples } of [...bad, ...good])
        for (const { name } of examples.toReversed()) {
          mock.answerWith(id, status, name);
          const reply = await REACH[id]?.(service, calls);
          calls += 1;
          const where = `${id} ${status} ${name}: ${JSON.stringify(reply?.body)}`;
          expect(mock.calls, where).toContain(id);
          expect(reply?.status, where).toBe(told(upstream, id, status));
          if (reply?.status === 503) expect(reply.headers['retry-after'], where).toMatch(/^\d+$/);
        }
      expect(Object.values(mocks).flatMap(({ faults }) => faults)).toEqual([]);
    } finally {
      await service.close();
    }
  });

  it.each([
    ['register', TIMING.headers],
    ['register', TIMING.submitHeaders],
    ['duo', TIMING.headers],
  ])('waits as long as the README of the %s says: %i ms', (upstream, timeout) => {
    const readme = readFileSync(new URL(`../../adapters/${upstream}/README.md`, import.meta.url), 'utf8');
    expect(readme).toContain(`${timeout.toLocaleString('en')} ms`);
  });
});
