import { AsyncLocalStorage } from 'node:async_hooks';
import type { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type IdGenerator } from '@opentelemetry/sdk-trace-base';
import { hasFailed, newSpanId, newTraceId } from '../../src/ports/call.ts';
import type { StatementStep, TracedRequest, TracedStep, Tracing } from '../../src/ports/tracing.ts';
import { lookup } from '../http/connector.ts';

export interface TracingOptions {
  /** OTLP over HTTP; the path `/v1/traces` is added. */
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `service.name`. */
  readonly name: string;
  /** The value of `service.version`. */
  readonly version: string;
  /** The value of `deployment.environment.name`. */
  readonly deployment: string;
}

export interface OtlpTracing extends Tracing {
  /** Does nothing outside a request. */
  onStatement(step: StatementStep): void;
  /**
   * Sends what was not sent yet. Resolves after `ms` milliseconds (default 2,000) when the collector does not answer.
   * Never rejects.
   */
  close(ms?: number): Promise<void>;
}

const EXPORT_TIMEOUT = 2_000;

// Returns the agent that the SDK would make, with the certificates that its own variables name, but with our lookup.
async function createAgent(protocol: string): Promise<Agent> {
  const agent: Agent = await convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', {}).agentFactory(protocol);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => connect({ ...options, lookup }, callback);
  return agent;
}

/**
 * Makes a span for each request that has ended, and one for each rule, upstream call and SQL statement. The attributes
 * have no paths, values or ids of a person.
 */
export function createTracing({ endpoint, headers, name, version, deployment }: TracingOptions): OtlpTracing {
  const ids = new PresetIdGenerator();
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.href.replace(/\/$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_TIMEOUT,
    httpAgentOptions: createAgent,
  });
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(exporter)],
    resource: resourceFromAttributes({
      'service.name': name,
      'service.version': version,
      'deployment.environment.name': deployment,
    }),
  });
  const tracer = provider.getTracer('zorgregister-bff', version);
  const followed = new AsyncLocalStorage<TracedStep[]>();

  return {
    follow: (steps, work) => followed.run(steps, work),
    onStatement: (step) => void followed.getStore()?.push(step),
    finished(request) {
      const { operation, method, status, problem, start, end, steps } = request;
      ids.next = { traceId: request.traceId, spanId: request.spanId };
      const span = tracer.startSpan(
        `${method} ${operation ?? 'none'}`,
        {
          kind: SpanKind.SERVER,
          startTime: start,
          attributes: {
            'http.request.method': method,
            'http.response.status_code': status,
            'zorgregister.operation': operation ?? 'none',
            ...(problem !== undefined && { 'error.type': problem }),
          },
        },
        parentOf(request),
      );
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      const context = trace.setSpan(ROOT_CONTEXT, span);
      for (const step of steps) {
        const { spanId, failed, start: from, ...rest } = toChildSpan(step);
        ids.next = { traceId: request.traceId, spanId };
        const child = tracer.startSpan(rest.name, { ...rest, startTime: from }, context);
        if (failed) child.setStatus({ code: SpanStatusCode.ERROR });
        child.end(step.end);
      }
      span.end(end);
    },
    close: (ms = EXPORT_TIMEOUT) =>
      Promise.race([provider.shutdown().catch(() => undefined), setTimeout(ms, undefined, { ref: false })]),
  };
}

function parentOf({ parentId, traceId }: TracedRequest): Context {
  if (parentId === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: parentId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}

interface ChildSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly start: number;
  readonly attributes: Attributes;
  readonly spanId?: string | undefined;
  readonly failed: boolean;
}

function toChildSpan(step: TracedStep): ChildSpan {
  switch (step.kind) {
    case 'rule':
      return {
        name: `rule ${step.name}`,
        kind: SpanKind.INTERNAL,
        start: step.end,
        attributes: { 'zorgregister.rule': step.name, 'zorgregister.rule.source': step.source },
        failed: false,
      };
    case 'call': {
      const { upstream, outcome, ms, attempts, spanId } = step.record;
      return {
        name: `call ${upstream}`,
        kind: SpanKind.CLIENT,
        start: step.end - ms,
        attributes: {
          'peer.service': upstream,
          'zorgregister.outcome': String(outcome),
          'zorgregister.attempts': attempts,
        },
        // Two records of one call have the same id; nothing was sent for the second one.
        spanId: attempts === 0 ? undefined : spanId,
        failed: hasFailed(step.record),
      };
    }
    case 'statement':
      return {
        name: `${step.verb} ${step.table}`.trim(),
        kind: SpanKind.CLIENT,
        start: step.end - step.ms,
        attributes: { 'db.operation.name': step.verb, 'db.collection.name': step.table },
        failed: step.failed,
      };
  }
}

// Returns the ids in `next`, because the log and the upstreams already have them, and else random ones. Set `next`
// before each span: the SDK asks for the two ids in an order of its own.
class PresetIdGenerator implements IdGenerator {
  next: { readonly traceId?: string; readonly spanId?: string | undefined } = {};

  generateTraceId = (): string => this.next.traceId ?? newTraceId();

  generateSpanId = (): string => this.next.spanId ?? newSpanId();
}
