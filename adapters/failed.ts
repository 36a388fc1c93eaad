import { UpstreamError, type UpstreamFacts, type UpstreamFault } from '../src/ports/call.ts';
import type { Bron } from '../src/wire/values.ts';

interface FailureFacts extends UpstreamFacts {
  readonly status?: number;
  /** Whether another try may well succeed. */
  readonly again?: boolean;
  /** Says something about this question, and nothing about the source. */
  readonly onlyThis?: boolean;
}

/** An `UpstreamError` that knows whether another attempt makes sense. */
export class Failed extends UpstreamError {
  readonly status: number | undefined;
  readonly again: boolean;
  readonly onlyThis: boolean;

  constructor(bron: Bron, fault: UpstreamFault, why: string, facts: FailureFacts = {}) {
    super(bron, fault, why, facts);
    this.status = facts.status;
    this.again = facts.again ?? false;
    this.onlyThis = facts.onlyThis ?? false;
  }
}

/** `Retry-After`, which is seconds or a date, in seconds and within reason. */
export function secondsOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), 3_600);
}
