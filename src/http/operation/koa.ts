import type { Timing } from '../../ports/timing.ts';
import type { Context, Exchange, Transport } from '../exchange.ts';
import { type IncomingBodies, readJsonBody } from '../request/koa-body.ts';
import { send, stream } from '../stream.ts';
import type { Operation } from './operation.ts';
import { operationRunner, type RunDeps } from './run.ts';
import { unmatched } from './unmatched.ts';

type KoaExchange = Context & Exchange;

export type KoaTransport = Transport<KoaExchange>;

/** `bodies` limits the JSON bodies that it receives at the same time. */
export const createKoaTransport = (bodies: IncomingBodies, { requestBody }: Timing): KoaTransport => ({
  readJsonBody: (ctx) => readJsonBody(ctx, bodies, requestBody),
  stream,
  onDisconnect({ res }, listener) {
    const gone = () => {
      if (!res.writableFinished) listener();
    };
    if (res.destroyed) gone();
    res.once('close', gone);
    return () => res.off('close', gone);
  },
});

export function operationMiddleware(deps: RunDeps, operation: Operation, transport: KoaTransport) {
  const run = operationRunner(deps, operation, transport);
  return async (ctx: Context): Promise<void> => {
    const answer = await run(ctx as KoaExchange);
    if (answer.stream === undefined) send(ctx, answer);
  };
}

/** 404 for an unknown path; for a known path 204 for OPTIONS and 405 for another method. */
export function unmatchedMiddleware(operations: readonly Operation[]) {
  const answer = unmatched(operations);
  return (ctx: Context): void => {
    const layers: readonly { methods: string[] }[] = ctx.matched ?? [];
    send(ctx, answer(ctx as KoaExchange, new Set(layers.flatMap(({ methods }) => methods))));
  };
}
