/**
 * `npm run conformance`: checks that real upstreams behave as the service expects. It prints types and durations, but
 * never values, because values can be personal data.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../src/config/index.ts';
import { CONFIGURED_UPSTREAMS, type ConfiguredUpstream, VARIABLE_PREFIX } from '../src/config/upstreams.ts';
import { clientOf, documentsOf } from '../src/startup/wiring.ts';
import { brpExpectations } from './conformance/brp.ts';
import { checkAll, type Finding } from './conformance/check.ts';
import { documentsExpectations } from './conformance/documents.ts';
import { duoExpectations } from './conformance/duo.ts';
import { junitOf } from './conformance/junit.ts';
import { registerExpectations } from './conformance/register.ts';
import { reportOf } from './conformance/report.ts';
import { noting, type Shapes } from './conformance/shape.ts';
import { type CheckContext, testing, testPersons } from './conformance/testing.ts';

const USAGE = `npm run conformance -- --brp <url> --register <url> --duo <url> --documents <url>   one or more of them
  --persons <file>     burgerservicenummers of test persons, one a line; else CONFORMANCE_BSNS; else those of the simulators
  --write              also what leaves something behind: a request, a document that is removed again
  --workspace <name>   where the register has a letter to write (default)
  --shapes             what came, member by member, also where it is as agreed
  --json               for a machine
  --junit <file>       also as JUnit XML, in this file
  --strict             what was not tried counts as a failure in the exit code
  --help               this text
Credentials are the service's own variables: BRP_API_KEY, REGISTER_HEADERS, DOCUMENTS_CLIENT_ID, …
`;

/** The name of each upstream in the configuration, keyed by command-line option. */
const OPTION = { brp: 'brp', register: 'register', duo: 'duo', documents: 'documenten' } as const;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      brp: { type: 'string' },
      register: { type: 'string' },
      duo: { type: 'string' },
      documents: { type: 'string' },
      persons: { type: 'string' },
      workspace: { type: 'string', default: 'default' },
      write: { type: 'boolean', default: false },
      shapes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      junit: { type: 'string' },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const asked = new Map<ConfiguredUpstream, string>();
  for (const [option, source] of Object.entries(OPTION)) {
    const url = values[option as keyof typeof OPTION];
    if (url !== undefined) asked.set(source, url);
  }
  if (asked.size === 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { write, workspace } = values;
  const persons = testPersons(values.persons, process.env.CONFORMANCE_BSNS);
  const config = configOf(asked);
  const findings: Finding[] = [];
  for (const source of asked.keys())
    findings.push(...(await look(config, source, testing(persons, { write, workspace }))));
  process.stdout.write(
    values.json
      ? `${JSON.stringify(findings, null, 2)}\n`
      : reportOf(findings, addressesOf(config, asked), values.shapes),
  );
  if (values.junit !== undefined) writeFileSync(values.junit, junitOf(findings));
  const bad = (outcome: Finding['outcome']) => outcome === 'fails' || (values.strict && outcome === 'not tried');
  return findings.some(({ outcome }) => bad(outcome)) ? 1 : 0;
}

/** Returns the configuration of only these upstreams, from the environment variables of the service. */
function configOf(asked: ReadonlyMap<ConfiguredUpstream, string>): Config {
  const prefixes = [...asked.keys()].map((source) => `${VARIABLE_PREFIX[source]}_`);
  const env = Object.entries(process.env).filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix)));
  const urls = [...asked].map(([source, url]) => [`${VARIABLE_PREFIX[source]}_UPSTREAM`, url]);
  return readConfig({
    ...Object.fromEntries(env),
    ...Object.fromEntries(urls),
    DEPLOYMENT: 'integration',
    ALLOW_STAND_IN: 'yes',
  });
}

/** Returns the URL of each upstream without its query, because a query can contain a secret. Used in the report. */
const addressesOf = ({ upstreams }: Config, asked: ReadonlyMap<ConfiguredUpstream, string>) =>
  new Map(
    CONFIGURED_UPSTREAMS.filter((source) => asked.has(source)).map((source) => {
      const upstream = upstreams[source];
      return [source, upstream.kind === 'url' ? upstream.url.origin + upstream.url.pathname : ''];
    }),
  );

/** Options that switch off the circuit breaker, so that failures of one check do not make the next check fail. */
const NO_BREAKER = { breaker: { minCalls: Number.POSITIVE_INFINITY } };
const connect: typeof clientOf = (config, source, more) => clientOf(config, source, { ...more, ...NO_BREAKER });

async function look(config: Config, source: ConfiguredUpstream, how: CheckContext): Promise<Finding[]> {
  if (source === 'documenten') return lookAtDocuments(config, how);
  const client = clientOf(config, source, NO_BREAKER);
  const { http, shapes } = noting(client);
  const promises = {
    brp: () => brpExpectations(http, shapes, how),
    register: () => registerExpectations(http, how),
    duo: () => duoExpectations(http, how),
  }[source]();
  return checkAll(source, { promises, cleanUp: async () => undefined }, shapes).finally(() => client.close());
}

async function lookAtDocuments(config: Config, how: CheckContext): Promise<Finding[]> {
  let shapes: Shapes = { begin: () => undefined, found: () => [] };
  const ours = documentsOf(config, (...client) => {
    const noted = noting(connect(...client));
    shapes = noted.shapes;
    return noted.http;
  });
  const documents = config.documents && { ...config.documents, ...otherSecret(config) };
  const theirs = documentsOf({ ...config, documents }, connect);
  const promises = documentsExpectations(ours.documents, theirs.documents, how);
  return checkAll('documenten', promises, shapes).finally(() =>
    Promise.all([ours.client.close(), theirs.client.close()]),
  );
}

const WRONG = 'a secret that belongs to nobody at all';
const otherSecret = ({ documents }: Config) =>
  documents?.kind === 's3' ? { secretAccessKey: WRONG } : { secret: WRONG };

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : 'It went wrong.'}\n`);
    process.exitCode = 2;
  },
);
