import type { Selectable } from 'kysely';
import {
  type Application,
  type ApplicationSummary,
  addedApplication,
  type NewApplication,
} from '../../src/ports/store/applications.ts';
import { isImpossibleClaim } from '../../src/ports/store/claim.ts';
import type { StoredUploadState, Upload } from '../../src/ports/store/uploads.ts';
import { UNCLAIMED } from './claims.ts';
import type { Tables } from './database/schema.ts';

type ApplicationRow = Selectable<Tables['applications']>;

/** The columns of an application without its draft and without the unique column `slot`. */
export const SUMMARY_COLUMNS = [
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
] as const satisfies readonly (keyof ApplicationRow)[];

/** A database row, with the store's time at which the row was read. */
type TimedRow<R> = R & { readonly now: number };

/**
 * Returns true when a request had a claim (lock for a limited time) on the row, and that claim had not expired when the
 * row was read.
 */
export const isClaimed = ({
  claim,
  claimedUntil,
  now,
}: TimedRow<Pick<ApplicationRow, 'claim' | 'claimedUntil'>>): boolean =>
  claim !== null && (claimedUntil ?? 0) > now && !isImpossibleClaim(claimedUntil ?? 0, now);

/** Converts a database row to an application without its draft. */
export function toSummary(row: TimedRow<Pick<ApplicationRow, (typeof SUMMARY_COLUMNS)[number]>>): ApplicationSummary {
  const { claim, claimedUntil, now, manual, documentIds, ...rest } = row;
  return {
    ...(rest as Omit<ApplicationSummary, 'claimed' | 'manual' | 'documentIds'>),
    documentIds: JSON.parse(documentIds),
    manual: manual === null ? null : manual === 1,
    claimed: isClaimed({ claim, claimedUntil, now }),
  };
}

/** Converts a database row to an application with its draft. */
export const toApplication = (
  row: TimedRow<Pick<ApplicationRow, (typeof SUMMARY_COLUMNS)[number] | 'draft'>>,
): Application => {
  const { draft, ...rest } = row;
  return { ...toSummary(rest), draft };
};

/** Converts a new application to a database row without a claim (lock), and with null in the unique column `slot`. */
export function toRow(application: NewApplication, tag: 'Concept' | 'Pending'): ApplicationRow {
  const { documentIds, ...row } = addedApplication(application, tag);
  return { ...row, ...UNCLAIMED, documentIds: JSON.stringify(documentIds), slot: null };
}

type UploadRow = Selectable<Tables['uploads']>;

/**
 * Converts a database row to an upload. A pending upload gets the state `lost` when the claim (lock) of the request
 * that received it is not valid any more.
 */
export function toUpload(read: TimedRow<UploadRow>): Upload {
  const { claim, claimedUntil, now, links: _, perhapsStored, state, ...row } = read;
  const isActive = isClaimed({ claim, claimedUntil, now });
  return {
    ...row,
    state: state === 'pending' && !isActive ? 'lost' : (state as StoredUploadState),
    perhapsStored: perhapsStored === 1,
  };
}
