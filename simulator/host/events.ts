import type { Context } from '../../src/http/state.ts';
import { Problem } from '../../src/problem.ts';
import type { ControlAnswer, ServerSentEvent } from '../control/operation.ts';

const TYPE = 'text/event-stream; charset=utf-8';
/** Listeners in one process. */
const MOST = 20;
/** Milliseconds between two signs of life, so that a proxy does not take silence for the end. */
const HEARTBEAT = 15_000;
/** Bytes that may wait for a reader; who is slower than that is let go and can come back. */
const MOST_WAITING = 1024 * 1024;

/** Server-sent events (HTML, 9.2), for as long as somebody listens. */
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
      // Whoever was sent away comes back at once, and would hold up the end again.
      if (isClosed) throw new Problem('niet-gereed', 'De dienst gaat dicht.', { headers: { 'Retry-After': '5' } });
      if (open.size >= MOST)
        throw new Problem('overbelast', `Er luisteren er al ${MOST}. Sluit een ander venster.`, {
          headers: { 'Retry-After': '5' },
        });
      // It may take all day, and nobody waits for it.
      ctx.state.place?.leave();
      ctx.respond = false;
      const { res } = ctx;
      ctx.req.socket.setTimeout(0);
      res.writeHead(200, { ...ctx.response.headers, 'Content-Type': TYPE });
      res.write('retry: 1000\n\n');
      const write = (text: string) => {
        if (res.writableLength > MOST_WAITING) res.destroy();
        else res.write(text);
      };
      const stop = subscribe(({ id, event, text }: ServerSentEvent) =>
        write(`id: ${id}\nevent: ${event}\ndata: ${text}\n\n`),
      );
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
