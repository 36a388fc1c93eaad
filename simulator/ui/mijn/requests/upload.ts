import type { CreateApplicationRequest, UploadStatusItemDto } from 'zorgregister-bff/client';
import type { Outcome } from '../calls/outcome.ts';
import { outcomeOf } from '../calls/outcome.ts';
import { client, noteDate } from '../session.ts';

/**
 * Uploads one file. Without an answer, or after status 504, asks the service whether the file arrived; if so, the
 * upload succeeded. `onProgress` gets the fraction that is uploaded (0 to 1). Rejects when `signal` aborts the upload.
 */
export async function upload({
  wizardId,
  categoryId,
  localId,
  file,
  onProgress,
  signal,
}: {
  wizardId: CreateApplicationRequest['type'];
  categoryId: string;
  localId: string;
  file: File;
  onProgress: (part: number) => void;
  signal: AbortSignal;
}): Promise<Outcome<UploadStatusItemDto>> {
  const outcome = await outcomeOf(client.upload({ wizardId, categoryId, localId, file, onProgress, signal }));
  if (outcome.data) noteDate(outcome.response);
  const isLost = outcome.failure && [0, 504].includes(outcome.failure.problem.status);
  if (!isLost) return outcome;
  const [arrived] = (await statusOf([localId])) ?? [];
  return arrived?.status === 'uploaded' ? { data: arrived, response: new Response() } : outcome;
}

/**
 * Returns the status of the uploads with these local ids; an empty list for no ids, and null when the call fails.
 */
export async function statusOf(localIds: readonly string[]) {
  if (localIds.length === 0) return [];
  const { data } = await outcomeOf(client.GET('/uploads/status', { query: { localIds: localIds.join(',') } }));
  return data?.results ?? null;
}

/**
 * Downloads a document of the user, and saves it in the browser as a file with this name. Returns null when this
 * succeeds, and otherwise the failure.
 */
export async function download(documentId: string, name: string) {
  const outcome = await outcomeOf(client.GET('/uploads/{documentId}/content', { params: { documentId } }));
  if (outcome.failure) return outcome.failure;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(outcome.data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return null;
}
