import { type ReceivedRequest, type ScriptedServer, sendJson, startScriptedServer } from './scripted-server.ts';

/**
 * The registration of the persona Sanne de Wit in the format of the register. Her deadline (`uhd`) is four months after
 * the date of the tests.
 */
export const REGISTRATIE = {
  registratieId: 'r1',
  registerNummer: '90000010130',
  naam: 'Sanne de Wit',
  beroepCode: '30',
  registratiedatum: '2010-11-10',
  uhd: '2026-10-01',
  status: { soort: 'geregistreerd' },
};

/**
 * A simple register for tests, which stores the requests that it receives. A test can make it fail before or after it
 * stores a request.
 */
export interface Register extends ScriptedServer {
  /** The stored requests, keyed by idempotency key. */
  readonly stored: Map<string, { referentie: string; body: Record<string, unknown> }>;
  /**
   * Moment in milliseconds since 1970 before which the register lists no requests. It finds a request by its
   * idempotency key before that moment too.
   */
  listedFrom: number;
  /**
   * A function that handles only the next submitted request: it can call `keep` to store that request, and must answer
   * it or break the connection. With null, the register stores and confirms the request.
   */
  next: ((keep: () => void, response: Parameters<ScriptedServer['answer']>[1]) => void) | null;
}

export async function startRegister(): Promise<Register> {
  const stored: Register['stored'] = new Map();
  function submit(request: ReceivedRequest, response: Parameters<ScriptedServer['answer']>[1]): void {
    const key = String(request.headers['idempotency-key']);
    const nieuw = !stored.has(key);
    const keep = () => {
      if (!stored.has(key))
        stored.set(key, {
          referentie: `HER-2026-${String(stored.size + 1).padStart(6, '0')}`,
          body: JSON.parse(request.body),
        });
    };
    const { next } = server;
    server.next = null;
    if (next !== null) {
      next(keep, response);
      return;
    }
    keep();
    sendJson(
      response,
      { zaakId: 'z', referentie: stored.get(key)?.referentie, status: 'ontvangen', handmatig: false, nieuw },
      nieuw ? 201 : 200,
    );
  }
  const toWire = ({ referentie, body: { kenmerk } }: { referentie: string; body: Record<string, unknown> }) => ({
    referentie,
    kenmerk,
    status: 'ontvangen',
    handmatig: false,
    besluit: null,
  });
  const of = (indiener: unknown) =>
    [...stored.values()].filter(({ body }) => JSON.stringify(body.indiener) === JSON.stringify(indiener));
  const scripted = await startScriptedServer((request, response) => {
    if (request.url === '/zaken') return submit(request, response);
    const question = JSON.parse(request.body);
    const isListed = Date.now() >= server.listedFrom;
    if (request.url === '/zaken/sleutels/zoek') {
      const zaak = stored.get(question.sleutel);
      return sendJson(response, { zaak: zaak ? toWire(zaak) : null });
    }
    if (request.url === '/registraties/zoek') {
      const [running] = isListed ? of(question) : [];
      const lopendeHerregistratie = running ? { referentie: running.referentie } : null;
      return sendJson(response, [{ ...REGISTRATIE, lopendeHerregistratie }]);
    }
    return sendJson(response, isListed ? of(question.indiener).map(toWire) : []);
  });
  const server: Register = Object.assign(scripted, { stored, listedFrom: 0, next: null });
  return server;
}
