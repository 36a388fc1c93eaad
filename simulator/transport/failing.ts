/** How a call to a simulated upstream goes wrong on its real socket. */
import type { ServerResponse } from 'node:http';
import type { FaultOn } from '../worlds/faults.ts';
import { dropOf, GARBAGE, otherShape, refusalOf } from './fault-answers.ts';

/** Answers as the fault has it; false: it changes nothing about this answer. */
export function fail(outgoing: ServerResponse, fault: FaultOn, body: Buffer): boolean {
  switch (fault.kind) {
    case 'refused':
    case 'reset':
    case 'lost':
      outgoing.req.socket.resetAndDestroy();
      return true;
    case 'hang':
      return true;
    case 'status': {
      const { status, type, body: said, headers } = refusalOf(fault);
      outgoing.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(said));
      return true;
    }
    case 'garbage':
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': GARBAGE.length }).end(GARBAGE);
      return true;
    case 'cut':
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length + 1 });
      outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
      return true;
    case 'drip':
      drip(outgoing, body, dropOf(fault));
      return true;
    case 'wrong-schema': {
      const wrapped = Buffer.from(JSON.stringify(otherShape(JSON.parse(body.toString() || 'null'))));
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
