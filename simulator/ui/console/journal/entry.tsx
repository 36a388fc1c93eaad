import { useLayoutEffect, useRef } from 'preact/hooks';
import { isRefusal } from '../../../reasons/wording.ts';
import { Badge, Button, Facts } from '../../components/parts.tsx';
import { address, go } from '../app/address.ts';
import { inWorld } from '../app/api.ts';
import { app, copy, More, type Part } from '../app/app.tsx';
import { FileLink, NewTab } from '../elements/controls.tsx';
import {
  CodeBlock,
  FactList,
  httpTone,
  momentText,
  pretty,
  shortDayText,
  timeText,
  valueText,
} from '../elements/values.tsx';
import { FAULT_KINDS, FAULT_TARGETS, label } from '../texts.ts';
import type { Entry, Reason, UpstreamCall } from '../types.d.ts';

/** Matches words that can be the slug of a persona, such as `sanne-de-wit`, `opname-1` and `kim`. */
const SLUG = /\b[a-z][a-z0-9]*(-[a-z0-9]+)*\b/g;

type EntryProps = { of: Entry; part: Part };

/** The open entry is in the address of the page, and so at most one is open. */
export function EntryLine({ of, part }: EntryProps) {
  const isOpen = address.call.value === of.traceId;
  const line = useRef<HTMLLIElement>(null);
  // Not `useEffect`: Preact queues it again for each line of the list at each call, until it has time for effects.
  useLayoutEffect(() => {
    // Presentation mode opens the call that its step is about.
    if (isOpen) line.current?.scrollIntoView({ block: address.view.value === '' ? 'nearest' : 'start' });
  }, [isOpen]);
  const { at, worldAt, caller, operation, request, response, upstream, problem, breach = [] } = of;
  const fine = upstream.filter((call) => !isTrouble(call)).map(nameOf);
  return (
    <li ref={line}>
      <details
        class="entry"
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isOpen) go({ call: currentTarget.open ? of.traceId : '' });
        }}
      >
        <summary>
          <span class="entry__time">{timeText(at)}</span>{' '}
          <Badge tone={httpTone(response.status)}>{String(response.status)}</Badge>{' '}
          <span class="entry__call">
            {request.method} {request.path}
          </span>{' '}
          <span class="entry__who">
            <span>{operation === null ? 'geen operatie' : app.nameOf(personText(caller))}</span>
            {` · ${Math.round(of.ms)}\u00a0ms · wereld ${shortDayText(worldAt)}${problem === null ? '' : ` · ${problem}`}`}
          </span>
          {breach.length > 0 && (
            <>
              {' '}
              <Badge tone="negative">Niet zoals het document zegt</Badge>
            </>
          )}
          {upstream.filter(isTrouble).map((call) => (
            <span key={`${call.start} ${call.operation}`} class="entry__bron">
              {` ${nameOf(call)} ${resultOf(call)}`}
            </span>
          ))}
          {fine.length > 0 && <span class="entry__bron">{` ${[...new Set(fine)].join(', ')}`}</span>}
        </summary>
        {isOpen && <Details of={of} part={part} />}
      </details>
    </li>
  );
}

export const personText = (caller: Entry['caller']) => caller?.subject.split('@')[0] ?? 'zonder identiteit';

function Details({ of, part }: EntryProps) {
  const { at, worldAt, request, response, why, upstream, traceId, curl, operation, problem, breach = [] } = of;
  const failed = upstream.filter(({ outcome }) => outcome !== 'aborted' && !(Number(outcome) < 429));
  return (
    <div class="entry__inside">
      <p class="hint">
        {[operation, problem].filter(Boolean).join(' · ')}
        <br />
        <span class="entry__clock">{`Op de klok ${momentText(at)}, in de wereld ${momentText(worldAt)}`}</span>
        <span class="entry__trace">{` · Trace-id ${traceId}`}</span>
      </p>
      {breach.length > 0 && (
        <>
          <h3 class="utrecht-heading-4">Niet zoals het document zegt</h3>
          <ul>
            {breach.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </>
      )}
      <h3 class="utrecht-heading-4">Waarom</h3>
      {why.length === 0 && failed.length === 0 ? (
        <p class="hint">Geen regel besliste hierover.</p>
      ) : (
        <ul class="reasons">
          {failed.map((call) => (
            <li key={call.start}>{`De bron ${label(FAULT_TARGETS, call.bron)} deed het niet: ${resultOf(call)}.`}</li>
          ))}
          {decidingFirst(why).map((one) => (
            <ReasonLine of={one} />
          ))}
        </ul>
      )}
      <h3 class="utrecht-heading-4">Verloop: de dienst en de bronnen</h3>
      <Waterfall of={of} />
      <div class="entry__messages">
        <Captured title="Vraag" of={request} />
        <Captured title="Antwoord" of={response} />
        <div class="buttons">
          <Button onClick={() => copy(part, curl, 'Curl')} about={`van ${request.method} ${request.path}`}>
            Kopieer curl
          </Button>
          <HarLink world={of.world} query={`trace=${traceId}`} about={`van ${request.method} ${request.path}`} />
        </div>
      </div>
    </div>
  );
}

/** Returns the reasons in the order in which they are read: what refused first, and then the last one first. */
const decidingFirst = (why: readonly Reason[]) =>
  why.toReversed().sort((one, other) => Number(isRefusal(other.outcome)) - Number(isRefusal(one.outcome)));

export const HarLink = ({ world, query, about }: { world: string; query: string; about?: string }) => (
  <FileLink to={`${inWorld(world)}/journal.har${query && `?${query}`}`} name={`journaal-${world}.har`} about={about}>
    Download HAR
  </FileLink>
);

const ReasonLine = ({ of: { rule, source, sentence, basis, outcome, facts } }: { of: Reason }) => (
  <li>
    <p class="utrecht-paragraph">
      {sentence?.replace(SLUG, app.nameOf) ?? 'De feiten staan hier niet, omdat een echte bron is gevraagd.'}
    </p>
    <p class="utrecht-paragraph hint">
      {basis}
      {source?.split('; ').map((one, index) => (
        <span key={one} class="reasons__source">
          {(basis !== undefined || index > 0) && ' · '}
          <NewTab href={`/docs/${/^[\w.-]+/.exec(one)}`}>{one}</NewTab>
        </span>
      ))}
    </p>
    <More title={rule}>
      <div>
        <strong>{'Uitkomst: '}</strong>
        <FactList of={outcome} />
      </div>
      <div>
        <strong>{'Feiten: '}</strong>
        <FactList of={facts} />
      </div>
    </More>
  </li>
);

function Captured({ title, of }: { title: string; of: Pick<Entry['response'], 'headers' | 'body' | 'truncated'> }) {
  return (
    <>
      <h3 class="utrecht-heading-4">{title}</h3>
      {of.body === null ? <p class="hint">Zonder inhoud.</p> : <CodeBlock text={pretty(of.body)} name={title} />}
      {of.truncated && <p class="hint">De rest is niet bewaard.</p>}
      <More title="Headers" about={title}>
        <Facts of={Object.entries(of.headers).map(([name, value]) => [name, valueText(value)])} />
      </More>
    </>
  );
}

const OUTCOMES = { unavailable: 'niet beschikbaar', late: 'te laat', unreadable: 'onleesbaar', aborted: 'afgebroken' };

function Waterfall({ of: { ms, operation, response, upstream } }: { of: Entry }) {
  const end = Math.max(ms, ...upstream.map((call) => call.start + call.ms), 1);
  const own = { start: 0, ms, name: operation ?? 'de dienst', of: 'de dienst', result: String(response.status) };
  const calls = upstream.map((call) => ({
    ...call,
    name: nameOf(call),
    of: label(FAULT_TARGETS, call.bron),
    result: resultOf(call),
    isTrouble: isTrouble(call),
  }));
  return (
    <ol class="waterfall" aria-label="Verloop: de dienst en de bronnen">
      <Bar end={end} {...own} />
      {calls
        .toSorted((one, other) => one.start - other.start)
        .map((call) => (
          <Bar key={`${call.start} ${call.operation}`} end={end} {...call} />
        ))}
    </ol>
  );
}

const resultOf = ({ outcome, attempts, fault }: UpstreamCall) =>
  (typeof outcome === 'number' ? String(outcome) : label(OUTCOMES, outcome)) +
  (attempts > 1 ? ` (${attempts} pogingen)` : '') +
  (fault === undefined ? '' : `, ${label(FAULT_KINDS, fault)}`);

const nameOf = ({ operation, bron }: UpstreamCall) => operation ?? bron;

/** Returns true for a call that did not go as usual. The others are one line of an entry together. */
const isTrouble = ({ outcome, attempts, fault }: UpstreamCall) =>
  !(Number(outcome) < 300) || attempts > 1 || fault !== undefined;

type BarProps = Record<'end' | 'start' | 'ms', number> &
  Record<'name' | 'of' | 'result', string> & { isTrouble?: boolean };

const Bar = ({ end, start, ms, name, of, result, isTrouble = false }: BarProps) => (
  <li>
    <span class="waterfall__name">
      {name !== of && <span class="waterfall__operation">{name} </span>}
      <strong>{of}</strong>
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
