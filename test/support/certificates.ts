import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Name = 'ca' | 'other-ca' | 'server' | 'expired' | 'stranger' | 'elsewhere' | 'client' | 'client-stranger';

/** Where a test certificate is, and its key (certificates/README.md). */
export const pathOf = (name: Name, kind: 'pem' | 'key' = 'pem'): string =>
  fileURLToPath(new URL(`certificates/${name}.${kind}`, import.meta.url));

/** What a server needs to be one of them. */
export const serving = (name: Name) => ({
  cert: readFileSync(pathOf(name)),
  key: readFileSync(pathOf(name, 'key')),
});

/** And to ask its callers who they are. */
export const askingWho = { requestCert: true, rejectUnauthorized: true, ca: readFileSync(pathOf('ca')) };
