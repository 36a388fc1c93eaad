import type * as z from 'zod';
import type { Entry, Fault, FaultOn, Letter, SentLetter, Upload, WorldState, Zaak } from '../../../testing/types.ts';
import type * as demos from '../../control/demo-schema.ts';
import type * as people from '../../control/people-schema.ts';
import type * as schema from '../../control/schema.ts';

export type { Entry, Fault, FaultOn, Letter, SentLetter, Upload, Zaak };
export type World = WorldState;
export type Scenario = z.output<typeof schema.Scenario>;
export type PersonaCard = z.output<typeof schema.PersonaCard>;
export type PersonaFiles = z.output<typeof people.PersonaFiles>;
export type PersonaSaved = z.output<typeof people.PersonaSaved>;
export type PersonaFileFault = z.output<typeof people.PersonaFileFault>;
export type PeopleFound = z.output<typeof people.PeopleFound>;
export type PersonFound = PeopleFound['burgers'][number];
export type Expected = z.output<typeof schema.Expected>;
export type AudienceLinks = z.output<typeof schema.AudienceLinks>;
export type Situation = NonNullable<PersonaCard['nu']>;
export type InboxLetter = z.output<typeof schema.InboxLetter>;
export type Snapshot = z.output<typeof schema.SnapshotName>;
export type Step = z.output<typeof demos.Step>;
export type Demo = z.output<typeof demos.Demo>;
export type Act = NonNullable<Step['acts']>[number];
export type StepDone = z.output<typeof demos.StepDone>;
export type UpstreamCall = Entry['upstream'][number];
export type Reason = Entry['why'][number];

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
