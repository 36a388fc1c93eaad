import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { tlsOptionsOf } from '../../../test/support/upstreams/certificates.ts';
import { sendJson } from '../../../test/support/upstreams/scripted-server.ts';

export interface Brp {
  readonly url: string;
  /** Delays its answers by that many milliseconds. */
  slow(ms: number): void;
  /** Replaces its certificate, for example by one that has expired, and ends all connections. */
  certificate(serves: { readonly cert: Buffer; readonly key: Buffer }): void;
  close(): void;
}

/** Starts a BRP over TLS that asks for a client certificate of the authority in the file `clientCa` (mutual TLS). */
export async function startBrp(clientCa: string): Promise<Brp> {
  let delay = 0;
  const tls = { ca: readFileSync(clientCa), requestCert: true, rejectUnauthorized: true };
  const server: Server = createServer({ ...tlsOptionsOf('server'), ...tls }, async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    await setTimeout(delay);
    const [bsn] = JSON.parse(body).burgerservicenummer;
    const verblijfplaats = { type: 'Adres', verblijfadres: { korteStraatnaam: 'Lindelaan', huisnummer: 3 } };
    const gemeenteVanInschrijving = { code: '0344', omschrijving: 'Utrecht' };
    const persoon = { burgerservicenummer: bsn, verblijfplaats, gemeenteVanInschrijving };
    sendJson(response, { type: 'RaadpleegMetBurgerservicenummer', personen: [persoon] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    slow(ms) {
      delay = ms;
    },
    certificate(serves) {
      server.setSecureContext({ ...serves, ...tls });
      server.closeAllConnections();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
