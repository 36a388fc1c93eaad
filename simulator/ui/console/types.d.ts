import type * as z from 'zod';
import type * as demos from '../../control/demo-schema.ts';
import type * as letters from '../../control/letters/schema.ts';
import type * as people from '../../control/people/schema.ts';
import type * as schema from '../../control/schema.ts';

/** The type of a value that the schema `Name` of the control API has checked. */
type SchemaType<Name extends keyof Schemas> = z.output<Schemas[Name]>;
type Schemas = typeof schema & typeof letters & typeof demos;

export type World = SchemaType<'World'>;
export type Fault = SchemaType<'Fault'>;
export type FaultOn = SchemaType<'FaultOn'>;
export type Scenario = SchemaType<'Scenario'>;
export type PersonaCard = SchemaType<'PersonaCard'>;
export type PersonaFiles = z.output<typeof people.PersonaFiles>;
export type PersonaFileFault = z.output<typeof people.PersonaFileFault>;
export type PeopleFound = z.output<typeof people.PeopleFound>;
export type PersonFound = PeopleFound['burgers'][number];
export type Situation = NonNullable<PersonaCard['nu']>;
export type Zaak = SchemaType<'Zaak'>;
export type Letter = SchemaType<'Letter'>;
export type SentLetterSummary = SchemaType<'SentLetterSummary'>;
export type SentLetter = SchemaType<'SentLetter'>;
export type Upload = SchemaType<'Upload'>;
export type Snapshot = SchemaType<'SnapshotName'>;
export type Step = SchemaType<'Step'>;
export type Demo = SchemaType<'Demo'>;
export type StepDone = SchemaType<'StepDone'>;
export type Entry = SchemaType<'JournalEntry'>;
export type Captured = Pick<Entry['response'], 'headers' | 'body' | 'truncated'>;
export type UpstreamCall = Entry['upstream'][number];
export type Reason = Entry['why'][number];

/**
 * The data that the page loads from the control API, keyed by kind. `brief` is the letter of the world; null when there
 * is none.
 */
export interface PageData {
  world: World;
  worlds: World[];
  scenarios: Scenario[];
  personas: PersonaCard[];
  personaFiles: PersonaFiles;
  zaken: Zaak[];
  brief: Letter | null;
  uploads: Upload[];
  snapshots: Snapshot[];
  demos: Demo[];
  demoFaults: PersonaFileFault[];
}
