/** What goes wrong. */
import { FAULT_KINDS, UPSTREAMS } from '../faults.ts';
import { CliFault } from './client.ts';
import { type CliCommand, type Flags, numberOf, oneOf, word } from './command.ts';
import { shown } from './world-commands.ts';

/** Words for what is wanted most. */
const KINDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  slow: { kind: 'latency', ms: { median: 900, sigma: 0.15 } },
  down: { kind: 'refused' },
  flaky: { kind: 'status', status: 503, probability: 0.3 },
};

/** `1500`, `200-900` or `900~0.3` (median and sigma of a lognormal). */
function durationOf(text: string): unknown {
  const [, min, max] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (min !== undefined) return { min: Number(min), max: Number(max) };
  const [, median, sigma] = /^(\d+)~(\d+(?:\.\d+)?|\.\d+)$/.exec(text) ?? [];
  if (median !== undefined) return { median: Number(median), sigma: Number(sigma) };
  if (/^\d+$/.test(text)) return Number(text);
  throw new CliFault('--ms takes 1500, 200-900, or 900~0.3 (median and sigma).');
}

function kindOf(said: string): Readonly<Record<string, unknown>> {
  if (/^\d+$/.test(said)) {
    const status = Number(said);
    if (status < 400 || status > 599) throw new CliFault(`A status that goes wrong is 400 to 599, not ${said}.`);
    return { kind: 'status', status };
  }
  const kind = oneOf(said, [...Object.keys(KINDS), ...Object.keys(FAULT_KINDS)], 'fault');
  return KINDS[kind] ?? { kind };
}

function faultOf(upstream: string, kind: string, flags: Flags): unknown {
  const known = kindOf(kind);
  const given = {
    operation: flags.operation,
    ms: typeof flags.ms === 'string' ? durationOf(flags.ms) : undefined,
    status: numberOf(flags, 'status'),
    retryAfter: numberOf(flags, 'retry-after'),
    probability: numberOf(flags, 'probability'),
    seed: numberOf(flags, 'seed'),
  };
  return {
    upstream,
    ...known,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

export const FAULT_COMMANDS: Readonly<Record<string, CliCommand>> = {
  scenarios: {
    usage: 'scenarios',
    about: 'Which scenarios there are',
    most: 0,
    async run({ control }) {
      const all = (await control.call('GET', '/scenarios')) as { name: string; toont: string }[];
      return { json: all, text: all.map(({ name, toont }) => `${name.padEnd(18)} ${toont}`).join('\n') };
    },
  },
  scenario: {
    usage: 'scenario <name> [on|off]',
    about: 'A scenario on (or off) in a world',
    most: 2,
    async run({ control, world, words }) {
      const name = encodeURIComponent(word(words, 0, 'which scenario'));
      const method = oneOf(words[1] ?? 'on', ['on', 'off'], 'switch') === 'off' ? 'DELETE' : 'PUT';
      return shown(await control.call(method, `${world}/scenarios/${name}`));
    },
  },
  fault: {
    usage:
      'fault <upstream> slow|down|flaky|<status>|<kind> [--operation o] [--ms 1500|200-900|900~0.3] [--status n] [--retry-after s] [--probability p] [--seed n]',
    about:
      'A fault of your own; the upstreams are register, brp, duo, documenten, scanner. `fault brp off`, `fault off <id>` and `fault off` (all, and the scenarios) end them',
    most: 2,
    async run({ control, world, words, flags }) {
      const first = word(words, 0, 'which upstream: register, brp, duo, documenten or scanner');
      if (first === 'off' && words[1] === undefined) return shown(await control.call('DELETE', `${world}/faults`));
      if (first === 'off') {
        await control.call('DELETE', `${world}/faults/${encodeURIComponent(String(words[1]))}`);
        return shown(await control.call('GET', world));
      }
      const upstream = oneOf(first, UPSTREAMS, 'upstream');
      if (words[1] === 'off') {
        const { faults } = (await control.call('GET', world)) as {
          faults: { id: string; upstream: string; scenario: string | null }[];
        };
        for (const { id, scenario, upstream: whose } of faults)
          if (scenario === null && whose === upstream) await control.call('DELETE', `${world}/faults/${id}`);
        return shown(await control.call('GET', world));
      }
      const kind = word(
        words,
        1,
        'what goes wrong: slow, down, flaky, a status, or a kind such as reset, hang, garbage',
      );
      await control.call('POST', `${world}/faults`, faultOf(upstream, kind, flags));
      return shown(await control.call('GET', world));
    },
  },
};
