/** What goes wrong in somebody's first hour, and the line that they then read. The table in reference/first-mistakes.md is generated from it, and a test makes each mistake. */

/** A call to a service that runs, and what its answer says. */
interface Call {
  readonly call: {
    readonly path?: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}
/** A start of `start.js` in an environment, and what it prints. */
interface Start {
  readonly start: {
    readonly env?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    readonly node?: string;
  };
}
/** Something else, which the test knows how to do. */
interface Other {
  readonly other:
    | 'nobody-there'
    | 'no-scheme'
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
  /** Where the line is read. */
  readonly where: string;
  /** What it must hold, as reference/first-mistakes.md shows it. */
  readonly line: string;
};

const BEARER = { Authorization: 'Bearer dev' };
const SANNE = { ...BEARER, 'X-Subject': 'sanne-de-wit' };
const DETAIL = '`detail` of the 4xx';
const STDERR = 'terminal';

export const MISTAKES: readonly Mistake[] = [
  {
    mistake: 'The service is not started, or on another port',
    where: 'error of the client',
    line: 'Start the service (npm start, or npx zorgregister-bff) and use the address that it prints as the baseUrl of createClient.',
    other: 'nobody-there',
  },
  {
    mistake: "`baseUrl: 'localhost:3000'`",
    where: 'error of the client',
    line: 'the baseUrl of createClient must begin with http://',
    other: 'no-scheme',
  },
  {
    mistake: 'The address of the frontend instead of the service',
    where: 'error of the client',
    line: 'that is another server, such as the one of your frontend.',
    other: 'frontend',
  },
  {
    mistake: 'A proxy (`server.proxy` of Vite) before a service that is not started',
    where: '`detail` of the problem that the client gives',
    line: 'Niet de dienst antwoordde, maar iets ervoor, zoals een proxy (502). Draait de dienst?',
    other: 'proxy',
  },
  {
    mistake: 'A port of `npm run simulators`',
    where: 'body of the 404',
    line: 'De dienst zelf luistert op een andere poort: PORT, meestal 3000.',
    other: 'simulator',
  },
  {
    mistake: '`https://`',
    where: 'log',
    line: 'this port speaks http, and was called with https; write http:// in the address',
    other: 'https',
  },
  {
    mistake: 'A page of another origin than localhost',
    where: 'log; the console of the browser names the origin',
    line: 'a call from another origin was refused; put that origin in CORS_ORIGINS to allow it',
    other: 'origin',
  },
  {
    mistake: 'Another host name',
    where: DETAIL,
    line: 'Zet de naam in ALLOWED_HOSTS.',
    call: { headers: { ...SANNE, Host: 'laptop.local' } },
  },
  {
    mistake: 'No token',
    where: DETAIL,
    line: 'Stuur `Authorization: Bearer <token>`.',
    call: { headers: { 'X-Subject': 'sanne-de-wit' } },
  },
  {
    mistake: 'No persona',
    where: DETAIL,
    line: 'Stuur X-Subject met een persona, bijvoorbeeld `X-Subject: sanne-de-wit`',
    call: { headers: BEARER },
  },
  {
    mistake: '`X-Subject: sanne-de-witt`',
    where: DETAIL,
    line: 'Het dichtst bij: sanne-de-wit,',
    call: { headers: { ...BEARER, 'X-Subject': 'sanne-de-witt' } },
  },
  {
    mistake: '`X-Subject: Sanne-de-Wit`',
    where: DETAIL,
    line: 'Met kleine letters en streepjes: sanne-de-wit.',
    call: { headers: { ...BEARER, 'X-Subject': 'Sanne-de-Wit' } },
  },
  {
    mistake: '`X-Subject: sanne-de-wit@Demo`',
    where: DETAIL,
    line: 'De naam van een wereld bestaat uit ten hoogste 32 kleine letters, cijfers en streepjes: sanne-de-wit@demo.',
    call: { headers: { ...BEARER, 'X-Subject': 'sanne-de-wit@Demo' } },
  },
  {
    mistake: '`X-Subject: behandelaar-bas`',
    where: DETAIL,
    line: 'Voor een medewerker: X-Medewerker: behandelaar-bas, met X-Rollen: behandelaar.',
    call: { headers: { ...BEARER, 'X-Subject': 'behandelaar-bas' } },
  },
  {
    mistake: '`X-Role: Approver`',
    where: DETAIL,
    line: 'Met kleine letters: X-Role: approver.',
    call: { headers: { ...BEARER, 'X-Subject': 'approver-anna', 'X-Role': 'Approver' } },
  },
  {
    mistake: '`X-Role: teamlead`',
    where: DETAIL,
    line: 'teamlead is een rol van een medewerker. Stuur X-Medewerker met X-Rollen: teamlead.',
    call: { headers: { ...BEARER, 'X-Subject': 'approver-anna', 'X-Role': 'teamlead' } },
  },
  {
    mistake: '`/dashboard-view` without `/api/v1`',
    where: DETAIL,
    line: 'Bedoelde u /api/v1/dashboard-view?',
    call: { path: '/dashboard-view', headers: SANNE },
  },
  {
    mistake: '`/api/v1/health`',
    where: DETAIL,
    line: 'Bedoelde u /health?',
    call: { path: '/api/v1/health' },
  },
  {
    mistake: 'A slash at the end',
    where: DETAIL,
    line: 'Laat de schuine streep aan het einde weg.',
    call: { path: '/api/v1/dashboard-view/', headers: SANNE },
  },
  {
    mistake: 'POST where there is only GET',
    where: DETAIL,
    line: 'Hier kan alleen GET, HEAD, OPTIONS.',
    call: { method: 'POST', headers: SANNE },
  },
  {
    mistake: 'POST without `Content-Type`',
    where: DETAIL,
    line: 'Stuur de inhoud als `Content-Type: application/json`.',
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
    line: 'De inhoud is geen geldige JSON (teken 2).',
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
    line: 'Use "npm start": it runs the Node 24 that "npm ci" put in node_modules.',
    start: { node: '20.20.2' },
  },
  {
    mistake: 'A port that is in use',
    where: STDERR,
    line: 'Stop what uses it, or choose another: PORT=',
    other: 'port-taken',
  },
  {
    mistake: 'A data folder that cannot be written',
    where: STDERR,
    line: 'Choose a folder that can be written, or keep nothing: DATA_DIR=:memory: npm start',
    other: 'no-folder',
  },
  {
    mistake: '`BRP_URL=…`',
    where: STDERR,
    line: 'BRP_URL: no such variable; did you mean BRP_UPSTREAM?',
    start: { env: { BRP_URL: 'http://127.0.0.1:5010' } },
  },
  {
    mistake: '`PORT=80a`',
    where: STDERR,
    line: 'PORT: must be a whole number from 0 to 65535',
    start: { env: { PORT: '80a' } },
  },
  {
    mistake: '`CORS_ORIGINS=localhost:5173`',
    where: STDERR,
    line: 'CORS_ORIGINS: must be origins as a browser sends them, such as http://localhost:5173: no path, no slash at the end, no *',
    start: { env: { CORS_ORIGINS: 'localhost:5173' } },
  },
  {
    mistake: '`npm start -- --port 3115`',
    where: STDERR,
    line: '--port: there are no options, only variables: PORT=3115 npm start',
    start: { args: ['--port', '3115'] },
  },
  {
    mistake: '`HOST=0.0.0.0`',
    where: STDERR,
    line: 'set ALLOW_STAND_IN=yes to allow this',
    start: { env: { HOST: '0.0.0.0' } },
  },
  {
    mistake: '`node start.js symulators`',
    where: STDERR,
    line: 'symulators: no such command; there are migrate',
    start: { args: ['symulators'] },
  },
  {
    mistake: '`npm run sim` without a service that runs',
    where: STDERR,
    line: 'Start it with `npm start`, or name another with --url http://127.0.0.1:<port>.',
    start: { args: ['sim', 'reset'], env: { PORT: '1' } },
  },
  {
    mistake: '`npm run sim -- rset`',
    where: STDERR,
    line: "unknown command 'rset' (Did you mean reset?)",
    start: { args: ['sim', 'rset'] },
  },
];
