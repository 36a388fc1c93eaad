/** How a call to a simulated upstream goes wrong on its real socket. */
import type { ServerResponse } from 'node:http';
import type { FaultOn } from './faults.ts';

/** Milliseconds between two drops: often enough never to stand still, and too slow to be whole in time. */
const DROP = 250;
const PAGE = '<!doctype html><title>Storing</title><p>Er is iets misgegaan.';

/** Answers as the fault has it; false: it changes nothing about this answer. */
export function fail(outgoing: ServerResponse, { kind, status = 503, retryAfter, ms }: FaultOn, body: Buffer): boolean {
  switch (kind) {
    case 'refused':
    case 'reset':
    case 'lost':
      outgoing.req.socket.resetAndDestroy();
      return true;
    case 'hang':
      return true;
    case 'status':
      outgoing
        .writeHead(status, {
          'content-type': 'application/problem+json',
          ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
        })
        .end(JSON.stringify({ type: 'about:blank', title: 'Storing', status }));
      return true;
    case 'garbage':
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': PAGE.length }).end(PAGE);
      return true;
    case 'cut':
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length + 1 });
      outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
      return true;
    case 'drip':
      drip(outgoing, body, typeof ms === 'number' ? ms : DROP);
      return true;
    case 'wrong-schema': {
      const wrapped = Buffer.from(JSON.stringify({ versie: 2, gegevens: JSON.parse(body.toString() || 'null') }));
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': wrapped.length }).end(wrapped);
      return true;
    }
    case 'empty':
    case 'latency':
      return false;
  }
}

function drip(outgoing: ServerResponse, body: Buffer, every: number): void {
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Math.max(1, body.length) });
  let at = 0;
  const timer = setInterval(() => {
    at += 1;
    if (at < body.length) outgoing.write(body.subarray(at - 1, at));
    else outgoing.end(body.subarray(at - 1, at));
    if (at >= body.length) clearInterval(timer);
  }, every);
  outgoing.once('close', () => clearInterval(timer));
}
