import { useEffect, useRef } from 'preact/hooks';
import { About, Badge, Button, Facts } from '../../components/parts.tsx';
import { address, go } from '../app/address.ts';
import type { App } from '../app/app.tsx';
import { copy } from '../app/copy.tsx';
import type { Part } from '../app/part.tsx';
import { CodeBlock, FactList, pretty, valueText } from '../elements/code.tsx';
import { momentText, shortDayText, timeText } from '../elements/dates.tsx';
import { httpTone } from '../elements/tones.ts';
import type { Entry, Reason } from '../types.d.ts';
import { resultOf, Waterfall } from './waterfall.tsx';

/** Matches words that can be the slug of a persona, such as `sanne-de-wit`, `opname-1` and `kim`. */
const SLUG = /\b[a-z][a-z0-9]*(-[a-z0-9]+)*\b/g;

interface EntryProps {
  of: Entry;
  app: App;
  part: Part;
}

/**
 * Shows a journal entry (a recorded request to the service): a summary line, and details while it is open. The open entry
 * is in the address of the page, and so at most one is open.
 */
export function EntryLine({ of, app, part }: EntryProps) {
  const isOpen = address.call.value === of.traceId;
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const { at, worldAt, caller, request, response, upstream, problem, breach = [] } = of;
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
            <span>{app.nameOf(personText(caller))}</span>
            {` · ${Math.round(of.ms)}\u00a0ms · wereld ${shortDayText(worldAt)}${problem === null ? '' : ` · ${problem}`}`}
          </span>
          {breach.length > 0 && (
            <>
              {' '}
              <Badge tone="negative">Niet zoals het document zegt</Badge>
            </>
          )}
          {upstream.map((call) => (
            <span key={`${call.start} ${call.operation}`} class="entry__bron">
              {` ${call.operation ?? call.bron} ${resultOf(call)}`}
            </span>
          ))}
        </summary>
        {isOpen && <Details of={of} app={app} part={part} />}
      </details>
    </li>
  );
}

/** Returns the slug of a caller, without the world after `@`; a Dutch text for a request without a caller. */
export const personText = (caller: Entry['caller']) => caller?.subject.split('@')[0] ?? 'zonder identiteit';

/**
 * Shows the details of a journal entry, such as the rules that the service applied, the last one first, and the upstream
 * calls.
 */
function Details({ of, app, part }: EntryProps) {
  const { at, worldAt, request, response, why, traceId, curl, operation, problem, breach = [] } = of;
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
      {why.length === 0 ? (
        <p class="hint">Geen regel besliste hierover.</p>
      ) : (
        <ul class="reasons">
          {why.toReversed().map((one) => (
            <ReasonLine of={one} app={app} />
          ))}
        </ul>
      )}
      <h3 class="utrecht-heading-4">Verloop: de dienst en de bronnen</h3>
      <Waterfall of={of} />
      <Captured title="Vraag" of={request} />
      <Captured title="Antwoord" of={response} />
      <Button onClick={() => copy(app, part, curl, 'Curl')} about={`van ${request.method} ${request.path}`}>
        Kopieer curl
      </Button>
    </div>
  );
}

/** Shows the decision of a rule: one sentence, and details that are collapsed. */
const ReasonLine = ({ of: { rule, source, sentence, outcome, facts }, app }: { of: Reason; app: App }) => (
  <li>
    <p class="utrecht-paragraph">
      {sentence?.replace(SLUG, app.nameOf) ?? 'De feiten staan hier niet, omdat een echte bron is gevraagd.'}
    </p>
    <details class="more">
      <summary>
        {rule}
        {source !== undefined && <span class="hint">{` · ${source}`}</span>}
      </summary>
      <div>
        <strong>{'Uitkomst: '}</strong>
        <FactList of={outcome} />
      </div>
      <div>
        <strong>{'Feiten: '}</strong>
        <FactList of={facts} />
      </div>
    </details>
  </li>
);

/** Shows the body and the headers of a recorded request or response. */
function Captured({ title, of }: { title: string; of: Pick<Entry['response'], 'headers' | 'body' | 'truncated'> }) {
  return (
    <>
      <h3 class="utrecht-heading-4">{title}</h3>
      {of.body === null ? <p class="hint">Zonder inhoud.</p> : <CodeBlock text={pretty(of.body)} name={title} />}
      {of.truncated && <p class="hint">De rest is niet bewaard.</p>}
      <details class="more">
        <summary>
          Headers
          <About>{title}</About>
        </summary>
        <Facts of={Object.entries(of.headers).map(([name, value]) => [name, valueText(value)])} />
      </details>
    </>
  );
}
