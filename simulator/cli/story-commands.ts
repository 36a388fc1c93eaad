/** The commands for zaken (cases at the register), the letter, and uploaded documents. */
import type { Command } from 'commander';
import { CliError } from './client.ts';
import { parseOneOf, type Session, toMembers, toRows } from './command.ts';

interface ZaakAnswer {
  readonly referentie: string;
  readonly slug: string;
  readonly status: string;
  readonly handmatig: boolean;
}

/** Maximum number of people that a message names. */
const MAX_OTHERS = 10;

/**
 * Returns the reference of a zaak (case at the register). `given` is the reference itself, or the name of a persona:
 * then the last zaak of that person is used that is decided (`isDecided`) or not. Throws a `CliError` when that person
 * has none.
 */
async function referentieOf(session: Session, given: string, isDecided = false): Promise<string> {
  if (/^[A-Z]{3}-/.test(given)) return given;
  const all = (await session.control.call('GET', `${session.worldOf(given)}/zaken`)) as ZaakAnswer[];
  const zaken = all.filter(({ status }) => (status === 'besloten') === isDecided);
  const [name] = given.split('@');
  const found = zaken.findLast(({ slug }) => slug === name);
  if (found === undefined) {
    const others = [...new Set(zaken.map(({ slug }) => slug))].slice(0, MAX_OTHERS).join(', ');
    throw new CliError(
      `${given} has no case that is ${isDecided ? 'decided' : 'undecided'}. ${others && `These people have one: ${others}. `}The command zaken lists all cases.`,
    );
  }
  return found.referentie;
}

const LETTER_OUTCOMES = ['goedgekeurd', 'afgewezen', 'buiten-behandeling'] as const;
const OUTCOMES = [...LETTER_OUTCOMES, 'open'] as const;
const LETTER_STATES = ['draft', 'submitted', 'approved', 'rejected', 'sent'] as const;
const LETTER_TEMPLATES = ['herregistratie-besluit', 'registratie-besluit', 'aanvulling-gevraagd'] as const;
const UPLOAD_STATES = ['uploaded', 'pending', 'rejected'] as const;

/** Adds the commands for zaken, the letter and uploaded documents to the command line. */
export function addStoryCommands(program: Command, session: Session): void {
  program
    .command('zaken')
    .description('List the cases of the register')
    .action(async () => {
      const zaken = (await session.control.call('GET', `${session.world}/zaken`)) as ZaakAnswer[];
      const rows = zaken.map((zaak) => ({ ...zaak, handmatig: zaak.handmatig ? 'by hand' : 'automatic' }));
      session.print({ ...toRows(rows, 'No cases yet.'), json: zaken });
    });
  program
    .command('decide')
    .description('Decide a case, or open it again')
    .argument('<case>', 'its reference, or the persona whose undecided case it is; with open, whose decided case')
    .argument('<outcome>', OUTCOMES.join(', '), parseOneOf(OUTCOMES))
    .argument('[reason...]', 'why it is decided so')
    .action(async (given: string, uitkomst: (typeof OUTCOMES)[number], reason: string[]) => {
      const referentie = await referentieOf(session, given, uitkomst === 'open');
      const path = `${session.worldOf(given)}/zaken/${encodeURIComponent(referentie)}/besluit`;
      const decision = { uitkomst, ...(reason.length > 0 && { reden: reason.join(' ') }) };
      session.print(
        toMembers(
          uitkomst === 'open'
            ? await session.control.call('DELETE', path)
            : await session.control.call('PUT', path, decision),
        ),
      );
    });
  program
    .command('brief')
    .description('Show the letter, or bring it to a state')
    .argument('[state]', LETTER_STATES.join(', '), parseOneOf(LETTER_STATES))
    .option(
      '--about <case>',
      'begin a new letter about this case: its reference, or the persona whose undecided case it is',
    )
    .option('--template <id>', LETTER_TEMPLATES.join(', '), parseOneOf(LETTER_TEMPLATES))
    .option('--outcome <outcome>', LETTER_OUTCOMES.join(', '), parseOneOf(LETTER_OUTCOMES))
    .action(async (tag: string | undefined, options: { about?: string; template?: string; outcome?: string }) => {
      const { about, template, outcome } = options;
      const path = `${session.worldOf(about ?? '')}/brief`;
      const choice = {
        ...(about && { referentie: await referentieOf(session, about) }),
        ...(template && { templateId: template }),
        ...(outcome && { uitkomst: outcome }),
      };
      if (tag !== undefined || Object.keys(choice).length > 0) {
        return session.print(toMembers(await session.control.call('PUT', path, { tag: tag ?? 'draft', ...choice })));
      }
      const letter = await session.control.call('GET', path);
      session.print(letter === null ? { json: null, text: 'No letter yet: nobody has opened it.' } : toMembers(letter));
    });
  program
    .command('uploads')
    .description('List the uploaded documents of all personas')
    .action(async () =>
      session.print(toRows(await session.control.call('GET', `${session.world}/uploads`), 'No documents.')),
    );
  program
    .command('upload')
    .description('Bring a document to a state')
    .argument('<documentId>', 'the command uploads lists them')
    .argument('<state>', UPLOAD_STATES.join(', '), parseOneOf(UPLOAD_STATES))
    .action(async (documentId: string, state: string) => {
      const path = `${session.world}/uploads/${encodeURIComponent(documentId)}`;
      session.print(toMembers(await session.control.call('PUT', path, { state })));
    });
}
