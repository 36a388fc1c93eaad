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

/** A row, and the moment at which it was read by the store's clock. */
type Read<R> = R & { readonly now: number };

/** Held by somebody whose lease had not expired when it was read. */
export const isClaimed = ({ claim, claimedUntil, now }: Read<Pick<Row, 'claim' | 'claimedUntil'>>): boolean =>
  claim !== null && (claimedUntil ?? 0) > now;

export function toSummary(row: Read<Pick<Row, (typeof SUMMARY)[number]>>): ApplicationSummary {
  const { claim, claimedUntil, now, manual, documentIds, ...rest } = row;
  return {
    ...(rest as Omit<ApplicationSummary, 'claimed' | 'manual' | 'documentIds'>),
    documentIds: JSON.parse(documentIds),
    manual: manual === null ? null : manual === 1,
    claimed: isClaimed({ claim, claimedUntil, now }),
  };
}

export const toApplication = (row: Read<Pick<Row, (typeof SUMMARY)[number] | 'draft'>>): Application => {
  const { draft, ...rest } = row;
  return { ...toSummary(rest), draft };
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

export function toUpload(read: Read<UploadRow>): Upload {
  const { claim, claimedUntil, now, links, perhapsStored, state, ...row } = read;
  const isHeld = isClaimed({ claim, claimedUntil, now });
  return {
    ...row,
    state: state === 'pending' && !isHeld ? 'lost' : (state as UploadState),
    linked: links !== '',
    perhapsStored: perhapsStored === 1,
  };
}
