/**
 * The command `conformance`: checks that real upstreams behave as the service expects. It prints types and durations,
 * but never values, because values can be personal data.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, isProductionLike, readConfig } from '../../config/index.ts';
import { CONFIGURED_UPSTREAMS, type ConfiguredUpstream, VARIABLE_PREFIX } from '../../config/upstreams.ts';
import { RUN } from '../output/how-to-run.ts';
import { clientOf, documentsOf } from '../wiring/upstreams.ts';
import { brpExpectations } from './brp.ts';
import { checkAll, type Finding } from './check.ts';
import { comparisonOf, differences, readReport } from './compare.ts';
import { type CheckContext, checkContext, testPersons } from './context.ts';
import { documentsExpectations } from './documents.ts';
import { duoExpectations } from './duo.ts';
import { junitOf } from './junit.ts';
import { registerExpectations } from './register.ts';
import { reportOf } from './report.ts';
import { collectShapes, type Shapes } from './shape.ts';

const USAGE = `${RUN} conformance --brp <url> --register <url> --duo <url> --documents <url>   one or more of them
Without any of them: the upstreams in BRP_UPSTREAM, REGISTER_UPSTREAM, DUO_UPSTREAM and DOCUMENTS_UPSTREAM.
  --persons <file>     burgerservicenummers of test persons, one a line; else CONFORMANCE_BSNS; else, in development,
                       fictional persons
  --write              also does the checks that write: a request, which stays, and a document, which is removed
  --workspace <name>   where the register has a letter to write (default)
  --within <ms>        the maximum time of an answer (1500, the time for which the service waits)
  --shapes             prints the members and types of all answers, also of checks that hold
  --against <file>     compares the members of the answers with those in this file, an earlier report made with --json
  --json               prints the report as JSON
  --junit <file>       also writes the report to this file, as JUnit XML
  --strict             a check that was not tried, and a difference with --against, counts as a failure in the exit code;
                       a check that only a person can do does not
  --help               prints this text
Credentials are the service's own variables: BRP_API_KEY, REGISTER_HEADERS, DOCUMENTS_CLIENT_ID, …
Exit code 0: nothing failed; 1: something failed; 2: nothing could be checked.
`;

/** The streams to which the command prints: those of the process, or in a test an object that stores the text. */
type Printer = Readonly<Record<'stdout' | 'stderr', { write(text: string): unknown }>>;

/** The upstreams in the configuration, keyed by the command-line option that gives the URL of the upstream. */
const UPSTREAM_OF_OPTION = { brp: 'brp', register: 'register', duo: 'duo', documents: 'documenten' } as const;

const OPTIONS = {
  brp: { type: 'string' },
  register: { type: 'string' },
  duo: { type: 'string' },
  documents: { type: 'string' },
  persons: { type: 'string' },
  workspace: { type: 'string', default: 'default' },
  write: { type: 'boolean', default: false },
  within: { type: 'string', default: '1500' },
  shapes: { type: 'boolean', default: false },
  against: { type: 'string' },
  json: { type: 'boolean', default: false },
  junit: { type: 'string' },
  strict: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Runs the command and prints its report. Returns the exit code: 0 when nothing failed; 1 when an expectation failed,
 * and with `--strict` also when an expectation was not tried or a member differs from the earlier report; 2 when the
 * command could not run, for example because of wrong arguments.
 *
 * @param loadFictionalPersons - returns the burgerservicenummers of fictional persons; called only when no test persons
 *   are given and the deployment is not production-like
 */
export async function conformance(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  loadFictionalPersons: () => Promise<readonly string[]>,
  printer: Printer = process,
): Promise<number> {
  try {
    return await check(words, env, isProductionLike(env.DEPLOYMENT) ? async () => [] : loadFictionalPersons, printer);
  } catch (error) {
    printer.stderr.write(`${error instanceof Error ? error.message : 'It went wrong.'}\n`);
    return 2;
  }
}

async function check(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  loadFictionalPersons: () => Promise<readonly string[]>,
  printer: Printer,
): Promise<number> {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  if (values.help) {
    printer.stdout.write(USAGE);
    return 0;
  }
  const urls = upstreamsOf(values, env);
  if (urls.size === 0) {
    printer.stderr.write(USAGE);
    return 2;
  }
  const { write, workspace } = values;
  const maxMs = Number(values.within);
  if (!(maxMs > 0)) throw new Error('--within: must be a number of milliseconds');
  const persons = testPersons(values.persons, env.CONFORMANCE_BSNS) ?? (await loadFictionalPersons());
  if (persons.length === 0 && [...urls.keys()].some((upstream) => upstream !== 'documenten'))
    throw new Error('Name test persons: --persons <file>, or CONFORMANCE_BSNS.');
  const earlier = values.against === undefined ? null : readReport(values.against);
  const config = configOf(env, urls);
  const findings: Finding[] = [];
  for (const upstream of urls.keys())
    findings.push(...(await checkUpstream(config, upstream, checkContext(persons, { write, workspace, maxMs }))));
  printer.stdout.write(
    values.json
      ? `${JSON.stringify(findings, null, 2)}\n`
      : reportOf(findings, addressesOf(config, urls), values.shapes),
  );
  const different = earlier === null ? [] : differences(findings, earlier);
  // With --json, standard output is one JSON document.
  if (earlier !== null) printer[values.json ? 'stderr' : 'stdout'].write(comparisonOf(different, values.against ?? ''));
  if (values.junit !== undefined) writeFileSync(values.junit, junitOf(findings));
  const bad = (outcome: Finding['outcome']) => outcome === 'fails' || (values.strict && outcome === 'not tried');
  return findings.some(({ outcome }) => bad(outcome)) || (values.strict && different.length > 0) ? 1 : 0;
}

/**
 * Returns the URLs of the upstreams to check: from the options, or from environment variables when no option has one.
 * Throws when the value of an option is not a URL: that upstream would be left out.
 */
function upstreamsOf(
  values: Readonly<Partial<Record<keyof typeof UPSTREAM_OF_OPTION, string>>>,
  env: NodeJS.ProcessEnv,
): ReadonlyMap<ConfiguredUpstream, string> {
  const options = Object.entries(UPSTREAM_OF_OPTION) as [keyof typeof UPSTREAM_OF_OPTION, ConfiguredUpstream][];
  for (const [option] of options)
    if (values[option] !== undefined && !isUrl(values[option])) throw new Error(`--${option}: must be a URL`);
  const named = options.map(([option, upstream]) => [upstream, values[option]] as const);
  const configured = CONFIGURED_UPSTREAMS.map((one) => [one, env[`${VARIABLE_PREFIX[one]}_UPSTREAM`]] as const);
  const chosen = named.some(([, url]) => url !== undefined) ? named : configured;
  return new Map(chosen.flatMap(([upstream, url]) => (isUrl(url) ? [[upstream, url]] : [])));
}

/** Returns true for a text with a colon, as every URL has. The value `simulator` of a variable has none. */
const isUrl = (url: string | undefined): url is string => url?.includes(':') ?? false;

/** Returns a configuration for the upstreams in `urls` only, made from their environment variables in `all`. */
function configOf(all: NodeJS.ProcessEnv, urls: ReadonlyMap<ConfiguredUpstream, string>): Config {
  const prefixes = [...urls.keys()].map((upstream) => `${VARIABLE_PREFIX[upstream]}_`);
  const env = Object.entries(all).filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix)));
  const addresses = [...urls].map(([upstream, url]) => [`${VARIABLE_PREFIX[upstream]}_UPSTREAM`, url]);
  return readConfig({
    ...Object.fromEntries(env),
    ...Object.fromEntries(addresses),
    DEPLOYMENT: 'integration',
    ALLOW_STAND_IN: 'yes',
  });
}

/** Returns the URLs to print, keyed by upstream, without the query, because a query can contain a secret. */
const addressesOf = ({ upstreams }: Config, urls: ReadonlyMap<ConfiguredUpstream, string>) =>
  new Map(
    CONFIGURED_UPSTREAMS.filter((one) => urls.has(one)).map((one) => {
      const upstream = upstreams[one];
      return [one, upstream.kind === 'url' ? upstream.url.origin + upstream.url.pathname : ''];
    }),
  );

/** Options that switch off the circuit breaker, so that failures of one check do not make the next check fail. */
const NO_BREAKER = { breaker: { minCalls: Number.POSITIVE_INFINITY } };
const connect: typeof clientOf = (config, upstream, more) => clientOf(config, upstream, { ...more, ...NO_BREAKER });

async function checkUpstream(config: Config, upstream: ConfiguredUpstream, context: CheckContext): Promise<Finding[]> {
  if (upstream === 'documenten') return checkDocuments(config, context);
  const client = connect(config, upstream);
  const { http, shapes } = collectShapes(client);
  const expectations = {
    brp: () => brpExpectations(http, shapes, context),
    register: () => registerExpectations(http, context),
    duo: () => duoExpectations(http, context),
  }[upstream]();
  return checkAll(upstream, { expectations, cleanUp: async () => undefined }, shapes).finally(() => client.close());
}

async function checkDocuments(config: Config, context: CheckContext): Promise<Finding[]> {
  let shapes: Shapes = { begin: () => undefined, found: () => [] };
  const ours = documentsOf(config, (...client) => {
    const noted = collectShapes(connect(...client));
    shapes = noted.shapes;
    return noted.http;
  });
  const documents = config.documents && { ...config.documents, ...otherSecret(config) };
  const withWrongSecret = documentsOf({ ...config, documents }, connect);
  const expectations = documentsExpectations(ours.documents, withWrongSecret.documents, context);
  return checkAll('documenten', expectations, shapes).finally(() =>
    Promise.all([ours.client.close(), withWrongSecret.client.close()]),
  );
}

const WRONG = 'a secret that belongs to nobody at all';
const otherSecret = ({ documents }: Config) =>
  documents?.kind === 's3' ? { secretAccessKey: WRONG } : { secret: WRONG };
