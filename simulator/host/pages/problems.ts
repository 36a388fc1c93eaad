import { DEFAULT_UPLOAD_LIMITS } from '../../../src/domain/upload-limits.ts';
import { type Operation, problemsOf } from '../../../src/http/operation/operation.ts';
import { refusalBody } from '../../../src/openapi/problem-examples.ts';
import { allOperations, type OperationDeps } from '../../../src/operations.ts';
import { PROBLEMS, type ProblemCode } from '../../../src/problem-codes.ts';
import { problemPageAt } from '../../service/help.ts';
import { escapeHtml } from '../../text.ts';
import { ADVICE, FAULTS } from './problem-advice.ts';
import { cardsOf, pageOf } from './start-page.ts';

interface Answer {
  readonly operation: Operation;
  readonly status: number;
}

/** What the operations of the service declare. They have no ports, so that no handler works. */
const OPERATIONS: readonly Operation[] = allOperations({ uploadLimits: DEFAULT_UPLOAD_LIMITS } as OperationDeps);

const answersWith = (code: ProblemCode): Answer[] =>
  OPERATIONS.flatMap((operation) =>
    [...problemsOf(operation)]
      .filter(([status, codes]) => codes.has(code) && operation.answers[status] === undefined)
      .map(([status]) => ({ operation, status })),
  );

function statusOf(code: ProblemCode, answers: readonly Answer[] = answersWith(code)): string {
  const statuses = new Set(answers.map(({ status }) => status));
  return `<code>${code}</code> · status ${[...(statuses.size > 0 ? statuses : [PROBLEMS[code].status])].join(' of ')}`;
}

/** Returns the page with all codes, each with a link to its page. */
export function problemList(search: string, isFound: boolean): string {
  const codes = (Object.keys(PROBLEMS) as ProblemCode[]).sort((a, b) => PROBLEMS[a].status - PROBLEMS[b].status);
  return pageOf(isFound ? 'Alle problemen' : 'Deze code bestaat niet', [
    `<p><a class="utrecht-link utrecht-link--html-a" href="/docs${escapeHtml(search)}">Terug naar de API</a></p>`,
    isFound
      ? '<p class="lead">Elke fout met een inhoud heeft een van deze codes.</p>'
      : '<p class="lead">Dit zijn de codes die wel bestaan.</p>',
    ...[...new Set(codes.map((code) => PROBLEMS[code].status))].flatMap((status) => [
      `<h2 class="utrecht-heading-2">Status ${status}</h2>`,
      cardsOf(
        codes
          .filter((code) => PROBLEMS[code].status === status)
          .map((code) => [`${problemPageAt(code)}${search}`, PROBLEMS[code].title, statusOf(code)]),
      ),
    ]),
  ]);
}

const LONG_LIST = 10;

/** Returns the page about a problem: when it comes, what to do, an example, and the operations that answer it. */
export function problemPage(code: ProblemCode, given: string, inConsole: string | null): string {
  const search = new URLSearchParams(given);
  search.set('zoek', code);
  const answers = answersWith(code);
  const [{ operation, status } = { operation: OPERATIONS[0] as Operation, status: PROBLEMS[code].status }] = answers;
  const operations = answers.map(
    (one) =>
      `<li><a class="utrecht-link utrecht-link--html-a" href="/docs${escapeHtml(given)}#/${one.operation.tag}/${one.operation.id}">${one.operation.method} ${one.operation.path}</a> ${one.operation.summary}</li>`,
  );
  const faults = Object.entries(FAULTS[code] ?? {});
  const hasList = operations.length > 0 && operations.length <= LONG_LIST;
  return pageOf(PROBLEMS[code].title, [
    `<p class="lead">${statusOf(code, answers)}</p>`,
    `<p>${withCode(ADVICE[code])}</p>`,
    ...(faults.length === 0
      ? []
      : [
          '<h2 class="utrecht-heading-2">Codes in <code>errors</code></h2>',
          `<ul style="margin: 0">${faults.map(([fault, [says]]) => `<li><code>${fault}</code>: ${withCode(says)}</li>`).join('\n')}</ul>`,
        ]),
    ...(hasList
      ? [
          '<h2 class="utrecht-heading-2">Operaties die dit antwoorden</h2>',
          `<ul style="margin: 0">${operations.join('\n')}</ul>`,
        ]
      : []),
    '<h2 class="utrecht-heading-2">Voorbeeld van het antwoord</h2>',
    `<pre style="margin: 0; white-space: pre-wrap; overflow-wrap: anywhere"><code>${escapeHtml(JSON.stringify(refusalBody(operation, code, status), null, 2))}</code></pre>`,
    cardsOf([
      ...(hasList
        ? []
        : [
            [
              operations.length > 0 ? `/docs?${search}` : `/docs${given}`,
              'Operaties',
              operationsText(operations.length),
            ] as const,
          ]),
      ...(inConsole === null
        ? []
        : [[`/_simulator/?${inConsole}`, 'Journaal', 'De aanroepen die dit kregen, en waarom.'] as const]),
      [`/docs/problems${given}`, 'Alle problemen', 'Elke code en wat zij betekent.'],
    ]),
  ]);
}

const withCode = (text: string): string => escapeHtml(text).replace(/`(.*?)`/g, '<code>$1</code>');

const operationsText = (count: number): string =>
  count > 0
    ? `Terug naar de API: de ${count} operaties die dit kunnen antwoorden.`
    : 'De dienst weigert het verzoek al vóór een operatie.';
