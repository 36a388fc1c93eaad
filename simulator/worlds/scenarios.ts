import { type SimulatedFault, UPSTREAMS } from './faults.ts';

/** A set of faults that a user switches on and off together, with a description. */
export interface Scenario {
  /** Dutch text that says what a user sees while this scenario is on. */
  readonly toont: string;
  readonly faults: readonly SimulatedFault[];
}

/** Long enough to see a loading indicator, and normally too short for a timeout. */
const SLOW_LATENCY = { median: 900, sigma: 0.15 };

export const SCENARIOS = {
  'register-down': {
    toont: 'Het register neemt geen verbinding aan: overal 503, niets raakt kwijt.',
    faults: [{ upstream: 'register', kind: 'refused' }],
  },
  'register-slow': {
    toont: 'Het register antwoordt na ongeveer een seconde: laadindicatoren worden zichtbaar.',
    faults: [{ upstream: 'register', kind: 'latency', ms: SLOW_LATENCY }],
  },
  'register-garbage': {
    toont: 'Het register antwoordt met onleesbare tekst: 502.',
    faults: [{ upstream: 'register', kind: 'garbage' }],
  },
  'register-changed': {
    toont: 'Het register antwoordt in een andere vorm dan afgesproken: 502.',
    faults: [{ upstream: 'register', kind: 'wrong-schema' }],
  },
  'brp-down': {
    toont: 'De BRP neemt geen verbinding aan: het dashboard blijft werken, zonder adres.',
    faults: [{ upstream: 'brp', kind: 'refused' }],
  },
  'brp-slow': {
    toont: 'De BRP antwoordt na ongeveer een seconde.',
    faults: [{ upstream: 'brp', kind: 'latency', ms: SLOW_LATENCY }],
  },
  'flaky-brp': {
    toont: 'De BRP weigert drie van de tien vragen, en antwoordt soms laat. Steeds dezelfde vragen, elke keer weer.',
    faults: [
      { upstream: 'brp', kind: 'status', status: 503, retryAfter: 2, probability: 0.3, seed: 7 },
      { upstream: 'brp', kind: 'latency', ms: { min: 200, max: 900 }, probability: 0.5, seed: 11 },
    ],
  },
  'duo-down': {
    toont: 'DUO neemt geen verbinding aan: 503, en nooit een lege lijst diploma’s.',
    faults: [{ upstream: 'duo', kind: 'refused' }],
  },
  'duo-slow': {
    toont: 'DUO antwoordt na ongeveer een seconde.',
    faults: [{ upstream: 'duo', kind: 'latency', ms: SLOW_LATENCY }],
  },
  'no-diplomas': {
    toont: 'DUO kent van niemand een diploma: de weg met de hand.',
    faults: [{ upstream: 'duo', kind: 'empty' }],
  },
  'documents-down': {
    toont: 'De documentopslag neemt geen verbinding aan: uploaden en downloaden is 503.',
    faults: [{ upstream: 'documenten', kind: 'refused' }],
  },
  'documents-slow': {
    toont: 'De documentopslag doet overal een seconde over.',
    faults: [{ upstream: 'documenten', kind: 'latency', ms: SLOW_LATENCY }],
  },
  'scanner-down': {
    toont: 'De virusscanner is weg: uploads worden geweigerd, niets wordt ongezien bewaard.',
    faults: [{ upstream: 'scanner', kind: 'refused' }],
  },
  'answers-lost': {
    toont: 'Het register ontvangt wat wordt ingediend, maar zijn antwoord raakt zoek: 504, en nooit twee aanvragen.',
    faults: [
      { upstream: 'register', operation: 'zaken-indienen', kind: 'lost' },
      { upstream: 'register', operation: 'brieven-verzenden', kind: 'lost' },
    ],
  },
  'rate-limited': {
    toont: 'Het register weigert met 429 omdat het te veel verzoeken krijgt. De dienst antwoordt 503 met Retry-After.',
    faults: [{ upstream: 'register', kind: 'status', status: 429, retryAfter: 3 }],
  },
  'all-slow': {
    toont: 'Alle bronnen zijn traag.',
    faults: UPSTREAMS.map((upstream) => ({ upstream, kind: 'latency', ms: { median: 600, sigma: 0.3 } })),
  },
  'session-expired': {
    toont: 'De sessie is verlopen: elke aanroep is 401 niet-ingelogd, tot u het scenario uitzet.',
    faults: [{ upstream: 'dienst', kind: 'problem', code: 'niet-ingelogd' }],
  },
  'step-up-refused': {
    toont: 'Wie met X-Step-Up om het hele registernummer vraagt, moet opnieuw inloggen: 401 step-up-nodig.',
    faults: [{ upstream: 'dienst', kind: 'problem', code: 'step-up-nodig' }],
  },
  'rate-limited-caller': {
    toont: 'De aanroeper doet te veel verzoeken: overal 429 te-veel-verzoeken, met Retry-After 30.',
    faults: [{ upstream: 'dienst', kind: 'problem', code: 'te-veel-verzoeken', retryAfter: 30 }],
  },
  'slow-service': {
    toont: 'De dienst zelf antwoordt na ongeveer twee seconden.',
    faults: [{ upstream: 'dienst', kind: 'latency', ms: { median: 2_000, sigma: 0.1 } }],
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as ScenarioName[];

export const isScenario = (name: string): name is ScenarioName => Object.hasOwn(SCENARIOS, name);
