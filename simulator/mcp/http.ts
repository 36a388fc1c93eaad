/** The MCP server over streamable HTTP, at `/_simulator/mcp`. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler } from '@modelcontextprotocol/server';
import getRawBody from 'raw-body';
import { MIB } from '../../src/domain/upload-limits.ts';
import type { Context } from '../../src/http/exchange.ts';
import { Problem } from '../../src/problem.ts';
import { controlClient } from '../cli/client.ts';
import { MCP_WORLD } from './control-tools.ts';
import { createMcpServer } from './server.ts';

export interface McpHttp {
  /** `url` is that of this service. The query parameter `world` names the world of the client. */
  answer(ctx: Context, url: string): Promise<void>;
  close(): Promise<void>;
}

/** Returns the MCP server over HTTP. It has no sessions: each request is complete. */
export function createMcpHttp(): McpHttp {
  const handler = createMcpHandler(({ requestInfo }) => {
    const { origin: url, searchParams } = new URL(requestInfo?.url ?? '');
    return createMcpServer({ url, control: controlClient(url), world: searchParams.get('world') ?? MCP_WORLD });
  });
  return {
    async answer(ctx, url) {
      const body = ctx.method === 'POST' ? await bodyOf(ctx) : null;
      const left = new AbortController();
      ctx.res.once('close', () => left.abort());
      const {
        status,
        headers,
        body: answer,
      } = await handler.fetch(
        new Request(url + ctx.url, {
          method: ctx.method,
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

const bodyOf = (ctx: Context): Promise<string> =>
  getRawBody(ctx.req, { limit: MIB, length: ctx.get('Content-Length') || null, encoding: 'utf-8' }).catch((error) => {
    if (error.type !== 'entity.too.large') throw error;
    throw new Problem('verzoek-te-groot', 'De inhoud mag ten hoogste 1 MiB zijn.');
  });
