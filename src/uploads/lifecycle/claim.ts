import { randomUUID } from 'node:crypto';
import type { Professional } from '../../auth/identity.ts';
import { decide } from '../../domain/rule.ts';
import { UPLOAD_LEASE_MS } from '../../domain/upload-limits.ts';
import type { Request } from '../../http/operation/operation.ts';
import type { Upload, UploadKey } from '../../ports/store/uploads.ts';
import { Problem } from '../../problem.ts';
import { isOneOf } from '../../wire/values.ts';
import type { UploadDeps } from '../deps.ts';
import { REFUSALS } from '../inspection/inspect.ts';
import type { UploadPurpose } from '../transport/fields.ts';
import { demandClaim } from './rules.ts';

/**
 * An upload that this request has claimed (temporarily locked) in the store. The service makes the claim before it
 * reads the file, and releases the claim when the upload fails. An upload that was already stored has no claim.
 */
export interface ClaimedUpload {
  readonly purpose: UploadPurpose;
  readonly name: UploadKey;
  readonly token: string;
  /** The new upload, or the existing upload with this name as it was before this request. */
  readonly upload: Upload;
}

/**
 * Claims the name of an upload, so that only one of two simultaneous uploads with that name continues. An upload that
 * is already stored is returned without a claim. Throws 409 `upload-bezig` when another request has the claim or the
 * upload is being deleted.
 */
export async function claimUpload(
  { uploads }: UploadDeps,
  { caller, because, newId }: Pick<Request<Professional>, 'caller' | 'because' | 'newId'>,
  purpose: UploadPurpose,
): Promise<ClaimedUpload> {
  const name = { owner: caller.subject, wizardId: purpose.wizardId, localId: purpose.localId };
  const token = randomUUID();
  const at = Date.now();
  const claim = { token, until: at + UPLOAD_LEASE_MS };
  const claimed = await uploads.claim(name, purpose.category.categoryId, newId(), claim, at);
  const upload = decide(because, demandClaim, { ...name, upload: claimed });
  return { purpose, name, token, upload };
}

/**
 * Renews a claim three times in each `UPLOAD_LEASE_MS`, so that the claim does not expire while the upload is in
 * progress. Returns a function that stops the renewal. After a failed renewal, the next one tries again.
 */
export function renewClaim({ uploads }: UploadDeps, { name, token, upload }: ClaimedUpload): () => void {
  // An upload that is already stored has no claim.
  if (upload.state === 'uploaded') return () => undefined;
  const renew = () => uploads.renew(name, token, Date.now() + UPLOAD_LEASE_MS).catch(() => undefined);
  const timer = setInterval(renew, UPLOAD_LEASE_MS / 3);
  return () => clearInterval(timer);
}

/**
 * Releases the claim of a failed upload. Sets the upload to `rejected` when its file failed a check, in this request or
 * before. Otherwise deletes the upload, unless an earlier attempt may have stored its file. Changes nothing for a
 * stored upload.
 */
export async function releaseClaim(
  { uploads }: UploadDeps,
  { name, token, upload }: ClaimedUpload,
  error: unknown,
): Promise<void> {
  if (upload.state === 'uploaded') return;
  const isRefused = error instanceof Problem && isOneOf(REFUSALS, error.code);
  const wasRefused = upload.state === 'rejected';
  await (isRefused || wasRefused ? uploads.reject(name, token) : uploads.release(name, token, 'unreceived'));
}
