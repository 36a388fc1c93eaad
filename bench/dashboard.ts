/**
 * `npm run bench`: the throughput of the dashboard, as a fraction of that of a bare server which only makes the same
 * two upstream calls. Only this ratio is meaningful: the two numbers depend on the machine.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { inProcess, listen, say } from './process.ts';

const SECONDS = 5;
const CONNECTIONS = 32;

const REGISTRATIES = JSON.stringify([
  {
    registratieId: 'r1',
    registerNummer: '90000010130',
    naam: 'Sanne de Wit',
    beroepCode: '30',
    registratiedatum: '2011-04-30',
    geboortedatum: '1988-03-14',
    uhd: '2099-03-21',
    status: { soort: 'geregistreerd', datum: '2011-04-30', tot: null, reden: null },
    specialistTot: null,
    lopendeHerregistratie: null,
  },
]);
const PERSONEN = JSON.stringify({
  type: 'RaadpleegMetBurgerservicenummer',
  personen: [
    {
      burgerservicenummer: '999990007',
      naam: { volledigeNaam: 'Sanne de Wit' },
      geboorte: { datum: { type: 'Datum', datum: '1988-03-14', langFormaat: '14 maart 1988' } },
      verblijfplaats: {
        type: 'Adres',
        verblijfadres: { korteStraatnaam: 'Merelstraat', huisnummer: 18, postcode: '3514CN', woonplaats: 'Utrecht' },
      },
      gemeenteVanInschrijving: { code: '0344', omschrijving: 'Utrecht' },
    },
  ],
});

const HEADERS = { authorization: 'Bearer bench', 'x-subject': 'sanne-de-wit' };

/** Addresses of upstreams that are not called. When one was simulated, every call would be written to the journal. */
const UNUSED_UPSTREAMS = {
  DUO_UPSTREAM: 'http://127.0.0.1:1',
  DOCUMENTS_UPSTREAM: 'http://127.0.0.1:1',
  DOCUMENTS_CLIENT_ID: 'bench',
  DOCUMENTS_SECRET: 'x'.repeat(32),
  DOCUMENTS_RSIN: '159351741',
  DOCUMENTS_INFORMATIEOBJECTTYPE: 'http://127.0.0.1:1/type',
};

/** Starts an upstream that answers every request with this body. Returns its URL. */
const startUpstream = (body: string): Promise<string> =>
  listen(
    createServer((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
    }),
  );

/** Starts the bare server: it makes the two upstream calls and combines the answers. Returns its URL. */
function bare(register: string, brp: string): Promise<string> {
  const [one, other] = [new Pool(register, { connections: 64 }), new Pool(brp, { connections: 64 })];
  const ask = async (pool: Pool, body: unknown) => {
    const answer = await pool.request({
      method: 'POST',
      path: '/personen',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.body.json();
  };
  return listen(
    createServer(async (_, response) => {
      const [registraties, antwoord] = await Promise.all([
        ask(one, { burgerservicenummer: '999990007' }),
        ask(other, { type: 'RaadpleegMetBurgerservicenummer', burgerservicenummer: ['999990007'], fields: ['naam'] }),
      ]);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ registraties, antwoord }));
    }),
  );
}

/** Answers per second of a URL. All answers must be 200. */
async function measure(url: string): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  let answered = 0;
  const until = performance.now() + SECONDS * 1_000;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: '/api/v1/dashboard-view',
        headers: HEADERS,
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  await pool.destroy();
  return answered / SECONDS;
}

const [role, ...rest] = process.argv.slice(2);

if (role === 'register') say(await startUpstream(REGISTRATIES));
else if (role === 'brp') say(await startUpstream(PERSONEN));
else if (role === 'bare') say(await bare(rest[0] ?? '', rest[1] ?? ''));
else {
  const self = 'bench/dashboard.ts';
  const [register, brp] = await Promise.all([inProcess([self, 'register']), inProcess([self, 'brp'])]);
  const [baseline, service] = await Promise.all([
    inProcess([self, 'bare', register.url, brp.url]),
    inProcess(['start.js'], {
      PORT: '0',
      DATA_DIR: ':memory:',
      LOG_FORMAT: 'json',
      REGISTER_UPSTREAM: register.url,
      BRP_UPSTREAM: `${brp.url}/personen`,
      ...UNUSED_UPSTREAMS,
    }),
  ]);
  for (const round of ['warm-up', 'measured']) {
    const [one, other] = [await measure(baseline.url), await measure(service.url)];
    say(`${round}: bare ${one.toFixed(0)}/s, dashboard-view ${other.toFixed(0)}/s, ratio ${(other / one).toFixed(2)}`);
  }
  for (const child of [register, brp, baseline, service]) child.stop();
}
