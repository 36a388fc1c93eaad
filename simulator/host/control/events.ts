import type { Context } from '../../../src/http/exchange.ts';
import { Problem } from '../../../src/problem.ts';
import type { ControlAnswer, ServerSentEvent } from '../../control/operation.ts';

const TYPE = 'text/event-stream; charset=utf-8';
const MAX_STREAMS = 20;
/** Milliseconds between two heartbeats, which keep a proxy from closing an idle stream. */
const HEARTBEAT = 15_000;
/** Besides the events that `subscribe` reports at once. A client that reads too slowly is disconnected. */
const MAX_BUFFERED = 1024 * 1024;

/**
 * Returns two functions for streams of server-sent events (HTML standard, section 9.2). `open` answers a request with a
 * stream: it calls `subscribe`, and sends each event that this reports. It throws 503 when 20 streams are open, and
 * after `close`, which ends all streams.
 */
export function eventStreams() {
  const open = new Set<() => void>();
  let isClosed = false;

  return {
    open(ctx: Context, subscribe: NonNullable<ControlAnswer['events']>): void {
      if (ctx.method === 'HEAD') {
        ctx.status = 200;
        ctx.type = TYPE;
        return;
      }
      // A client reconnects at once when its stream ends. A new stream would keep the process from stopping.
      if (isClosed) throw new Problem('niet-gereed', 'De dienst gaat dicht.', { headers: { 'Retry-After': '5' } });
      if (open.size >= MAX_STREAMS)
        throw new Problem('overbelast', `Er luisteren er al ${MAX_STREAMS}. Sluit een ander venster.`, {
          headers: { 'Retry-After': '5' },
        });
      // A stream may stay open all day: release its place in the bulkhead.
      ctx.state.slot?.leave();
      ctx.respond = false;
      const { res } = ctx;
      ctx.req.socket.setTimeout(0);
      res.writeHead(200, { ...ctx.state.headers, 'Content-Type': TYPE });
      res.write('retry: 1000\n\n');
      let limit = Number.POSITIVE_INFINITY;
      const write = (text: string) => {
        if (res.writableLength > limit) res.destroy();
        else res.write(text);
      };
      const stop = subscribe(({ id, event, text }: ServerSentEvent) =>
        write(`id: ${id}\nevent: ${event}\ndata: ${text}\n\n`),
      );
      // No client has read yet what it missed: nothing is sent before the end of this turn.
      limit = res.writableLength + MAX_BUFFERED;
      const beat = setInterval(() => write(': nog hier\n\n'), HEARTBEAT);
      beat.unref();
      const end = () => res.end();
      open.add(end);
      res.once('close', () => {
        clearInterval(beat);
        open.delete(end);
        stop();
      });
    },
    close() {
      isClosed = true;
      for (const end of open) end();
    },
  };
}
