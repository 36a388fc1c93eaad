import { FAULT_KINDS, FAULT_TARGETS, label } from '../texts.ts';
import type { Entry, UpstreamCall } from '../types.d.ts';

const OUTCOMES = {
  unavailable: 'niet beschikbaar',
  late: 'te laat',
  unreadable: 'onleesbaar',
  aborted: 'afgebroken',
};

/**
 * Shows a journal entry as bars on one time scale: the request to the service, and below it its upstream calls, in the
 * order in which they began.
 */
export function Waterfall({ of: { ms, operation, response, upstream } }: { of: Entry }) {
  const end = Math.max(ms, ...upstream.map((call) => call.start + call.ms), 1);
  const calls = upstream.toSorted((one, other) => one.start - other.start);
  return (
    <ol class="waterfall" aria-label="Verloop: de dienst en de bronnen">
      <Bar
        end={end}
        time={{ start: 0, ms }}
        name={operation ?? 'de dienst'}
        of="de dienst"
        result={String(response.status)}
      />
      {calls.map((call) => (
        <Bar
          key={`${call.start} ${call.operation}`}
          end={end}
          time={call}
          name={call.operation ?? call.bron}
          of={label(FAULT_TARGETS, call.bron)}
          result={resultOf(call)}
          isTrouble={call.outcome !== 200 || call.fault !== undefined}
        />
      ))}
    </ol>
  );
}

/**
 * Returns a Dutch text for the result of an upstream call: the outcome, and also the number of attempts when there was
 * more than one, and the simulated fault if there was one.
 */
export const resultOf = ({ outcome, attempts, fault }: UpstreamCall) =>
  (typeof outcome === 'number' ? String(outcome) : label(OUTCOMES, outcome)) +
  (attempts > 1 ? ` (${attempts} pogingen)` : '') +
  (fault === undefined ? '' : `, ${label(FAULT_KINDS, fault)}`);

/**
 * Shows one request: a line of text, and a bar at its time on the scale.
 * @param props `end` is the length of the whole scale in milliseconds; `of` is the name of the upstream, shown when it
 *   differs from `name`
 */
const Bar = ({ end, time: { start, ms }, name, of, result, isTrouble = false }: BarProps) => (
  <li>
    <span class="waterfall__name">
      <strong>{name}</strong>
      {name === of ? '' : ` ${of}`}
      <span class="hint">
        {' '}
        {result} · {`na ${Math.round(start)} ms, duurde ${Math.round(ms)} ms`}
      </span>
    </span>
    <span class="waterfall__track" aria-hidden="true">
      <span
        class={isTrouble ? 'waterfall__bar waterfall__bar--trouble' : 'waterfall__bar'}
        style={{ marginInlineStart: `${(100 * start) / end}%`, inlineSize: `${(100 * ms) / end}%` }}
      />
    </span>
  </li>
);

interface BarProps {
  end: number;
  time: { start: number; ms: number };
  name: string;
  of: string;
  result: string;
  isTrouble?: boolean;
}
