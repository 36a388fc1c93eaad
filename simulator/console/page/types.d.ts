/** What the control API sends, as far as the page reads it (`/_simulator/openapi.json` says it in full). */
export interface World {
  world: string;
  clock: { mode: 'real' | 'running' | 'frozen'; now: string; today: string; firstDay: string | null };
  scenarios: string[];
  faults: FaultOn[];
  entries: number;
}

export interface Fault {
  upstream: string;
  operation?: string;
  kind: string;
  ms?: number | { min: number; max: number } | { median: number; sigma: number };
  status?: number;
  retryAfter?: number;
  probability?: number;
  seed?: number;
}

export interface FaultOn extends Fault {
  id: string;
  scenario: string | null;
}

export interface Scenario {
  name: string;
  toont: string;
  faults: Fault[];
}

export interface PersonaCard {
  slug: string;
  naam: string;
  kind: 'professional' | 'letter' | 'staff';
  toont: string;
  headers: Record<string, string>;
  curl: string;
  nu: Situation | null;
}

export interface Situation {
  beroep: string | null;
  status: string | null;
  uhd: string | null;
  eligible: boolean;
  reason: string | null;
  woonplaats: string | null;
  geheim: boolean;
  diplomas: number;
  aanvragen: { referentie: string | null; type: string; tag: string }[];
  uploads: { documentId: string; bestandsnaam: string | null; state: string }[];
}

export interface Zaak {
  referentie: string;
  soort: string;
  slug: string;
  status: 'ontvangen' | 'in-behandeling' | 'besloten';
  handmatig: boolean;
  ontvangenOp: string;
  besluit: { uitkomst: string; reden: string | null; datum: string } | null;
}

export interface Letter {
  briefId: string;
  tag: string;
  version: number;
  referentie: string | null;
  drafterId: string | null;
  submittedBy: string | null;
  approvedBy: string | null;
}

export interface Upload {
  documentId: string;
  slug: string;
  wizardId: string;
  categoryId: string;
  localId: string;
  bestandsnaam: string | null;
  state: string;
}

export interface Snapshot {
  name: string;
  world: string;
  savedAt: string;
}

export interface Step {
  title: string;
  say?: string;
  reset?: true | { begin?: string };
  restore?: string;
  clock?: Record<string, unknown>;
  scenarios?: string[];
  decide?: Record<string, unknown>;
  brief?: string;
  persona: string;
  path?: string;
  /** GET where it is absent. */
  method?: string;
  body?: unknown;
}

export interface Demo {
  name: string;
  title: string;
  steps: Step[];
}

export interface Stepped {
  world: World;
  headers: Record<string, string>;
  curl: string | null;
  url: string | null;
}

export interface Entry {
  id: number;
  at: string;
  world: string;
  caller: { kind: string; subject: string } | null;
  request: Captured & { method: string; path: string };
  response: Captured & { status: number };
  ms: number;
  operation: string | null;
  problem: string | null;
  breach?: string[];
  upstream: UpstreamCall[];
  why: Reason[];
  traceId: string;
  curl: string;
}

export interface Captured {
  headers: Record<string, string>;
  body: string | null;
  truncated: boolean;
}

export interface UpstreamCall {
  bron: string;
  operation?: string;
  outcome: number | string;
  ms: number;
  attempts: number;
  fault?: string;
}

export interface Reason {
  rule: string;
  source?: string;
  outcome: unknown;
  facts: unknown;
}

/** Everything the page keeps of the control API, by the name under which it is asked for again. */
export interface Known {
  world: World;
  worlds: World[];
  scenarios: Scenario[];
  personas: PersonaCard[];
  zaken: Zaak[];
  brief: Letter | null;
  uploads: Upload[];
  snapshots: Snapshot[];
  demos: Demo[];
}
