/** A certificate authority for the attack `night`, whose certificates can expire during the attack. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority. `ca` is the path of its certificate, in `folder`. */
export interface Authority {
  readonly folder: string;
  readonly ca: string;
  /** Creates a key and a certificate for `localhost` that expires at `expires`, and returns the paths of both. */
  issue(name: string, expires: Date): Issued;
}

/** Creates a certificate authority with openssl. Throws when openssl is not installed. */
export function createAuthority(folder: string): Authority {
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=night');
  writeFileSync(at('index'), '');
  writeFileSync(at('authority.cnf'), SETTINGS);
  return {
    folder,
    ca: at('ca.pem'),
    issue(name, expires) {
      const subject = ['-subj', `/CN=${name}`];
      openssl('req', '-new', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, ...subject);
      const until = `${expires.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
      const made = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-enddate', until];
      openssl('ca', '-config', 'authority.cnf', '-batch', '-notext', ...made);
      return { certificate: at(`${name}.pem`), key: at(`${name}.key`) };
    },
  };
}

/** Returns the contents of both files, for a server. */
export const served = ({ certificate, key }: Issued) => ({ cert: readFileSync(certificate), key: readFileSync(key) });

const SETTINGS = `
[ca]
default_ca = night
[night]
database = index
new_certs_dir = .
rand_serial = yes
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = any
x509_extensions = localhost
[any]
commonName = supplied
[localhost]
subjectAltName = DNS:localhost
`;
