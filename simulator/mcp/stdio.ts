/** The MCP server over standard input and output, for a program that starts it. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { controlClient } from '../cli/client.ts';
import { MCP_WORLD } from './control-tools.ts';
import { createMcpServer } from './server.ts';

/** Serves MCP for the service at `url` until standard input ends. `world` is that of calls that name none. */
export async function serveMcp(url: string, world = MCP_WORLD): Promise<void> {
  const session = { url, control: controlClient(url), world };
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  const server = serveStdio(() => createMcpServer(session));
  await ended;
  await server.close();
}
