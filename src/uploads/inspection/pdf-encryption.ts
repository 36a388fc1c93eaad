import { createHash } from 'node:crypto';
import { bytesOf, type Dictionary, isDictionary, type PdfValue, wholeNumber } from './pdf-objects.ts';

/**
 * `open`: no program asks for a password; only printing, copying or changing is restricted. `certificate`: only with a
 * certificate can the file be opened. `attachments`: only the files in it are encrypted. `unknown`: it cannot be told.
 */
export type Encryption = 'open' | 'password' | 'certificate' | 'attachments' | 'unknown';

// The padding that takes the place of an empty password (ISO 32000-2, 7.6.4.3.2).
const PADDING = Uint8Array.from([
  0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08, 0x2e, 0x2e, 0x00,
  0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
]);

// Methods of crypt filters (7.6.5).
const METHODS: readonly PdfValue[] = ['None', 'V2', 'AESV2', 'AESV3'];

const ENTRIES = 'Filter SubFilter V R Length O U P EncryptMetadata StmF StrF EFF CF'.split(' ');

/** Returns the object to which a value refers, or the value itself. */
export type Resolve = (value: PdfValue | undefined) => Promise<PdfValue | undefined>;

/**
 * Returns how a PDF is encrypted, from the encryption dictionary (7.6.2) and the first of the two file identifiers. PDF
 * readers first try the empty password, which opens a PDF that has only an owner password.
 */
export async function encryptionOf(
  dictionary: Dictionary,
  id: Uint8Array<ArrayBuffer>,
  resolve: Resolve,
): Promise<Encryption> {
  const encrypt = new Map<string, PdfValue>();
  for (const name of ENTRIES) encrypt.set(name, (await resolve(dictionary.get(name))) ?? null);
  const [filter, version, revision] = [encrypt.get('Filter'), encrypt.get('V'), encrypt.get('R')];
  if (filter !== 'Standard')
    return /pubsec|pkcs7/i.test(`${filter} ${encrypt.get('SubFilter')}`) ? 'certificate' : 'unknown';
  if (version === 4 || version === 5) {
    const streams = await methodOf(encrypt, encrypt.get('StmF'), resolve);
    const strings = await methodOf(encrypt, encrypt.get('StrF'), resolve);
    const attachments = await methodOf(encrypt, encrypt.get('EFF') ?? encrypt.get('StmF'), resolve);
    if (![streams, strings].every((method) => METHODS.includes(method))) return 'unknown';
    if (streams === 'None' && strings === 'None' && attachments !== 'None') return 'attachments';
  } else if (version !== 1 && version !== 2) return 'unknown';
  if (revision === 2 || revision === 3 || revision === 4)
    return opensWithMd5(encrypt, revision, id) ? 'open' : 'password';
  // A page without HTTPS has no cryptography.
  if ((revision === 5 || revision === 6) && globalThis.crypto?.subtle !== undefined)
    return (await opensWithSha2(encrypt, revision)) ? 'open' : 'password';
  return 'unknown';
}

async function methodOf(encrypt: Dictionary, name: PdfValue | undefined, resolve: Resolve): Promise<PdfValue> {
  if ((name ?? 'Identity') === 'Identity') return 'None';
  const filters = encrypt.get('CF');
  const filter = await resolve(isDictionary(filters) && typeof name === 'string' ? filters.get(name) : undefined);
  return isDictionary(filter) ? ((await resolve(filter.get('CFM'))) ?? 'None') : null;
}

// Revisions 2 to 4: MD5 and RC4 (algorithms 2, 4, 5 and 6).
function opensWithMd5(encrypt: Dictionary, revision: number, id: Uint8Array): boolean {
  const owner = bytesOf(encrypt.get('O')).subarray(0, 32);
  const user = bytesOf(encrypt.get('U'));
  const permissions = new DataView(new ArrayBuffer(4));
  const bits = encrypt.get('P');
  permissions.setInt32(0, typeof bits === 'number' ? bits : 0, true);
  const isMetadataPlain = revision === 4 && encrypt.get('EncryptMetadata') === false;
  const tail = Uint8Array.from(isMetadataPlain ? [0xff, 0xff, 0xff, 0xff] : []);
  const first = md5(PADDING, owner, new Uint8Array(permissions.buffer), id, tail);
  return keyLengths(encrypt, revision).some((length) => {
    let key = first.subarray(0, length);
    if (revision === 2) return startsWith(user, rc4(key, PADDING));
    for (let round = 0; round < 50; round += 1) key = md5(key).subarray(0, length);
    let expected = md5(PADDING, id);
    for (let round = 0; round < 20; round += 1) {
      const roundKey = key.map((byte) => byte ^ round);
      expected = rc4(roundKey, expected);
    }
    return startsWith(user, expected);
  });
}

// Returns the possible lengths of the key, in bytes. Crypt filters write theirs in bits or in bytes, or wrong.
function keyLengths(encrypt: Dictionary, revision: number): readonly number[] {
  if (revision === 2) return [5];
  const bits = wholeNumber(encrypt.get('Length')) ?? 40;
  const written = Math.min(Math.max(bits < 40 ? bits : Math.floor(bits / 8), 5), 16);
  return encrypt.get('V') === 4 ? [16, written] : [written];
}

function md5(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, n) => n);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 0xff;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) & 0xff;
    j = (j + (state[i] ?? 0)) & 0xff;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 0xff] ?? 0);
  });
}

// Revisions 5 and 6: SHA-2 and AES (algorithms 2.B and 11).
async function opensWithSha2(encrypt: Dictionary, revision: number): Promise<boolean> {
  const user = bytesOf(encrypt.get('U'));
  let key = await sha2(256, user.subarray(32, 40));
  for (let round = 0, last = 0; revision === 6 && (round < 64 || last > round - 32); round += 1) {
    const data = await aes(key.subarray(0, 16), key.subarray(16, 32), repeat(key, 64));
    const remainder = data.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    last = data.at(-1) ?? 0;
    key = await sha2(remainder === 0 ? 256 : remainder === 1 ? 384 : 512, data);
  }
  return user.length >= 40 && startsWith(user, key.subarray(0, 32));
}

async function sha2(bits: 256 | 384 | 512, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest(`SHA-${bits}`, data));
}

// AES-128 in CBC mode without padding; `data` is whole blocks.
async function aes(
  key: Uint8Array<ArrayBuffer>,
  iv: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, 'AES-CBC', false, ['encrypt']);
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, imported, data);
  return new Uint8Array(encrypted, 0, data.length);
}

function repeat(bytes: Uint8Array, times: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes.length * times);
  for (let n = 0; n < times; n += 1) whole.set(bytes, n * bytes.length);
  return whole;
}

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean => start.every((byte, at) => bytes[at] === byte);
