import { parsed } from '../app/api.ts';
import type { App } from '../app/app.ts';
import { copy, headerJson } from '../app/copy.ts';
import { badge, button } from '../elements/controls.ts';
import { h } from '../elements/dom.ts';
import { codeBlock, pretty } from '../elements/pretty.ts';
import { httpTone } from '../elements/tones.ts';
import { texts } from '../texts/texts.ts';
import type { Step } from '../types.d.ts';
import type { ShownStep } from './play.ts';

const words = texts.demo;

/**
 * Returns the elements that show a played step of a demonstration: its texts, the answer of the service, and the list
 * of all steps.
 * @param part the panel that shows the errors
 * @param at index of the step in `steps`
 */
export function stepView(
  app: App,
  part: { message: HTMLElement },
  steps: Step[],
  at: number,
  { step, stepDone, answer }: ShownStep,
) {
  const call = `${step.method ?? 'GET'} ${step.path ?? ''}`;
  return [
    step.say !== undefined && h('p', { class: 'utrecht-paragraph say' }, step.say),
    answer !== null && answer.status >= 400 && refusal(answer),
    step.notes !== undefined && h('p', { class: 'utrecht-paragraph notes' }, h('strong', {}, words.notes), step.notes),
    h(
      'p',
      { class: 'utrecht-paragraph call' },
      `${words.as} `,
      h('strong', {}, app.nameOf(step.persona)),
      step.path !== undefined && `: ${call}`,
    ),
    answer !== null &&
      h(
        'div',
        { class: 'answer' },
        h('p', {}, badge(String(answer.status), httpTone(answer.status)), ` ${answer.ms} ms`),
        codeBlock(pretty(answer.text), texts.answerOf(call)),
      ),
    h(
      'div',
      { class: 'buttons' },
      button(words.headers, () => copy(app, part, headerJson(stepDone.headers), words.what.headers), {
        key: 'demo-headers',
      }),
      stepDone.curl !== null &&
        button(words.curl, () => copy(app, part, String(stepDone.curl), words.what.curl), { key: 'demo-curl' }),
    ),
    h('h3', { class: 'utrecht-heading-4' }, words.steps),
    h(
      'ol',
      { class: 'steps' },
      ...steps.map(({ title }, index) => h('li', { 'aria-current': index === at ? 'step' : null }, title)),
    ),
  ];
}

/**
 * Returns the status, title and detail of a problem (RFC 9457) as one line; only the status when the answer is not a
 * problem. Presentation mode shows it too: the refusal is often what the step is about.
 */
function refusal({ status, text }: NonNullable<ShownStep['answer']>) {
  const { title, detail } = parsed(text) ?? {};
  return h(
    'p',
    { class: 'utrecht-paragraph refusal' },
    badge(String(status), httpTone(status)),
    title !== undefined && h('strong', {}, ` ${title}.`),
    detail !== undefined && ` ${detail}`,
  );
}
