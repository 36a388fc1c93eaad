/** The commands for faults that the simulator causes, and for scenarios. */
import { type Command, InvalidArgumentError } from 'commander';
import type * as z from 'zod';
import { toPrintedWorld } from '../control/print.ts';
import type { World } from '../control/schema.ts';
import { FAULT_KINDS, FAULT_TARGETS, SERVICE, type SimulatedFault } from '../worlds/faults.ts';
import { parseNumber, parseOneOf, type Session } from './command.ts';

type Members = Readonly<Record<string, unknown>>;

/** Words for common faults on the command line, and the settings of the fault that each stands for. */
export const SHORT_NAMES: Readonly<Record<string, Omit<SimulatedFault, 'upstream'>>> = {
  slow: { kind: 'latency', ms: { median: 900, sigma: 0.15 } },
  down: { kind: 'refused' },
  flaky: { kind: 'status', status: 503, probability: 0.3 },
};
const KIND_WORDS = ['off', ...Object.keys(SHORT_NAMES), ...Object.keys(FAULT_KINDS)];
const KINDS_TEXT = `a status from 400 to 599, or ${KIND_WORDS.join(', ')}; for ${SERVICE} also a problem code`;

/** `1500` ms, `200-900` ms (random between these), or `900~0.3` (lognormal: median in ms and sigma). */
function parseDelay(text: string): unknown {
  const [, min, max] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (min !== undefined) return { min: Number(min), max: Number(max) };
  const [, median, sigma] = /^(\d+)~(\d+(?:\.\d+)?|\.\d+)$/.exec(text) ?? [];
  if (median !== undefined) return { median: Number(median), sigma: Number(sigma) };
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use 1500, 200-900, or 900~0.3 (median and sigma).');
}

function parseKind(target: string, word: string): Members {
  if (target === SERVICE && /^[a-z-]+$/.test(word) && !KIND_WORDS.includes(word))
    return { kind: 'problem', code: word };
  if (!/^\d+$/.test(word)) return SHORT_NAMES[parseOneOf(KIND_WORDS)(word)] ?? { kind: word };
  const status = Number(word);
  if (status >= 400 && status <= 599) return { kind: 'status', status };
  throw new InvalidArgumentError('A status that is a fault is 400 to 599.');
}

/** Removes the faults of an upstream (or of the service) in a world. Faults of a scenario stay. */
async function turnOff({ control, world }: Pick<Session, 'control' | 'world'>, upstream: string): Promise<void> {
  const { faults } = (await control.call('GET', world)) as z.output<typeof World>;
  for (const fault of faults)
    if (fault.scenario === null && fault.upstream === upstream)
      await control.call('DELETE', `${world}/faults/${fault.id}`);
}

export function addFaultCommands(program: Command, session: Session): void {
  program
    .command('scenario')
    .description('Turn a scenario on or off')
    .argument('<name>', 'scenario; the command scenarios lists them')
    .argument('[state]', 'on or off', parseOneOf(['on', 'off']), 'on')
    .action(async (name: string, state: 'on' | 'off') => {
      const method = state === 'off' ? 'DELETE' : 'PUT';
      const path = `${session.world}/scenarios/${encodeURIComponent(name)}`;
      session.print(toPrintedWorld(await session.control.call(method, path)));
    });
  program
    .command('fault')
    .description(
      'Turn a fault on; or off: `fault brp off` for one upstream, `fault off <id>` for one fault, `fault off` for all faults and scenarios',
    )
    .argument(
      '<upstream>',
      `${FAULT_TARGETS.join(', ')}; or off. ${SERVICE} is the service itself`,
      parseOneOf([...FAULT_TARGETS, 'off']),
    )
    .argument('[kind]', `${KINDS_TEXT}; after off, the id of a fault`)
    .option('--operation <name>', 'only this operation')
    .option('--ms <delay>', 'milliseconds: 1500, 200-900, or 900~0.3 (median and sigma)', parseDelay)
    .option('--status <status>', 'status to answer with', parseNumber)
    .option('--code <code>', `problem to answer with; with ${SERVICE} and problem`)
    .option('--persona <slug>', `only the requests of this person; with ${SERVICE}`)
    .option('--after <calls>', 'number of calls that succeed first', parseNumber)
    .option('--times <calls>', 'number of calls that fail then; later calls succeed', parseNumber)
    .option('--retry-after <seconds>', 'Retry-After to answer with', parseNumber)
    .option('--probability <p>', 'share of the calls that fail, from 0 to 1', parseNumber)
    .option('--seed <number>', 'the same seed fails the same calls', parseNumber)
    .action(async (upstream: string, kind: string | undefined, options: Members & { readonly persona?: string }) => {
      const { control } = session;
      const { persona = '' } = options;
      const world = session.worldOf(persona);
      const [slug] = persona.split('@');
      const chosen = { ...options, ...(slug && { persona: slug }) };
      if (upstream === 'off')
        await control.call('DELETE', `${world}/faults${kind === undefined ? '' : `/${encodeURIComponent(kind)}`}`);
      else if (kind === undefined) throw new InvalidArgumentError(`Say what goes wrong: ${KINDS_TEXT}.`);
      else if (upstream === SERVICE && kind === 'problem' && options.code === undefined)
        throw new InvalidArgumentError('A problem needs --code, such as --code overbelast.');
      else if (kind === 'off') await turnOff({ control, world }, upstream);
      else await control.call('POST', `${world}/faults`, { upstream, ...parseKind(upstream, kind), ...chosen });
      session.print(toPrintedWorld(await control.call('GET', world)));
    });
}
