import type { Selectable } from 'kysely';
import type { Application, ApplicationSummary, NewApplication } from '../../src/ports/store.ts';
import type { Upload, UploadState } from '../../src/ports/uploads.ts';
import type { Tables } from './schema.ts';

type Row = Selectable<Tables['applications']>;

/** All columns of an application but its draft, which is most of its size. */
export const SUMMARY = [
  'id',
  'owner',
  'type',
  'tag',
  'version',
  'stepIndex',
  'stepCount',
  'documentIds',
  'referentie',
  'manual',
  'reden',
  'createdAt',
  'updatedAt',
  'submittedAt',
  'claim',
  'claimedUntil',
  'sentKey',
  'sentHash',
  'sentAt',
] as const satisfies readonly (keyof Row)[];

export function toSummary(row: Pick<Row, (typeof SUMMARY)[number]>, now: number): ApplicationSummary {
  const { claim, claimedUntil, manual, documentIds, ...rest } = row;
  return {
    ...(rest as Omit<ApplicationSummary, 'claimed' | 'manual' | 'documentIds'>),
    documentIds: JSON.parse(documentIds),
    manual: manual === null ? null : manual === 1,
    claimed: claim !== null && (claimedUntil ?? 0) > now,
  };
}

export const toApplication = (row: Pick<Row, (typeof SUMMARY)[number] | 'draft'>, now: number): Application => {
  const { draft, ...rest } = row;
  return { ...toSummary(rest, now), draft };
};

export const toRow = (application: NewApplication, tag: 'Concept' | 'Pending'): Row => ({
  id: application.id,
  owner: application.owner,
  type: application.type,
  tag,
  version: 1,
  draft: application.draft ?? null,
  stepIndex: application.stepIndex ?? 0,
  stepCount: application.stepCount ?? 0,
  documentIds: JSON.stringify(application.documentIds ?? []),
  referentie: null,
  manual: null,
  reden: null,
  createdAt: application.createdAt,
  updatedAt: application.createdAt,
  submittedAt: null,
  claim: null,
  claimedUntil: null,
  slot: null,
  sentKey: null,
  sentHash: null,
  sentAt: null,
});

type UploadRow = Selectable<Tables['uploads']>;

export const toUploads = (rows: readonly UploadRow[]): Upload[] => {
  const now = Date.now();
  return rows.map((row) => toUpload(row, now));
};

export function toUpload({ claim, claimedUntil, links, perhapsStored, state, ...row }: UploadRow, now: number): Upload {
  const isHeld = claim !== null && (claimedUntil ?? 0) > now;
  return {
    ...row,
    state: state === 'pending' && !isHeld ? 'lost' : (state as UploadState),
    linked: links !== '',
    perhapsStored: perhapsStored === 1,
  };
}
