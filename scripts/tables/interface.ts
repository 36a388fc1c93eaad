/** The tables of configuration variables, problems, actions on letters, commands and processing activities. */
import type { HandlersControl } from '../../browser/types.ts';
import { createCli } from '../../simulator/cli/index.ts';
import { CONTROL_OPERATIONS } from '../../simulator/control/index.ts';
import { FAULTS } from '../../simulator/host/pages/problem-advice.ts';
import { TRANSITIONS } from '../../src/brief/actions.ts';
import { SECRET_FILES } from '../../src/config/variable-names.ts';
import { variables } from '../../src/config/variables.ts';
import { ACTIVITIES } from '../../src/ports/processing.ts';
import { PROBLEMS } from '../../src/problem-codes.ts';
import { NAMED } from '../../src/wire/primitives.ts';
import { PROBLEM_MEMBERS } from '../../src/wire/records.ts';
// Declares the schemas of all records, so that they are in `NAMED`.
import '../../src/operations.ts';
import { BRIEF_TAGS } from '../../src/wire/values.ts';
import type { World } from '../../testing/world.ts';
import { table } from './markdown.ts';

export const configurationTable = (): string =>
  table(['Variable', 'Default', 'What it does'], Object.entries(variables.shape), ([name, schema]) => {
    const standard = schema.safeParse(undefined).data;
    const shown = standard === undefined || (Array.isArray(standard) && standard.length === 0) ? '' : `\`${standard}\``;
    const secret = SECRET_FILES.includes(`${name}_FILE`) ? '. *Secret*' : '';
    return [`\`${name}\``, shown, (schema.description ?? '') + secret];
  });

export const faultCodesTable = (): string =>
  table(
    ['Problem', 'Code in `errors`', 'Meaning'],
    Object.entries(FAULTS).flatMap(([code, faults]) =>
      Object.entries(faults).map(([fault, { english }]) => [`\`${code}\``, `\`${fault}\``, english]),
    ),
    (row) => row,
  );

export const problemsTable = (): string =>
  table(
    ['Status', 'Code', 'Title', 'In English', 'What to do'],
    Object.entries(PROBLEMS).sort(([, one], [, other]) => one.status - other.status),
    ([code, { status, title, english, remedy }]) => [String(status), `\`${code}\``, title, english, remedy],
  );

const WHO = {
  letter: 'anyone who works on letters',
  letterDrafter: '`drafter`, `admin`, `behandelaar`',
  letterApprover: '`approver`, `admin`, `teamlead`',
} as const;

export const briefTable = (): string =>
  table(
    ['Action', 'From', 'To', 'Who', 'Refused with'],
    Object.entries(TRANSITIONS),
    ([action, { from, to, who, fourEyes, refusals }]) => [
      `\`${action}\``,
      from === BRIEF_TAGS ? 'any' : from.join(', '),
      to,
      `${WHO[who]}${fourEyes ? '; nobody who drafted, saved or submitted the letter' : ''}`,
      refusals.map((code) => `${PROBLEMS[code].status} \`${code}\``).join(', ') || '–',
    ],
  );

/** Returns the table of simulator commands, with their help texts. */
export function cliTable(): string {
  const program = createCli({ out: () => undefined, url: '' });
  const help = program.createHelp();
  return table(['`npm run sim -- …`', 'Does', 'Options'], program.commands, (command) => [
    `\`${help.subcommandTerm(command).replace(' [options]', '')}\``,
    command.description(),
    command.options.map(({ flags, description }) => `\`${flags}\` ${description}`).join('; '),
  ]);
}

/** Returns the table of what the control API can do, with the ways to do it. */
export const functionsTable = (): string =>
  table(
    ['What', 'On the page', 'Terminal', 'HTTP'],
    CONTROL_OPERATIONS.flatMap(({ method, path, guide }) =>
      guide.map(([what, page, terminal]) => [what, page, `\`${terminal}\``, `\`${method} ${path}\``]),
    ),
    (row) => row,
  );

/** Returns the table of activities in the register of processing activities (AVG, article 30). */
export const activitiesTable = (): string =>
  table(['Activity', 'What for'], Object.entries(ACTIVITIES), ([name, text]) => [`\`${name}\``, text]);

/** Returns the table of the members of the interface with their texts in English. */
export function membersTable(): string {
  const ofRecords = [...NAMED.values()]
    .sort((one, other) => one.id.localeCompare(other.id))
    .flatMap(({ id, texts }) => Object.entries(texts).map(([member, text]) => [`\`${id}\``, `\`${member}\``, text]));
  const ofProblems = Object.entries(PROBLEM_MEMBERS).map(([name, { text }]) => ['a problem', `\`${name}\``, text]);
  return table(['Of', 'Member', 'Meaning'], [...ofRecords, ...ofProblems], (row) => row);
}

/** The functions of a world in tests that take arguments which those of `handlers()` do not take. */
type Narrower = {
  [Name in keyof World & keyof HandlersControl]: World[Name] extends (...given: infer Given) => unknown
    ? HandlersControl[Name] extends (...given: Given) => unknown
      ? never
      : Name
    : never;
}[keyof World & keyof HandlersControl];

/**
 * The functions of a world in tests that `handlers()` does not have, each with what to do instead. The compiler refuses
 * this list when one is missing, and when one of them is there after all.
 */
const NOT_IN_HANDLERS: Readonly<Record<Exclude<keyof World, keyof HandlersControl> | Narrower, string>> = {
  importSnapshot:
    '`bff.restore(snapshot)`, with what `bff.snapshot()` of `handlers()` returned: a snapshot of a server has the rows of its database',
  postPdf:
    '`bff.postLetter(persona, id)` has the same text. A PDF is made with fonts and software that a page does not have',
  remove: 'Nothing: each call of `handlers` is a world of its own. `bff.reset()` empties it',
};

export const notInHandlersTable = (): string =>
  table(['Not in `handlers()`', 'Instead'], Object.entries(NOT_IN_HANDLERS), ([name, instead]) => [
    `\`bff.${name}()\``,
    instead,
  ]);
