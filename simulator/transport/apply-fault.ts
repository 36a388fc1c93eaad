/** Applies a fault to the response of a simulated upstream, on a real socket. */
import type { ServerResponse } from 'node:http';
import type { ActiveFault } from '../worlds/faults.ts';
import { dripIntervalOf, HTML_AS_JSON, statusFaultAnswer, withWrongShape } from './fault-answers.ts';

/**
 * Sends the response that the fault prescribes, or none, and returns true. Returns false when the fault does not change
 * the response, which the caller then sends. `body` is the response without the fault.
 */
export function applyFault(outgoing: ServerResponse, fault: ActiveFault, body: Buffer): boolean {
  switch (fault.kind) {
    case 'refused':
    case 'reset':
    case 'lost':
      outgoing.req.socket.resetAndDestroy();
      return true;
    case 'hang':
      return true;
    case 'status': {
      const { status, type, body: problem, headers } = statusFaultAnswer(fault);
      outgoing.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(problem));
      return true;
    }
    case 'garbage':
      outgoing
        .writeHead(200, { 'content-type': 'application/json', 'content-length': HTML_AS_JSON.length })
        .end(HTML_AS_JSON);
      return true;
    case 'cut':
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length + 1 });
      outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
      return true;
    case 'drip':
      drip(outgoing, body, dripIntervalOf(fault));
      return true;
    case 'wrong-schema': {
      const wrapped = Buffer.from(JSON.stringify(withWrongShape(JSON.parse(body.toString() || 'null'))));
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': wrapped.length }).end(wrapped);
      return true;
    }
    case 'empty':
    case 'latency':
      return false;
  }
}

/** Sends the response one byte at a time, with `interval` milliseconds between two bytes. */
function drip(outgoing: ServerResponse, body: Buffer, interval: number): void {
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Math.max(1, body.length) });
  let at = 0;
  const timer = setInterval(() => {
    at += 1;
    if (at < body.length) outgoing.write(body.subarray(at - 1, at));
    else outgoing.end(body.subarray(at - 1, at));
    if (at >= body.length) clearInterval(timer);
  }, interval);
  outgoing.once('close', () => clearInterval(timer));
}
