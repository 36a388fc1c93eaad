import type * as z from 'zod';
import type * as schema from '../../control/schema.ts';

/** What the control API sends, from the very schemas that its document is made of. */
type Sent<Name extends keyof typeof schema> = z.output<(typeof schema)[Name]>;

export type World = Sent<'World'>;
export type Fault = Sent<'Fault'>;
export type FaultOn = Sent<'FaultOn'>;
export type Scenario = Sent<'Scenario'>;
export type PersonaCard = Sent<'PersonaCard'>;
export type Situation = NonNullable<PersonaCard['nu']>;
export type Zaak = Sent<'Zaak'>;
export type Letter = Sent<'Letter'>;
export type Upload = Sent<'Upload'>;
export type Snapshot = Sent<'SnapshotName'>;
export type Step = Sent<'Step'>;
export type Demo = Sent<'Demo'>;
export type Stepped = Sent<'StepDone'>;
export type Entry = Sent<'JournalEntry'>;
export type Captured = Pick<Entry['response'], 'headers' | 'body' | 'truncated'>;
export type UpstreamCall = Entry['upstream'][number];
export type Reason = Entry['why'][number];

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
