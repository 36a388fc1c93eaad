import * as z from 'zod';
import type { ControlClient } from '../cli/client.ts';
import { similarTo } from '../text.ts';

/** The world of a client that names none: not the default world, so that the work of other testers stays as it is. */
export const MCP_WORLD = 'mcp';

export interface McpSession {
  /** A client of the service that the tools control. */
  readonly control: ControlClient;
  /** URL of that service, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Name of the world of a call that names none. */
  readonly world: string;
}

/** A tool of the MCP server: something that a language model can do with the simulator. */
export interface Tool<Args extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** What it does and when to use it, in English sentences. The model sees nothing else. */
  readonly description: string;
  readonly args: Args;
  /** True when it changes nothing. */
  readonly isRead?: true;
  /** True when what it removes does not come back. */
  readonly isDestructive?: true;
  /** Returns the result: a text as it is, another value as JSON. */
  run(args: z.output<Args>, session: McpSession): Promise<unknown>;
}

export const tool = <Args extends z.ZodObject>(declared: Tool<Args>): Tool => declared as unknown as Tool;

export const WORLD = z
  .string()
  .optional()
  .describe('Another world than your own. Only when the user names it; a page in a browser is usually in `default`.');

export const pathOf = (session: McpSession, world: string | undefined): string =>
  `/worlds/${encodeURIComponent(world ?? session.world)}`;

/** Returns the schema of the arguments of a tool. The error for an unknown argument names the one that was meant, and all. */
export function argsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error(issue) {
      if (issue.code !== 'unrecognized_keys') return undefined;
      return issue.keys
        .map((key) => {
          const near = similarTo(key, known);
          return `There is no argument ${JSON.stringify(key.slice(0, 40))}.${near ? ` Did you mean ${near}?` : ''}`;
        })
        .concat(`The arguments are: ${known.join(', ') || 'none'}.`)
        .join(' ');
    },
  });
}
