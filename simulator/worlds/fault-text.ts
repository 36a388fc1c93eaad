/** Faults as English text, for the terminal and the tables of the documentation. */
import type { FaultDuration, SimulatedFault } from './faults.ts';

/** Returns a fault as text: where it is and what goes wrong, such as `register zaken-indienen: lost`. */
export const faultText = ({ upstream, operation, ...what }: SimulatedFault): string =>
  `${upstream}${operation === undefined ? '' : ` ${operation}`}: ${whatText(what)}`;

/** Returns what goes wrong as text, such as `latency about 900 ms` or `status 429 for sanne-de-wit, Retry-After 10`. */
export function whatText(fault: Omit<SimulatedFault, 'upstream' | 'operation'>): string {
  const { kind, code, ms, status, probability, persona, after, times, retryAfter } = fault;
  const first = [
    code ?? kind,
    status,
    ms === undefined ? undefined : durationText(ms),
    probability === undefined ? undefined : `${probability * 100} %`,
    persona === undefined ? undefined : `for ${persona}`,
  ];
  const others = [
    after === undefined ? undefined : `after ${callsText(after)}`,
    times === undefined ? undefined : `for ${callsText(times)}`,
    retryAfter === undefined ? undefined : `Retry-After ${retryAfter}`,
  ];
  return [first.filter((part) => part !== undefined).join(' '), ...others]
    .filter((part) => part !== undefined)
    .join(', ');
}

const callsText = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

function durationText(ms: FaultDuration): string {
  if (typeof ms === 'number') return `${ms} ms`;
  return 'min' in ms ? `${ms.min}–${ms.max} ms` : `about ${ms.median} ms`;
}
