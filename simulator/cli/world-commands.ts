/** The commands for worlds, their clocks and their personas. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { toPrintedWorld, toText } from '../control/print.ts';
import type { PersonaCard, World } from '../control/schema.ts';
import { explainFault } from '../persona-files/explain.ts';
import type { PersonaFault } from '../persona-files/rules.ts';
import { CliError } from './client.ts';
import type { Session } from './command.ts';

const CLOCK_CHANGES = [
  '+4months',
  '-1day',
  '2026-09-01 [freeze]',
  'freeze',
  'run',
  'real',
  'deadline <persona> [days]',
];

function parseClockChange(words: readonly string[]): unknown {
  const [first = '', second, third] = words;
  if (/^[+-]\d/.test(first)) return { move: words.join(' ') };
  const invalid = (what: string) =>
    new CliError(`The clock does not know ${what}. Use one of: ${CLOCK_CHANGES.join(', ')}.`);
  const allowOnly = (most: number) => {
    if (words.length > most) throw invalid(words.join(' '));
  };
  if (first === 'deadline') {
    allowOnly(3);
    if (second === undefined) throw new CliError('Name the persona whose deadline it is: clock deadline sanne-de-wit.');
    if (third !== undefined && !/^[+-]?\d{1,5}$/.test(third)) throw invalid(`${third} days`);
    return { deadline: second, ...(third !== undefined && { days: Number(third) }) };
  }
  if (isDay(first) || isMoment(first)) {
    allowOnly(2);
    if (second !== undefined && second !== 'freeze') throw invalid(words.join(' '));
    return { set: first, ...(second === 'freeze' && { frozen: true }) };
  }
  allowOnly(1);
  if (first === 'real') return { real: true };
  if (first === 'freeze') return { frozen: true };
  if (first === 'run') return { frozen: false };
  throw invalid(first);
}

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success;
const isMoment = (text: string): boolean => z.iso.datetime({ offset: true }).safeParse(text).success;

function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('It has to be a day, such as 2026-06-01.');
}

function personaText({ slug, shows, situaties, nu }: z.output<typeof PersonaCard>): string {
  if (nu === null) return `${slug}\n    ${shows}`;
  const now = [nu.status ?? 'not registered', nu.uhd && `UHD ${nu.uhd}`, nu.eligible && 'eligible'].filter(Boolean);
  return `${slug} [${now.join(', ')}] ${situaties.join(' ')}\n    ${shows}`;
}

export function addWorldCommands(program: Command, session: Session): void {
  program
    .command('reset')
    .description('Empty the world and start it again')
    .option('--begin <day>', 'start on this day, with the clock frozen', parseDay)
    .addOption(new Option('--all', 'reset every world').conflicts('begin'))
    .action(async ({ begin, all }: { begin?: string; all?: true }) => {
      const { control, world } = session;
      if (all) {
        await control.call('POST', '/reset');
        session.print(toText('Every world is reset.'));
        return;
      }
      session.print(
        toPrintedWorld(await control.call('POST', `${world}/reset`, begin === undefined ? undefined : { begin })),
      );
    });
  program
    .command('drop')
    .description('Delete the world')
    .action(async () => {
      const { control, world } = session;
      const worlds = (await control.call('GET', '/worlds')) as z.output<typeof World>[];
      const found = worlds.some((one) => `/worlds/${one.world}` === world);
      await control.call('DELETE', world);
      const others = `There are: ${worlds.map((one) => one.world).join(', ')}.`;
      session.print(toText(found ? 'The world is deleted.' : `There was no such world. ${others}`));
    });
  program
    .command('clock')
    .description(`Change the clock of the world: ${CLOCK_CHANGES.map((change) => `\`${change}\``).join(', ')}`)
    .argument('<change...>', 'how to change it')
    // `-1day` looks like an option.
    .allowUnknownOption()
    .action(async (change: string[]) => {
      // Quotes make one word of several: `clock "+1year 2days"`.
      const words = change.join(' ').trim().split(/\s+/);
      const [first, persona = ''] = words;
      const world = first === 'deadline' ? session.worldOf(persona) : session.world;
      session.print(toPrintedWorld(await session.control.call('POST', `${world}/clock`, parseClockChange(words))));
    });
  program
    .command('personas')
    .description('List the personas, with their registration now')
    .argument('[situatie]', 'only those in this situation, such as specialist or twee-beroepen')
    .action(async (situatie: string | undefined) => {
      const all = (await session.control.call('GET', `${session.world}/personas`)) as z.output<typeof PersonaCard>[];
      const personas = all.filter(
        ({ situaties }) => situatie === undefined || situaties.some((one) => one === situatie),
      );
      if (personas.length === 0) {
        const known = [...new Set(all.flatMap(({ situaties }) => situaties))].sort();
        throw new CliError(`Nobody is in the situation ${situatie}. There are: ${known.join(', ')}.`);
      }
      const { faults } = (await session.control.call('GET', '/personas')) as { faults: PersonaFault[] };
      const refused = faults.map((fault) => `refused: ${explainFault(fault)}`);
      session.print({ json: personas, text: [...personas.map(personaText), ...refused].join('\n') });
    });
}
