import { describe, expect, it, vi } from 'vitest';
import { RequestCall } from '../../src/http/operation/run.ts';
import { DeadlinePassed } from '../../src/ports/call.ts';
import { TIMING } from '../../src/ports/timing.ts';
import { fakeTimers } from '../support/time.ts';

const HTTP = { state: { trace: { traceId: 't', flags: '01', tracestate: null }, upstream: [] } };

/** Returns the call of a request that begins now. Its clock and its timers stand still until the test moves them. */
function callOf(method: string, budget?: number) {
  fakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const connection = { onDisconnect: () => () => undefined };
  return new RequestCall(HTTP as never, { method, budget } as never, 'default', connection as never, TIMING);
}

describe('the deadline for the upstream calls of a request', () => {
  it.each([
    ['GET', undefined, 3_000],
    ['POST', undefined, 8_000],
    ['DELETE', undefined, 8_000],
    ['GET', 60_000, 60_000],
  ])('passes for %s with a budget of its own of %s after %i ms', (method, budget, ms) => {
    const { signal } = callOf(method, budget);
    vi.advanceTimersByTime(ms - 1);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toBeInstanceOf(DeadlinePassed);
  });

  it('counts from the begin of the request, not from its first upstream call', () => {
    const call = callOf('GET');
    vi.advanceTimersByTime(2_900);
    const { signal } = call;
    vi.advanceTimersByTime(100);
    expect(signal.reason).toBeInstanceOf(DeadlinePassed);
  });

  it('does not pass when the answer has begun', () => {
    const call = callOf('GET');
    const { signal } = call;
    call.answered();
    vi.advanceTimersByTime(600_000);
    expect(signal.aborted).toBe(false);
  });
});
