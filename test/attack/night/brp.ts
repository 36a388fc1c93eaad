import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { serving } from '../../support/upstreams/certificates.ts';
import { sendJson } from '../../support/upstreams/upstream.ts';

/**
 * Starts a BRP over TLS. `slow` delays its answers by a number of milliseconds, and `certificate` replaces its
 * certificate, for example by one that has expired.
 */
export async function startBrp() {
  let delay = 0;
  const server: Server = createServer(serving('server'), async (incoming, response) => {
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
    slow(ms: number) {
      delay = ms;
    },
    certificate(name: 'server' | 'expired') {
      server.setSecureContext(serving(name));
      server.closeAllConnections();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
