import { createDuo } from '../../../adapters/duo/index.ts';
import type { HttpClient } from '../../../adapters/http/client.ts';
import { type Expectation, unless } from './check.ts';
import type { CheckContext } from './context.ts';

/** Returns the checks of DUO, which only read. */
export function duoExpectations(
  http: HttpClient,
  { persons, unknown, forEachPerson, within }: CheckContext,
): Expectation[] {
  const duo = createDuo(http);
  return [
    {
      name: 'diplomas are found, in the agreed shape',
      check: async (call) => {
        const found = await forEachPerson((bsn) => duo.diplomas(bsn, call));
        return unless(found.flat().length > 0, 'none of the test persons has a diploma');
      },
    },
    {
      name: 'every diploma has an id of its own',
      check: async (call) => {
        const found = (await forEachPerson((bsn) => duo.diplomas(bsn, call))).flat();
        return unless(new Set(found.map(({ id }) => id)).size === found.length, 'two diplomas share an id');
      },
    },
    {
      name: 'the programme of some diploma leads to a profession of the register',
      check: async (call) => {
        const found = (await forEachPerson((bsn) => duo.diplomas(bsn, call))).flat();
        return unless(
          found.some(({ beroep }) => beroep !== null),
          'the code of no programme is known here',
        );
      },
    },
    {
      name: 'an unknown number has no diplomas, and is no error',
      check: async (call) => unless((await duo.diplomas(unknown, call)).length === 0, 'a person has this number'),
    },
    within((call) => duo.diplomas(persons[0] ?? unknown, call)),
  ];
}
