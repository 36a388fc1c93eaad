/** The MCP server over streamable HTTP, at `/_simulator/mcp`. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context } from '../../src/http/exchange.ts';
import { controlClient } from '../cli/client.ts';
import { MCP_WORLD } from './control-tools.ts';
import { createMcpServer } from './server.ts';

/** Returns the MCP server over HTTP. It has no sessions: each request is complete. */
export function createMcpHttp() {
  const handler = createMcpHandler(({ requestInfo }) => {
    const { origin: url, searchParams } = new URL(requestInfo?.url ?? '');
    return createMcpServer({ url, control: controlClient(url), world: searchParams.get('world') ?? MCP_WORLD });
  });
  return {
    /** `url` is that of this service. The query parameter `world` names the world of the client. */
    async answer(ctx: Context, url: string, body: string | null): Promise<void> {
      const left = new AbortController();
      ctx.res.once('close', () => left.abort());
      const {
        status,
        headers,
        body: answer,
      } = await handler.fetch(
        new Request(url + ctx.url, {
          // Every other method gets 405 as GET does, and `Request` does not take TRACE.
          method: ctx.method === 'POST' ? 'POST' : 'GET',
          headers: Object.entries(ctx.req.headers).flatMap(([name, value]) =>
            HEADERS.test(name) && typeof value === 'string' ? [[name, value] as [string, string]] : [],
          ),
          body,
          signal: left.signal,
        }),
      );
      ctx.set(Object.fromEntries(headers));
      ctx.body = answer === null ? null : Readable.fromWeb(answer as ReadableStream);
      ctx.status = status;
      if (answer === null) return;
      // A stream may stay open: release its place in the bulkhead.
      if (ctx.type === 'text/event-stream') ctx.state.slot?.leave();
    },
    close: () => handler.close(),
  };
}

/** The request headers that the protocol has. */
const HEADERS = /^(?:accept|content-type|last-event-id|mcp-.+)$/;
