/** The commands for people: search, export, and make your own persona (simulated person with a name). */
import type { Command } from 'commander';
import type * as z from 'zod';
import type { PeopleFound } from '../control/people/schema.ts';
import type { Printed } from '../control/print.ts';
import { describeFields } from '../search/conditions.ts';
import { parseNumber, parseOneOf, type Session, writeBytes } from './command.ts';

const FORMATS = ['json', 'csv'] as const;

type PeopleAnswer = z.output<typeof PeopleFound>;

const lineOf = ({
  slug,
  status,
  beroep,
  uhd,
  leeftijd,
  woonplaats,
  situaties,
}: PeopleAnswer['burgers'][number]): string =>
  [
    slug,
    status,
    beroep ?? '–',
    uhd === null ? 'no UHD' : `UHD ${uhd}`,
    `${leeftijd} years`,
    woonplaats ?? '–',
    situaties.join(', '),
  ]
    .filter(Boolean)
    .join('  ');

/** The personas come first. `answer` has as many generated people, if there are. */
function toPeople(answer: PeopleAnswer, wanted: number): Printed {
  const personas = answer.personas.slice(0, wanted);
  const burgers = answer.burgers.slice(0, wanted - personas.length);
  const { searched } = answer;
  const count = personas.length + burgers.length;
  const short =
    count < wanted ? `${count} of ${wanted} people found, up to burger-${searched}. Search again to look further.` : '';
  return {
    json: { personas, burgers, searched },
    text: [...personas.map(lineOf), ...burgers.map(lineOf), short].filter(Boolean).join('\n'),
  };
}

export function addPeopleCommands(program: Command, session: Session): void {
  program
    .command('people')
    .description(
      'Find personas and generated people by conditions, such as `--where "status=Geschorst" --where "uhd<+6months"`',
    )
    .option('--where <condition>', 'a field, an operator and a value; repeat it for more', appendValue, [])
    .option('-n <number>', 'how many people at most, the personas first', parseNumber, 5)
    .addHelpText(
      'after',
      () =>
        `\nFields, operators and values:\n${describeFields()
          .map((line) => `  ${line}`)
          .join('\n')}`,
    )
    .action(async ({ where, n }: { where: string[]; n: number }) => {
      const world = decodeURIComponent(session.world.replace('/worlds/', ''));
      const query = new URLSearchParams({ n: String(n), world });
      for (const condition of where) query.append('where', condition);
      session.print(toPeople((await session.control.call('GET', `/people?${query}`)) as PeopleAnswer, n));
    });
  program
    .command('export-people')
    .description('Export generated people as each upstream has them: register, BRP and DUO')
    .option('--count <number>', 'how many, from burger-1 on', parseNumber, 100)
    .option('--format <format>', FORMATS.join(', '), parseOneOf(FORMATS), 'json')
    .option('--out <file>', 'file to write; without it, to the terminal')
    .action(async ({ count, format, out }: { count: number; format: string; out?: string }) => {
      const answer = await session.control.call(
        'GET',
        `${session.world}/people/export?count=${count}&format=${format}`,
      );
      const text = typeof answer === 'string' ? answer : `${JSON.stringify(answer, null, 2)}\n`;
      if (out === undefined) session.write(text.trimEnd());
      else session.print(writeBytes(out, text));
    });
  program
    .command('persona')
    .description('Make a persona of your own: `persona new kim-van-dam --from sanne-de-wit` writes a file to change')
    .argument('<action>', 'new', parseOneOf(['new']))
    .argument('<slug>', 'name of the new persona')
    .option('--from <persona>', 'the persona to start from', 'sanne-de-wit')
    .action(async (_: string, slug: string, { from }: { from: string }) => {
      const file = await session.control.call(
        'GET',
        `/personas/${encodeURIComponent(from)}/copy?as=${encodeURIComponent(slug)}`,
      );
      const saved = (await session.control.call('POST', '/personas', file)) as { file: string };
      session.print({
        json: saved,
        text: `Written to ${saved.file}. Change it; the simulator reads it when you save it.\nUse it with -H 'X-Subject: ${slug}'.`,
      });
    });
}

const appendValue = (value: string, before: string[]): string[] => [...before, value];
