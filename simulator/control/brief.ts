import type { ControlDeps } from './deps.ts';
import { operation } from './operation.ts';
import { callerHeaders } from './people.ts';
import { Letter, LetterState } from './schema.ts';
import { type LetterDeps, presentLetter, setLetter } from './set-letter.ts';

const TAG = 'Letter';

export const briefOperations = [
  operation(TAG, 'GET /worlds/{world}/brief', {
    id: 'letter',
    description: 'Show the letter; null until it is opened',
    guide: [['Where the letter stands', 'Brief', 'brief']],
    answers: { 200: Letter.nullable() },
    async handle({ world }, deps) {
      const brief = await deps.stores.brieven.current(world);
      return brief && presentLetter(brief);
    },
  }),

  operation(TAG, 'PUT /worlds/{world}/brief', {
    id: 'bringLetter',
    description: 'Bring the letter to a state, as its drafter and approver would',
    guide: [['The letter in any state', 'Brief: Zet in deze stand', 'brief approved']],
    body: LetterState,
    tool: {
      name: 'set_staff_letter',
      advice:
        'This is the one letter of the world on which staff work (drafter-dana, approver-anna), about an undecided case: draft, submitted, approved, rejected, sent. Read it with call_operation `brief` as drafter-dana. A letter with a decision that is sent decides its case; one that asks to complete the request (aanvulling-gevraagd) starts a term.',
    },
    answers: { 200: Letter },
    handle: ({ world, body, origin }, deps) => setLetter(letterDepsOf(deps, origin), world, body),
  }),
];

export const letterDepsOf = (deps: ControlDeps, origin: string): LetterDeps => ({
  ...deps,
  async keepLetters(world) {
    const { brieven } = await deps.archive.take(world);
    return () => deps.archive.putLetters(world, brieven);
  },
  request: async (login, path, init) =>
    fetch(origin + path, { ...init, headers: { ...(await callerHeaders(deps, login)), ...init.headers } }),
});
