import { Badge, Button } from '../../components/parts.tsx';
import { parsed } from '../app/api.ts';
import type { App } from '../app/app.tsx';
import { copy, headerJson } from '../app/copy.tsx';
import type { Part } from '../app/part.tsx';
import { CodeBlock, pretty } from '../elements/code.tsx';
import { httpTone } from '../elements/tones.ts';
import type { ShownStep } from './play.ts';
import type { DemoProgress } from './progress.ts';

/**
 * Shows a played step of a demonstration: its texts, the answer of the service, and the list of all steps.
 * @param props `part` shows the errors
 */
export function StepView({ of: { demo, at, played }, app, part }: { of: DemoProgress; app: App; part: Part }) {
  const { step, stepDone, answer } = played;
  const { headers } = stepDone;
  // The person did it on the screen, with the requests of that screen.
  const isRequest = step.path !== undefined && step.acts === undefined;
  // Mijn register reads the same, and shows why it cannot.
  const isRead = (step.method ?? 'GET') === 'GET';
  const curl = isRequest ? stepDone.curl : null;
  const call = `${step.method ?? 'GET'} ${step.path ?? ''}`;
  return (
    <>
      {step.say !== undefined && <p class="utrecht-paragraph say">{step.say}</p>}
      {answer !== null && answer.status >= 400 && !isRead && <Refusal of={answer} />}
      {step.notes !== undefined && (
        <p class="utrecht-paragraph notes">
          <strong>{'Voor wie presenteert: '}</strong>
          {step.notes}
        </p>
      )}
      <p class="utrecht-paragraph call">
        Als <strong>{app.nameOf(step.persona)}</strong>
        {isRequest && `: ${call}`}
      </p>
      {answer !== null && (
        <div class="answer">
          <p>
            <Badge tone={httpTone(answer.status)}>{String(answer.status)}</Badge> {answer.ms} ms
          </p>
          <CodeBlock text={pretty(answer.text)} name={`Antwoord op ${call}`} />
        </div>
      )}
      <div class="buttons">
        <Button onClick={() => copy(app, part, headerJson(headers), 'Headers')}>Kopieer headers</Button>
        {curl !== null && <Button onClick={() => copy(app, part, curl, 'Curl')}>Kopieer curl</Button>}
      </div>
      <h3 class="utrecht-heading-4">Stappen</h3>
      <ol class="steps">
        {demo.steps.map(({ title }, index) => (
          <li key={title} aria-current={index === at ? 'step' : undefined}>
            {title}
          </li>
        ))}
      </ol>
    </>
  );
}

/**
 * Shows the status, title and detail of a problem (RFC 9457) as one line; only the status when the answer is not a
 * problem. Presentation mode shows it too: the refusal is often what the step is about.
 */
function Refusal({ of: { status, text } }: { of: NonNullable<ShownStep['answer']> }) {
  const { title, detail } = parsed(text) ?? {};
  return (
    <p class="utrecht-paragraph refusal">
      <Badge tone={httpTone(status)}>{String(status)}</Badge>
      {title !== undefined && <strong> {title}.</strong>}
      {detail !== undefined && ` ${detail}`}
    </p>
  );
}
