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
 * An upload whose file a request is about to receive. The request has a claim (temporary lock) on the name of the
 * upload, unless the upload is already stored.
 */
export interface ClaimedUpload {
  readonly purpose: UploadPurpose;
  readonly name: UploadKey;
  readonly token: string;
  /** The new upload, or the upload that already had this name. */
  readonly upload: Upload;
}

/**
 * Claims (locks for a limited time) the name of an upload, so that of two simultaneous uploads with one name only one
 * continues. An upload that is already stored is returned without a claim. Throws 409 `upload-bezig` when the name
 * cannot be claimed, for example because another request has the claim.
 */
export async function claimUpload(
  { uploads }: UploadDeps,
  { caller, onDecision, newId }: Pick<Request<Professional>, 'caller' | 'onDecision' | 'newId'>,
  purpose: UploadPurpose,
): Promise<ClaimedUpload> {
  const name = { owner: caller.subject, wizardId: purpose.wizardId, localId: purpose.localId };
  const token = randomUUID();
  const at = Date.now();
  const claim = { token, until: at + UPLOAD_LEASE_MS };
  const { categoryId } = purpose.category;
  const { workspace } = caller;
  const claimed = await uploads.claim(name, { workspace, categoryId, documentId: newId() }, claim, at);
  const upload = decide(onDecision, demandClaim, { ...name, upload: claimed });
  return { purpose, name, token, upload };
}

/**
 * Renews the claim (temporary lock) of an upload at every third of `UPLOAD_LEASE_MS`, so that it does not expire.
 * Returns a function that stops the renewal.
 */
export function renewClaim({ uploads }: UploadDeps, { name, token, upload }: ClaimedUpload): () => void {
  // An upload that is already stored has no claim.
  if (upload.state === 'uploaded') return () => undefined;
  const renew = () => uploads.renew(name, token, Date.now() + UPLOAD_LEASE_MS).catch(() => undefined);
  const timer = setInterval(renew, UPLOAD_LEASE_MS / 3);
  return () => clearInterval(timer);
}

/**
 * Releases the claim (temporary lock) of a failed upload; does nothing for an upload that is already stored. The upload
 * becomes `rejected` when its file failed a check now or before. Otherwise it is deleted, unless an earlier attempt may
 * have stored its file.
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
