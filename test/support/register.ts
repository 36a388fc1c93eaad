import { listenWith, type ScriptedServer, type Seen, sendJson } from './upstream.ts';

/** Sanne as the register has her, four months before her deadline. */
export const REGISTRATIE = {
  registratieId: 'r1',
  registerNummer: '90000010130',
  naam: 'Sanne de Wit',
  beroepCode: '30',
  registratiedatum: '2010-11-10',
  uhd: '2026-10-01',
  status: { soort: 'geregistreerd' },
};

/** A register that keeps requests by key, as its contract says, and can be made to fail at any point of taking one in. */
export interface Register extends ScriptedServer {
  /** Requests that it holds, by key. */
  readonly held: Map<string, { referentie: string; body: Record<string, unknown> }>;
  /** Requests are left out of the list until this moment, in milliseconds since 1970; they are found by key. */
  listedFrom: number;
  /** What happens with the next request handed in; then all is well again. */
  next: ((keep: () => void, response: Parameters<ScriptedServer['answer']>[1]) => void) | null;
}

export async function register(): Promise<Register> {
  const held: Register['held'] = new Map();
  function handIn(seen: Seen, response: Parameters<ScriptedServer['answer']>[1]): void {
    const key = String(seen.headers['idempotency-key']);
    const nieuw = !held.has(key);
    const keep = () => {
      if (!held.has(key))
        held.set(key, {
          referentie: `HER-2026-${String(held.size + 1).padStart(6, '0')}`,
          body: JSON.parse(seen.body),
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
      { zaakId: 'z', referentie: held.get(key)?.referentie, status: 'ontvangen', handmatig: false, nieuw },
      nieuw ? 201 : 200,
    );
  }
  /** A request as the register sends it. */
  const toWire = ({ referentie, body: { kenmerk } }: { referentie: string; body: Record<string, unknown> }) => ({
    referentie,
    kenmerk,
    status: 'ontvangen',
    handmatig: false,
    besluit: null,
  });
  /** What one person handed in. */
  const of = (indiener: unknown) =>
    [...held.values()].filter(({ body }) => JSON.stringify(body.indiener) === JSON.stringify(indiener));
  const scripted = await listenWith((seen, response) => {
    if (seen.url === '/zaken') return handIn(seen, response);
    const question = JSON.parse(seen.body);
    const isListed = Date.now() >= server.listedFrom;
    if (seen.url === '/zaken/sleutels/zoek') {
      const zaak = held.get(question.sleutel);
      return sendJson(response, { zaak: zaak ? toWire(zaak) : null });
    }
    if (seen.url === '/registraties/zoek') {
      const [running] = isListed ? of(question) : [];
      const lopendeHerregistratie = running ? { referentie: running.referentie } : null;
      return sendJson(response, [{ ...REGISTRATIE, lopendeHerregistratie }]);
    }
    return sendJson(response, isListed ? of(question.indiener).map(toWire) : []);
  });
  const server: Register = Object.assign(scripted, { held, listedFrom: 0, next: null });
  return server;
}
