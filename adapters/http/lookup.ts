import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

const underway = new Map<string, Promise<LookupAddress[]>>();

/**
 * In place of `dns.lookup`. Connections to one name share one lookup: Node has only two threads for all lookups of a
 * process, and a name for which DNS does not answer would keep both
 * (decisions/0130-a-name-is-looked-up-once-at-a-time.md).
 */
export const lookup: LookupFunction = (hostname, { all, family = 0, hints = 0 }, callback) => {
  addressesOf(hostname, { family, hints }).then(
    (addresses) => {
      const [first] = addresses;
      if (all || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    },
    (error) => callback(error, ''),
  );
};

function addressesOf(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
  const key = `${hostname} ${options.family} ${options.hints}`;
  let asked = underway.get(key);
  if (asked === undefined) {
    asked = ask(hostname, options).finally(() => underway.delete(key));
    underway.set(key, asked);
  }
  return asked;
}

const ask = (hostname: string, options: LookupOptions) =>
  new Promise<LookupAddress[]>((resolve, reject) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
