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
const DETAIL = '`detail` of the 4xx';
const STDERR = 'terminal';

export const MISTAKES: readonly Mistake[] = [
  {
    mistake: 'The service is not started, or on another port',
    where: 'error of the client',
    message:
      'Start the service (npm start, or npx --no-install zorgregister-bff) and use the address that it prints as the baseUrl of createClient.',
    other: 'nobody-there',
  },
  {
    mistake: "`baseUrl: 'localhost:3000'`",
    where: 'error of the client',
    message: 'the baseUrl of createClient must begin with http://',
    other: 'no-scheme',
  },
  {
    mistake: "`baseUrl: ''` on a server, or in a test without a page",
    where: 'error of the client',
    message: 'There is no page here whose origin the client could use',
    other: 'no-page',
  },
  {
    mistake: 'The address of the frontend instead of the service',
    where: 'error of the client',
    message: 'that is another server, such as the one of your frontend.',
    other: 'frontend',
  },
  {
    mistake: 'A proxy (`server.proxy` of Vite) before a service that is not started',
    where: '`detail` of the problem that the client gives',
    message: 'Niet de dienst antwoordde, maar iets ervoor, zoals een proxy (502). Draait de dienst?',
    other: 'proxy',
  },
  {
    mistake: 'A port of `npm run simulators`',
    where: 'body of the 404',
    message: 'De dienst zelf luistert op een andere poort: PORT, meestal 3000.',
    other: 'simulator',
  },
  {
    mistake: '`https://`',
    where: 'log',
    message: 'this port speaks http, and was called with https; write http:// in the address',
    other: 'https',
  },
  {
    mistake: 'A page of another origin than localhost',
    where: 'log, with the origin',
    message: 'a call from another origin was refused; put that origin in CORS_ORIGINS to allow it',
    other: 'origin',
  },
  {
    mistake: 'Another host name',
    where: DETAIL,
    message: 'Zet de naam in ALLOWED_HOSTS.',
    call: { headers: { ...SANNE, Host: 'laptop.local' } },
  },
  {
    mistake: 'No token',
    where: DETAIL,
    message: 'Stuur `Authorization: Bearer <token>`.',
    call: { headers: { 'X-Subject': 'sanne-de-wit' } },
  },
  {
    mistake: 'No persona',
    where: DETAIL,
    message: 'Stuur X-Subject met een persona, bijvoorbeeld `X-Subject: sanne-de-wit`',
    call: { headers: BEARER },
  },
  {
    mistake: '`X-Subject: sanne-de-witt`',
    where: DETAIL,
    message: 'Het dichtst bij: sanne-de-wit,',
    call: { headers: { ...BEARER, 'X-Subject': 'sanne-de-witt' } },
  },
  {
    mistake: '`X-Subject: Sanne-de-Wit`',
    where: DETAIL,
    message: 'Met kleine letters en streepjes: sanne-de-wit.',
    call: { headers: { ...BEARER, 'X-Subject': 'Sanne-de-Wit' } },
  },
  {
    mistake: '`X-Subject: sanne-de-wit@Demo`',
    where: DETAIL,
    message:
      'De naam van een wereld bestaat uit ten hoogste 32 kleine letters, cijfers en streepjes: sanne-de-wit@demo.',
    call: { headers: { ...BEARER, 'X-Subject': 'sanne-de-wit@Demo' } },
  },
  {
    mistake: '`X-Subject: behandelaar-bas`',
    where: DETAIL,
    message: 'Voor een medewerker: X-Medewerker: behandelaar-bas, met X-Rollen: behandelaar.',
    call: { headers: { ...BEARER, 'X-Subject': 'behandelaar-bas' } },
  },
  {
    mistake: '`X-Role: Approver`',
    where: DETAIL,
    message: 'Met kleine letters: X-Role: approver.',
    call: { headers: { ...BEARER, 'X-Subject': 'approver-anna', 'X-Role': 'Approver' } },
  },
  {
    mistake: '`X-Roles: approver`',
    where: DETAIL,
    message: 'X-Roles bestaat niet. Stuur X-Role bij X-Subject, of X-Rollen bij X-Medewerker.',
    call: { headers: { ...BEARER, 'X-Subject': 'approver-anna', 'X-Roles': 'approver' } },
  },
  {
    mistake: '`X-Role: teamlead`',
    where: DETAIL,
    message: 'teamlead is een rol van een medewerker. Stuur X-Medewerker met X-Rollen: teamlead.',
    call: { headers: { ...BEARER, 'X-Subject': 'approver-anna', 'X-Role': 'teamlead' } },
  },
  {
    mistake: '`X-Subject: approver-anna` without `X-Role: approver`',
    where: DETAIL,
    message: 'Een brief beoordelen is voor een approver of admin, of voor een teamlead. U bent ingelogd als drafter.',
    call: {
      path: '/api/v1/brief/approve',
      method: 'POST',
      headers: { ...BEARER, 'X-Subject': 'approver-anna' },
    },
  },
  {
    mistake: '`/dashboard-view` without `/api/v1`',
    where: DETAIL,
    message: 'Bedoelde u /api/v1/dashboard-view?',
    call: { path: '/dashboard-view', headers: SANNE },
  },
  {
    mistake: '`/api/v1` twice, or a proxy that leaves its own path in (`/portal/api/v1/…`)',
    where: DETAIL,
    message: 'Bedoelde u /api/v1/dashboard-view?',
    call: { path: '/api/v1/api/v1/dashboard-view', headers: SANNE },
  },
  {
    mistake: '`/api/v1/health`',
    where: DETAIL,
    message: 'Bedoelde u /health?',
    call: { path: '/api/v1/health' },
  },
  {
    mistake: 'A slash at the end',
    where: DETAIL,
    message: 'Laat de schuine streep aan het einde weg.',
    call: { path: '/api/v1/dashboard-view/', headers: SANNE },
  },
  {
    mistake: 'POST where there is only GET',
    where: DETAIL,
    message: 'Hier kan alleen GET, HEAD, OPTIONS.',
    call: { method: 'POST', headers: SANNE },
  },
  {
    mistake: 'POST without `Content-Type`',
    where: DETAIL,
    message: 'Stuur de inhoud als `Content-Type: application/json`.',
    call: {
      path: '/api/v1/herregistraties',
      method: 'POST',
      headers: { ...SANNE, 'Content-Type': '' },
      body: '{"uren": 2600}',
    },
  },
  {
    mistake: 'JSON with single quotes',
    where: DETAIL,
    message: 'De inhoud is geen geldige JSON (teken 2).',
    call: {
      path: '/api/v1/herregistraties',
      method: 'POST',
      headers: { ...SANNE, 'Content-Type': 'application/json' },
      body: "{'uren': 2600}",
    },
  },
  {
    mistake: 'A Node that is too old',
    where: STDERR,
    message: 'Use "npm start": it runs the Node 24 that "npm ci" put in node_modules.',
    start: { node: '20.20.2' },
  },
  {
    mistake: 'A Node that is too old, after `npm ci --ignore-scripts`',
    where: STDERR,
    message: 'Run "npm ci --ignore-scripts=false --include=dev", or use Node 24.',
    start: { node: '20.20.2', env: { npm_lifecycle_event: 'start' } },
  },
  {
    mistake: 'A port that is in use',
    where: STDERR,
    message: 'Stop what uses it, or choose another: PORT=',
    other: 'port-taken',
  },
  {
    mistake: 'A data folder that cannot be written',
    where: STDERR,
    message: 'Choose a folder that can be written, or keep nothing: DATA_DIR=:memory: npm start',
    other: 'no-folder',
  },
  {
    mistake: '`BRP_URL=…`',
    where: STDERR,
    message: 'BRP_URL: no such variable; did you mean BRP_UPSTREAM?',
    start: { env: { BRP_URL: 'http://127.0.0.1:5010' } },
  },
  {
    mistake: '`PORT=80a`',
    where: STDERR,
    message: 'PORT: must be a whole number from 0 to 65535',
    start: { env: { PORT: '80a' } },
  },
  {
    mistake: '`CORS_ORIGINS=localhost:5173`',
    where: STDERR,
    message:
      'CORS_ORIGINS: must be origins as a browser sends them, such as http://localhost:5173: no path, no slash at the end, no *',
    start: { env: { CORS_ORIGINS: 'localhost:5173' } },
  },
  {
    mistake: '`npm start -- --port 3115`',
    where: STDERR,
    message: '--port: there are no options, only variables: PORT=3115 npm start',
    start: { args: ['--port', '3115'] },
  },
  {
    mistake: '`HOST=0.0.0.0`',
    where: STDERR,
    message: 'set ALLOW_STAND_IN=yes to allow this',
    start: { env: { HOST: '0.0.0.0' } },
  },
  {
    mistake: '`node start.js symulators`',
    where: STDERR,
    message: 'symulators: no such command; there are migrate',
    start: { args: ['symulators'] },
  },
  {
    mistake: '`npm run reset -- --world demo`, which would empty every world',
    where: STDERR,
    message: 'reset: this command has no arguments; leave out --world demo',
    start: { args: ['reset', '--world', 'demo'] },
  },
  {
    mistake: '`npm run sim` without a service that runs',
    where: STDERR,
    message: 'Start it with `npm start`, or name another with --url http://127.0.0.1:<port>.',
    start: { args: ['sim', 'reset'], env: { PORT: '1' } },
  },
  {
    mistake: '`npm run sim -- rset`',
    where: STDERR,
    message: "unknown command 'rset' (Did you mean reset?)",
    start: { args: ['sim', 'rset'] },
  },
];
