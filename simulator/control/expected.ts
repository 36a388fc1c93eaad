import * as z from 'zod';
import { dateOf } from '../../src/ports/clock.ts';
import { expectedLetters } from '../correspondence/index.ts';
import { clockSettingAfter } from './clock.ts';
import { loginsIn, slugOf, worldNamed } from './deps.ts';
import { ok, operation } from './operation.ts';
import { toRows } from './print.ts';
import { ControlError } from './refusals.ts';
import { Expected } from './schema.ts';

const date = z.iso.date();

export const expectedOperations = [
  operation({
    id: 'expected',
    method: 'GET',
    path: '/worlds/{world}/expected/{until}',
    tag: 'Clock',
    description: 'List the letters that the register sends from tomorrow until a day, when only time passes',
    guide: [['What moving the clock brings, before it moves', 'Klok: +4 maanden', 'expected +4months']],
    command: {
      name: 'expected',
      print: (answer) => ({
        json: answer,
        text: toRows(
          (answer as z.output<typeof Expected>).letters.map(({ naam: _, ...row }) => row),
          'nothing',
        ).text,
      }),
    },
    tool: {
      name: 'list_expected_letters',
      advice: 'Use it before move_clock, to see which day brings what. A decision on a request is a letter too.',
    },
    answers: { 200: Expected },
    handle({ params }, deps) {
      const world = worldNamed(params);
      const { until: wanted = '' } = params;
      const here = deps.worlds.at(world);
      const today = here.today();
      const change = /^[+-]/.test(wanted) ? { move: wanted } : { set: dayIn(wanted) };
      const setting = clockSettingAfter(deps, world, { ...change, frozen: true });
      const until = setting?.kind === 'frozen' ? dateOf(new Date(setting.at)) : today;
      const letters = loginsIn(deps, world).flatMap((login) => {
        const found = here.byLogin(login);
        if (found === null) return [];
        return expectedLetters(here, found, until).map(({ date, kind, letter }) => ({
          date,
          kind,
          persona: slugOf(login),
          naam: found.resident.naam,
          subject: letter.onderwerp,
        }));
      });
      return ok({ today, until, letters: letters.toSorted((one, other) => one.date.localeCompare(other.date)) });
    },
  }),
];

function dayIn(text: string): string {
  if (date.safeParse(text).success) return text;
  throw new ControlError('klok-onduidelijk', 'Geef een dag, zoals 2026-10-01, of een duur, zoals +4months.');
}
