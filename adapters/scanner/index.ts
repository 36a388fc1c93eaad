import { connect, type Socket } from 'node:net';
import { type Call, type CallRecord, ClientDisconnected, DeadlinePassed, UpstreamError } from '../../src/ports/call.ts';
import { Deadline } from '../../src/ports/deadline.ts';
import type { UpstreamStats } from '../../src/ports/meters.ts';
import type { Scanner } from '../../src/ports/scanner.ts';
import { TIMING, type Timing } from '../../src/ports/timing.ts';
import { createBreaker } from '../http/breaker.ts';
import { lookup } from '../http/connector.ts';
import { codeOf, UpstreamFailure } from '../http/upstream-failure.ts';

interface ClamdOptions {
  readonly host: string;
  readonly port: number;
  readonly timing?: Timing;
}

// In characters.
const MAX_REPLY = 4_096;

/**
 * ClamAV's daemon (clamd) over TCP. Only the exact reply `stream: OK` means clean, and `stream: … FOUND` infected;
 * `scan` throws `UpstreamError` for any other reply.
 */
export function createClamd({ host, port, timing = TIMING }: ClamdOptions): Clamd {
  const breaker = createBreaker('scanner');
  let underway = 0;
  return {
    async scan(bytes, call) {
      const start = performance.now();
      let attempts = 0;
      const record = (outcome: CallRecord['outcome']) =>
        call.record({ upstream: 'scanner', outcome, start, ms: performance.now() - start, attempts });
      let end: ((error?: unknown) => void) | undefined;
      try {
        // The scan has not begun. This says nothing about clamd, so the circuit breaker does not count it.
        if (call.signal.aborted) throw reasonOf(call.signal);
        end = breaker.enter();
        attempts = 1;
        underway += 1;
        const verdict = verdictOf(await scanOver({ host, port, timing }, bytes, call));
        end();
        record(200);
        return verdict;
      } catch (error) {
        end?.(error);
        record(error instanceof UpstreamError ? error.fault : 'aborted');
        throw error;
      } finally {
        if (end !== undefined) underway -= 1;
      }
    },
    // Every scan has a connection of its own, so the three numbers are equal.
    stats: () => ({ upstream: 'scanner', breaker: breaker.state, underway, connected: underway, running: underway }),
  };
}

export interface Clamd extends Scanner {
  stats(): UpstreamStats;
}

function verdictOf(reply: string): 'clean' | 'infected' {
  if (reply === 'stream: OK') return 'clean';
  if (/^stream: .+ FOUND$/.test(reply)) return 'infected';
  if (reply === '') throw new UpstreamError('scanner', 'unavailable', 'no reply');
  throw new UpstreamFailure('scanner', 'unavailable', 'no verdict', { requestOnly: true });
}

async function scanOver(
  address: Required<ClamdOptions>,
  bytes: AsyncIterable<Uint8Array>,
  { signal }: Call,
): Promise<string> {
  const socket = await openSocket(address, signal);
  // A reset, so that the daemon does not first read what is still on its way.
  const stop = () => socket.resetAndDestroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const reply = replyOf(socket);
    // The daemon may reply before the end of the file, when the file is larger than its limit. It then reads no
    // further.
    const isSent = await Promise.race([sendAll(socket, bytes).then(() => true), reply.then(() => false)]);
    const line = await reply;
    if (signal.aborted) throw reasonOf(signal);
    if (!isSent && verdictOf(line) === 'clean')
      throw new UpstreamError('scanner', 'unavailable', 'no verdict on the whole');
    return line;
  } catch (error) {
    stop();
    if (signal.aborted) throw reasonOf(signal);
    throw error instanceof UpstreamError ? error : new UpstreamError('scanner', 'unavailable', codeOf(error));
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

function openSocket({ host, port, timing }: Required<ClamdOptions>, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // With an aborted signal Node destroys the socket, and then connects it again: it would stay open.
    if (signal.aborted) throw reasonOf(signal);
    const socket = connect({ host, port, signal, lookup, noDelay: true });
    const deadline = new Deadline(timing.scannerConnect, () =>
      socket.destroy(new UpstreamError('scanner', 'unavailable', 'no connection')),
    );
    socket.once('close', () => deadline.cancel());
    socket.once('error', (error) => {
      if (signal.aborted) reject(reasonOf(signal));
      else reject(error instanceof UpstreamError ? error : new UpstreamError('scanner', 'unavailable', codeOf(error)));
    });
    socket.once('connect', () => {
      deadline.cancel();
      resolve(socket);
    });
  });
}

async function sendAll(socket: Socket, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await write(socket, Buffer.from('zINSTREAM\0'));
  for await (const piece of bytes) {
    // A length of zero means the end of the file, so skip an empty chunk: the rest would not be scanned.
    if (piece.length === 0) continue;
    // In one packet with its length: a length on its own waits up to 40 ms for the acknowledgement of the chunk before.
    socket.cork();
    socket.write(lengthOf(piece.length));
    const written = write(socket, piece);
    socket.uncork();
    await written;
  }
  await write(socket, lengthOf(0));
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

// The text before a NUL byte, or the start of a reply that is too long.
function replyOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      text += piece;
      const end = text.indexOf('\0');
      if (end !== -1 || text.length > MAX_REPLY) resolve(text.slice(0, end === -1 ? MAX_REPLY : end));
    });
    // An incomplete line is not used: after `stream: OK` more text may have followed.
    socket.on('end', () => resolve('')).on('close', () => resolve(''));
    socket.on('error', reject);
  });
}

function reasonOf({ reason }: AbortSignal): Error {
  if (reason instanceof ClientDisconnected) return reason;
  // `unavailable` (503) and not `late` (504), because the client may simply retry (uploads.md, "Virus scan").
  return new UpstreamError('scanner', 'unavailable', reason instanceof DeadlinePassed ? reason.message : 'aborted');
}

/** The scanner of `SCANNER=none`: it finds no virus in any file. */
export const noScanner: Scanner = { scan: async () => 'clean' };
