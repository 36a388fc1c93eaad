/** The tools that control a world: those that operations of the control API declare, and those that make several requests. */
import * as z from 'zod';
import type { ControlClient } from '../cli/client.ts';
import { CONTROL_OPERATIONS } from '../control/index.ts';
import { JournalFilters } from '../control/journal-filter.ts';
import { type ControlOperation, fillPath, PATH_PARAMETERS, parametersIn, withQuery } from '../control/operation.ts';
import type { PeopleFound } from '../control/people-schema.ts';
import { type PersonaCard, ScenarioName, type World } from '../control/schema.ts';
import { describeFields } from '../search/conditions.ts';
import { SITUATIONS } from '../search/situations.ts';
import { SITUATION_NAMES } from '../search/values.ts';
import { similarTo } from '../text.ts';
import type { RecordedRequest as Entry } from '../worlds/journal.ts';

/** The world of a client that names none: not the default world, so that the work of other testers stays as it is. */
export const MCP_WORLD = 'mcp';

export interface McpSession {
  readonly control: ControlClient;
  /** URL of that service, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Name of the world of a call that names none. */
  readonly world: string;
}

export interface Tool<Args extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** What it does and when to use it, in English sentences. The model sees nothing else. */
  readonly description: string;
  readonly args: Args;
  /** True when it changes nothing. */
  readonly isRead?: true;
  /** True when what it removes does not come back. */
  readonly isDestructive?: true;
  /** Returns the result: a text as it is, another value as JSON. */
  run(args: z.output<Args>, session: McpSession): Promise<unknown>;
}

export const tool = <Args extends z.ZodObject>(declared: Tool<Args>): Tool => declared as unknown as Tool;

export const WORLD = z
  .string()
  .optional()
  .describe('Another world than your own. Only when the user names it; a page in a browser is usually in `default`.');

export const pathOf = (session: McpSession, world: string | undefined): string =>
  `/worlds/${encodeURIComponent(world ?? session.world)}`;

/** Returns the schema of the arguments of a tool. The error for an unknown argument names the one that was meant, and all. */
export function argsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error(issue) {
      if (issue.code !== 'unrecognized_keys') return undefined;
      return issue.keys
        .map((key) => {
          const near = similarTo(key, known);
          return `There is no argument ${JSON.stringify(key.slice(0, 40))}.${near ? ` Did you mean ${near}?` : ''}`;
        })
        .concat(`The arguments are: ${known.join(', ') || 'none'}.`)
        .join(' ');
    },
  });
}

function toolOf({ tool: declared, method, path, body, query, description, id }: ControlOperation): Tool[] {
  if (declared === undefined) return [];
  const inPath = parametersIn(path).filter((name) => name !== 'world');
  const params = Object.fromEntries(
    inPath.map((name) => [name, (declared.params?.[name] ?? z.string()).describe(PATH_PARAMETERS[name] ?? '')]),
  );
  const schema = body instanceof z.ZodOptional ? body.unwrap() : body;
  const members = schema instanceof z.ZodObject ? schema.shape : {};
  return [
    {
      name: declared.name,
      description: `${description}. ${declared.advice}`,
      args: argsOf({ ...params, ...members, ...query?.shape, world: WORLD }),
      ...(method === 'GET' && { isRead: true }),
      ...(id === 'resetWorld' && { isDestructive: true }),
      async run({ world, ...args }, session) {
        const target = fillPath(path.replace('/worlds/{world}', pathOf(session, world as string | undefined)), args);
        const sent = Object.entries(args).filter(([name, value]) => !inPath.includes(name) && value !== undefined);
        const search = new URLSearchParams(
          sent
            .filter(([name]) => query !== undefined && name in query.shape)
            .map(([name, value]): [string, string] => [name, String(value)]),
        );
        const content = sent.filter(([name]) => !search.has(name));
        const sentBody = body && Object.fromEntries(content);
        return (await session.control.call(method, withQuery(target, search), sentBody)) ?? 'Done.';
      },
    },
  ];
}

type Card = z.output<typeof PersonaCard>;
type People = z.output<typeof PeopleFound>;

const findPeople = tool({
  name: 'find_people',
  description: [
    'Find people to act as, by situation. Without arguments: all personas (fictional people with a name), each with one sentence on what they show, also the staff who write letters.',
    'With a situation or conditions: the personas and generated people who fit, as they are on their first day.',
    '`{"situation": "geschorst"}` finds people who are suspended. Use the `slug` of one as `as` in call_operation.',
    `Situations: ${SITUATION_NAMES.map((name) => `${name}: ${SITUATIONS[name][0]}`).join('; ')}.`,
  ].join(' '),
  isRead: true,
  args: argsOf({
    situation: z.enum(SITUATION_NAMES).optional().describe('Only people in this situation.'),
    where: z
      .array(z.string())
      .optional()
      .describe(
        `Conditions that all must hold, such as ["status=Geschorst", "uhd<+6months"]. ${describeFields()
          .filter((line) => !line.startsWith('situatie'))
          .join('; ')}`,
      ),
    n: z.int().min(1).max(100).optional().describe('How many generated people at most; 3 when absent.'),
    world: WORLD,
  }),
  async run({ situation, where = [], n = 3, world }, session) {
    const cards = (await session.control.call('GET', `${pathOf(session, world)}/personas`)) as Card[];
    const short = ({ slug, naam, kind, shows, situaties, nu }: Card) => ({
      slug,
      naam,
      ...(kind !== 'professional' && { staff: true }),
      shows,
      ...(nu && { situaties, status: nu.status, beroep: nu.beroep, uhd: nu.uhd }),
    });
    const conditions = [...where, ...(situation === undefined ? [] : [`situatie=${situation}`])];
    if (conditions.length === 0) return { personas: cards.map(short) };
    const query = new URLSearchParams({ n: String(n), world: world ?? session.world });
    for (const condition of conditions) query.append('where', condition);
    const { personas, burgers } = (await session.control.call('GET', `/people?${query}`)) as People;
    const found = new Set(personas.map(({ slug }) => slug));
    return { personas: cards.filter(({ slug }) => found.has(slug)).map(short), generated: burgers };
  },
});

const clearFaults = tool({
  name: 'clear_faults',
  description:
    'Turn faults off, so that all works again: all faults and scenarios of the world, or one. Answers with the world; `faults` is empty when nothing goes wrong any more.',
  args: argsOf({
    fault: z.string().optional().describe('Id of the one fault to turn off, such as fault-1; show_world has the ids.'),
    scenario: ScenarioName.optional().describe('Name of the one scenario to turn off.'),
    world: WORLD,
  }),
  async run({ fault, scenario, world }, { control, ...session }) {
    const path = pathOf({ control, ...session }, world);
    if (fault !== undefined) await control.call('DELETE', `${path}/faults/${encodeURIComponent(fault)}`);
    if (scenario !== undefined) await control.call('DELETE', `${path}/scenarios/${scenario}`);
    if (fault === undefined && scenario === undefined) await control.call('DELETE', `${path}/faults`);
    return (await control.call('GET', path)) as z.output<typeof World>;
  },
});

/** Returns the upstream calls behind an answer, with the fault that the simulator caused. */
export const callsOf = ({ upstream }: Pick<Entry, 'upstream'>) =>
  upstream.map(({ bron, operation, outcome, attempts, fault }) => ({ bron, operation, outcome, attempts, fault }));

const summaryOf = ({ id, worldAt, caller, request, response, ms, operation, problem, upstream, why }: Entry) => ({
  id,
  at: worldAt,
  as: caller?.subject ?? null,
  operation,
  request: `${request.method} ${request.path}`,
  ...(request.body && { sent: request.body }),
  status: response.status,
  problem,
  ...(problem !== null && { answer: response.body }),
  ms: Math.round(ms),
  upstream: callsOf({ upstream }),
  why: reasonsOf({ why }),
});

/** Returns the reasons for an answer: the rule, and a Dutch sentence that says what it decided and on which facts. */
export const reasonsOf = ({ why }: Pick<Entry, 'why'>): string[] =>
  why.map(({ rule, sentence, outcome }) => `${rule}: ${sentence ?? JSON.stringify(outcome)}`);

const readJournal = tool({
  name: 'read_journal',
  description: [
    'Read what was called in the world, oldest first, with the reasons: the calls of pages and of your call_operation, the answers, the upstreams that were called (with the simulated fault, if any), and in `why` each rule that was applied with a Dutch sentence.',
    'To find a call that failed: `{"status": "4xx"}` or `{"status": "5xx"}`, and with `persona` or `operation` only theirs.',
  ].join(' '),
  isRead: true,
  args: argsOf({
    ...JournalFilters.shape,
    last: z.int().min(1).max(100).optional().describe('At most so many, the newest; 10 when absent.'),
    world: WORLD,
  }),
  async run({ last = 10, world, ...filters }, session) {
    const given = Object.entries(filters).filter((one): one is [string, string] => one[1] !== undefined);
    const query = new URLSearchParams([...given, ['limit', String(last)]]);
    const entries = (await session.control.call('GET', `${pathOf(session, world)}/journal?${query}`)) as Entry[];
    if (entries.length > 0) return entries.map(summaryOf);
    const { entries: count } = (await session.control.call('GET', pathOf(session, world))) as z.output<typeof World>;
    return `No call fits. This world has ${count} calls in all.`;
  },
});

export const CONTROL_TOOLS: readonly Tool[] = [
  findPeople,
  ...CONTROL_OPERATIONS.flatMap(toolOf),
  clearFaults,
  readJournal,
];
