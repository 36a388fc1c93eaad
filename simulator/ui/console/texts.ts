import type { ApplicationType } from '../../../src/wire/values.ts';
import type { FaultKind, FaultTarget, ServiceFaultKind } from '../../worlds/faults.ts';
import type { ScenarioName } from '../../worlds/scenarios.ts';
import type { InboxLetter } from './types.d.ts';

// Dutch names of values, for more than one part of the page.

export const CLOCK_MODES = { real: 'echte tijd', running: 'loopt', frozen: 'staat stil' };
export const PERSON_KINDS = { professional: 'Zorgverlener', letter: 'Werkt aan brieven', staff: 'Medewerker' };
export const UPLOAD_STATES = { uploaded: 'geüpload', pending: 'wordt gecontroleerd', rejected: 'geweigerd' };
export const CASE_KINDS: Record<ApplicationType, string> = {
  registratie: 'Registratie',
  herregistratie: 'Herregistratie',
  intake: 'Intake',
  adreswijziging: 'Adreswijziging',
};

export const LETTER_KINDS: Record<InboxLetter['kind'], string> = {
  ontvangstbevestiging: 'Ontvangstbevestiging',
  'bericht-vertraging': 'Bericht van vertraging',
  brief: 'Brief van een medewerker',
  besluit: 'Besluit',
  oproep: 'Oproep',
  herinnering: 'Herinnering',
  'voornemen-doorhaling': 'Voornemen tot doorhaling',
  'besluit-doorhaling': 'Besluit tot doorhaling',
  'bericht-vervallen': 'Bericht dat een registratie vervalt',
};

export const FAULT_TARGETS: Record<FaultTarget, string> = {
  register: 'Register',
  brp: 'BRP',
  duo: 'DUO',
  documenten: 'Documentopslag',
  scanner: 'Virusscanner',
  dienst: 'De dienst zelf',
};

export const FAULT_KINDS: Record<FaultKind, string> = {
  refused: 'geen verbinding',
  reset: 'verbinding verbroken',
  lost: 'doet het, maar het antwoord raakt zoek',
  cut: 'antwoord halverwege afgekapt',
  drip: 'antwoord druppelt',
  hang: 'zegt niets',
  latency: 'antwoordt laat',
  status: 'antwoordt met een foutstatus',
  garbage: 'antwoordt met onzin',
  'wrong-schema': 'antwoordt in een andere vorm',
  empty: 'weet van niets',
  problem: 'antwoordt met een probleem',
};

const { problem, status, latency, reset, lost } = FAULT_KINDS;
const cut = 'verbinding verbroken halverwege het uploaden';
export const SERVICE_FAULT_KINDS: Record<ServiceFaultKind, string> = { problem, status, latency, reset, cut, lost };

export const SCENARIOS: Record<ScenarioName, string> = {
  'register-down': 'Register valt uit',
  'register-slow': 'Register is traag',
  'register-garbage': 'Register antwoordt met onzin',
  'register-changed': 'Register antwoordt anders',
  'brp-down': 'BRP valt uit',
  'brp-slow': 'BRP is traag',
  'flaky-brp': 'BRP hapert',
  'duo-down': 'DUO valt uit',
  'duo-slow': 'DUO is traag',
  'no-diplomas': 'DUO kent geen diploma’s',
  'documents-down': 'Documentopslag valt uit',
  'documents-slow': 'Documentopslag is traag',
  'scanner-down': 'Virusscanner valt uit',
  'answers-lost': 'Antwoorden raken zoek',
  'rate-limited': 'Register krijgt te veel verzoeken',
  'all-slow': 'Alles is traag',
  'session-expired': 'Sessie verlopen',
  'step-up-refused': 'Opnieuw inloggen nodig',
  'rate-limited-caller': 'Aanroeper doet te veel verzoeken',
  'slow-service': 'De dienst zelf is traag',
};

export const faultCount = (count: number) =>
  count === 0 ? 'Geen storingen' : count === 1 ? '1 storing' : `${count} storingen`;

/** Returns the word itself when the table does not have it, and an empty text for null. */
export const label = (table: Record<string, string>, word: string | null | undefined) =>
  word === null || word === undefined ? '' : (table[word] ?? word);
