/**
 * Common mistakes of a new developer, and the message that each one gets. The table in reference/first-mistakes.md is
 * generated from this list, and a test makes each mistake.
 */

interface Call {
  readonly call: {
    readonly path?: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}
/** A start of `start.js` with these variables and arguments. The message is in its output. */
interface Start {
  readonly start: {
    readonly env?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    readonly node?: string;
  };
}
/** A mistake of another kind. test/startup/first-hour.test.ts has a function for each. */
interface Other {
  readonly other:
    | 'nobody-there'
    | 'no-scheme'
    | 'no-page'
    | 'frontend'
    | 'proxy'
    | 'https'
    | 'origin'
    | 'port-taken'
    | 'simulator'
    | 'no-folder';
}

export type Mistake = (Call | Start | Other) & {
  readonly mistake: string;
  /** The place where the developer sees the message. */
  readonly where: string;
  /** A part of the message, as reference/first-mistakes.md shows it. */
  readonly message: string;
};

const BEARER = { Authorization: 'Bearer dev' };
const SANNE = { ...BEARER, 'X-Subject': 'sanne-de-wit' };
const JSON_BODY = { ...SANNE, 'Content-Type': 'application/json' };
const DETAIL = '`detail` of the 4xx';
const STDERR = 'terminal';
const CLIENT = 'error of the client';

const call = (mistake: string, message: string, call: Call['call']) => ({ mistake, where: DETAIL, message, call });
const start = (mistake: string, message: string, start: Start['start']) => ({ mistake, where: STDERR, message, start });
/** A call as this person, with these headers too. */
const as = (subject: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { ...BEARER, 'X-Subject': subject, ...more },
});
const get = (path: string) => ({ path, headers: SANNE });
const renewal = (headers: Readonly<Record<string, string>>, body: string) => ({
  path: '/api/v1/herregistraties',
  method: 'POST',
  headers,
  body,
});
const other = (mistake: string, where: string, message: string, other: Other['other']): Mistake => ({
  mistake,
  where,
  message,
  other,
});

export const MISTAKES: readonly Mistake[] = [
  other(
    'The service is not started, or on another port',
    CLIENT,
    'Start the service (npm start, or npx --no-install zorgregister-bff) and use the address that it prints as the baseUrl of createClient.',
    'nobody-there',
  ),
  other("`baseUrl: 'localhost:3000'`", CLIENT, 'the baseUrl of createClient must begin with http://', 'no-scheme'),
  other(
    "`baseUrl: ''` on a server, or in a test without a page",
    CLIENT,
    'There is no page here whose origin the client could use',
    'no-page',
  ),
  other(
    'The address of the frontend instead of the service',
    CLIENT,
    'that is another server, such as the one of your frontend.',
    'frontend',
  ),
  other(
    'A proxy (`server.proxy` of Vite) before a service that is not started',
    '`detail` of the problem that the client gives',
    'Niet de dienst antwoordde, maar iets ervoor, zoals een proxy (502). Draait de dienst?',
    'proxy',
  ),
  other(
    'A port of `npm run simulators`',
    'body of the 404',
    'De dienst zelf luistert op een andere poort: PORT, meestal 3000.',
    'simulator',
  ),
  other('`https://`', 'log', 'this port speaks http, and was called with https; write http:// in the address', 'https'),
  other(
    'A page of another origin than localhost',
    'log, with the origin',
    'a call from another origin was refused; put that origin in CORS_ORIGINS to allow it',
    'origin',
  ),
  call('Another host name', 'Zet de naam in ALLOWED_HOSTS.', { headers: { ...SANNE, Host: 'laptop.local' } }),
  call('No token', 'Stuur `Authorization: Bearer <token>`.', { headers: { 'X-Subject': 'sanne-de-wit' } }),
  call('No persona', 'Stuur X-Subject met een persona, bijvoorbeeld `X-Subject: sanne-de-wit`', { headers: BEARER }),
  call('`X-Subject: sanne-de-witt`', 'Het dichtst bij: sanne-de-wit,', as('sanne-de-witt')),
  call('`X-Subject: Sanne-de-Wit`', 'Met kleine letters en streepjes: sanne-de-wit.', as('Sanne-de-Wit')),
  call(
    '`X-Subject: sanne-de-wit@Demo`',
    'De naam van een wereld bestaat uit ten hoogste 32 kleine letters, cijfers en streepjes: sanne-de-wit@demo.',
    as('sanne-de-wit@Demo'),
  ),
  call(
    '`X-Subject: behandelaar-bas`',
    'Voor een medewerker: X-Medewerker: behandelaar-bas, met X-Rollen: behandelaar.',
    as('behandelaar-bas'),
  ),
  call('`X-Role: Approver`', 'Met kleine letters: X-Role: approver.', as('approver-anna', { 'X-Role': 'Approver' })),
  call(
    '`X-Roles: approver`',
    'X-Roles bestaat niet. Stuur X-Role bij X-Subject, of X-Rollen bij X-Medewerker.',
    as('approver-anna', { 'X-Roles': 'approver' }),
  ),
  call(
    '`X-Role: teamlead`',
    'teamlead is een rol van een medewerker. Stuur X-Medewerker met X-Rollen: teamlead.',
    as('approver-anna', { 'X-Role': 'teamlead' }),
  ),
  call(
    '`X-Subject: approver-anna` without `X-Role: approver`',
    'Een brief beoordelen is voor een beoordelaar, beheerder of teamlead. U bent ingelogd als opsteller.',
    { path: '/api/v1/brief/approve', method: 'POST', ...as('approver-anna') },
  ),
  call('`/dashboard-view` without `/api/v1`', 'Bedoelde u /api/v1/dashboard-view?', get('/dashboard-view')),
  call(
    '`/api/v1` twice, or a proxy that leaves its own path in (`/portal/api/v1/…`)',
    'Bedoelde u /api/v1/dashboard-view?',
    get('/api/v1/api/v1/dashboard-view'),
  ),
  call('`/api/v1/health`', 'Bedoelde u /health?', { path: '/api/v1/health' }),
  call('A slash at the end', 'Laat de schuine streep aan het einde weg.', get('/api/v1/dashboard-view/')),
  call('POST where there is only GET', 'Hier kan alleen GET, HEAD, OPTIONS.', { method: 'POST', headers: SANNE }),
  call(
    'POST without `Content-Type`',
    'Stuur de inhoud als `Content-Type: application/json`.',
    renewal({ ...SANNE, 'Content-Type': '' }, '{"uren": 2600}'),
  ),
  call('JSON with single quotes', 'De inhoud is geen geldige JSON (teken 2).', renewal(JSON_BODY, "{'uren': 2600}")),
  start('A Node that is too old', 'Use "npm start": it runs the Node 24 that "npm ci" put in node_modules.', {
    node: '20.20.2',
  }),
  start(
    'A Node that is too old, after `npm ci --ignore-scripts`',
    'Run "npm ci --ignore-scripts=false --include=dev", or use Node 24.',
    { node: '20.20.2', env: { npm_lifecycle_event: 'start' } },
  ),
  other('A port that is in use', STDERR, 'Stop what uses it, or choose another: PORT=', 'port-taken'),
  other(
    'A data folder that cannot be written',
    STDERR,
    'Choose a folder that can be written, or keep nothing: DATA_DIR=:memory: npm start',
    'no-folder',
  ),
  start('`BRP_URL=…`', 'BRP_URL: no such variable; did you mean BRP_UPSTREAM?', {
    env: { BRP_URL: 'http://127.0.0.1:5010' },
  }),
  start('`PORT=80a`', 'PORT: must be a whole number from 0 to 65535', { env: { PORT: '80a' } }),
  start(
    '`CORS_ORIGINS=localhost:5173`',
    'CORS_ORIGINS: must be origins as a browser sends them, such as http://localhost:5173: no path, no slash at the end, no *',
    { env: { CORS_ORIGINS: 'localhost:5173' } },
  ),
  start('`npm start -- --port 3115`', '--port: there are no options, only variables: PORT=3115 npm start', {
    args: ['--port', '3115'],
  }),
  start('`HOST=0.0.0.0`', 'set ALLOW_STAND_IN=yes to allow this', { env: { HOST: '0.0.0.0' } }),
  start('`node start.js symulators`', 'symulators: no such command; there are migrate', { args: ['symulators'] }),
  start(
    '`npm run reset -- --world demo`, which would empty every world',
    'reset: this command has no arguments; leave out --world demo',
    { args: ['reset', '--world', 'demo'] },
  ),
  start(
    '`npm run sim` without a service that runs',
    'Start it with `npm start`, or name another with --url http://127.0.0.1:<port>.',
    { args: ['sim', 'reset'], env: { PORT: '1' } },
  ),
  start('`npm run sim -- rset`', "unknown command 'rset' (Did you mean reset?)", { args: ['sim', 'rset'] }),
];
