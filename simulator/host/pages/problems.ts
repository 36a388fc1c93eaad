import { DEFAULT_UPLOAD_LIMITS } from '../../../src/domain/upload-limits.ts';
import { type Operation, problemsOf } from '../../../src/http/operation/operation.ts';
import { refusalBody } from '../../../src/openapi/problem-examples.ts';
import { allOperations, type OperationDeps } from '../../../src/operations.ts';
import type { Sentence } from '../../../src/problem.ts';
import { type FaultCodes, PROBLEMS, type ProblemCode } from '../../../src/problem-codes.ts';
import { problemPageAt } from '../../service/help.ts';
import { escapeHtml } from '../../text.ts';
import { ADVICE, FAULTS } from './problem-advice.ts';
import { cardsOf, linksOf, linkTo, pageOf } from './start-page.ts';

/** What the operations of the service declare. They have no ports, so that no handler works. */
const OPERATIONS: readonly Operation[] = allOperations({ uploadLimits: DEFAULT_UPLOAD_LIMITS } as OperationDeps);

const answersWith = (code: ProblemCode) =>
  OPERATIONS.flatMap((operation) =>
    [...problemsOf(operation)]
      .filter(([status, codes]) => codes.has(code) && operation.answers[status] === undefined)
      .map(([status]) => ({ operation, status })),
  );

function statusOf(code: ProblemCode, answers = answersWith(code)): string {
  const statuses = new Set(answers.map(({ status }) => status));
  return `<code>${code}</code> · status ${[...(statuses.size > 0 ? statuses : [PROBLEMS[code].status])].join(' of ')}`;
}

export function problemList(search: string): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].sort();
  return pageOf('Alle problemen', [
    linksOf(search),
    '<p class="lead">Elke fout met een inhoud heeft een van deze codes.</p>',
    `<nav aria-label="Status">${statuses.map((status) => linkTo(`#status-${status}`, `${status}`)).join(' · ')}</nav>`,
    ...statuses.flatMap((status) => [
      `<h2 class="utrecht-heading-2" id="status-${status}">Status ${status}</h2>`,
      cardsOf(
        codes
          .filter((code) => PROBLEMS[code].status === status)
          .map((code) => [`${problemPageAt(code)}${search}`, PROBLEMS[code].title, statusOf(code)]),
      ),
    ]),
  ]);
}

const LONG_LIST = 10;

export function problemPage(code: ProblemCode, given: string, inConsole: string | null): string {
  const search = new URLSearchParams(given);
  search.set('zoek', code);
  const answers = answersWith(code);
  const [{ operation, status } = { operation: OPERATIONS[0] as Operation, status: PROBLEMS[code].status }] = answers;
  const faults = Object.entries<Sentence>(FAULTS[code as keyof FaultCodes] ?? {});
  return pageOf(PROBLEMS[code].title, [
    linksOf(given, ['/docs/problems', 'Alle problemen']),
    `<p class="lead">${statusOf(code, answers)}</p>`,
    `<p>${withCode(ADVICE[code])}</p>`,
    faults.length === 0 ? '' : '<h2 class="utrecht-heading-2">Codes in <code>errors</code></h2>',
    listOf(faults.map(([fault, { detail }]) => `<code>${fault}</code>: ${withCode(detail)}`)),
    '<h2 class="utrecht-heading-2">Operaties die dit antwoorden</h2>',
    answers.length > LONG_LIST
      ? `<p>${linkTo(`/docs?${search}`, `${answers.length} operaties`)}</p>`
      : listOf(
          answers.map(
            ({ operation: { method, path, summary, tag, id } }) =>
              `${linkTo(`/docs${given}#/${tag}/${id}`, `${method} ${path}`)} ${summary}`,
          ),
        ),
    ...(answers.length === 0 ? ['<p>Geen: de dienst weigert het verzoek al vóór een operatie.</p>'] : []),
    '<h2 class="utrecht-heading-2">Voorbeeld van het antwoord</h2>',
    `<pre style="margin: 0; white-space: pre-wrap; overflow-wrap: anywhere"><code>${escapeHtml(JSON.stringify(refusalBody(operation, code, status), null, 2))}</code></pre>`,
    inConsole === null
      ? ''
      : `<p>${linkTo(`/_simulator/?${inConsole}`, 'Aanroepen die dit kregen, in het journaal')}</p>`,
  ]);
}

const listOf = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul style="margin: 0">${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>`;

const withCode = (text: string): string => escapeHtml(text).replace(/`(.*?)`/g, '<code>$1</code>');
