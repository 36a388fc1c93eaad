import { outcomeOf } from '../calls/outcome.js';
import { client, noteDate } from '../session.js';

/** @import { CreateApplicationRequest, UploadStatusItemDto } from 'zorgregister-bff/client' */
/** @import { Outcome } from '../calls/outcome.js' */

/**
 * Uploads one file. Without an answer, or after status 504, asks the service whether the file arrived; if so, the
 * upload succeeded. `onProgress` gets the fraction that is uploaded (0 to 1). Rejects when `signal` aborts the upload.
 * @param {{ wizardId: CreateApplicationRequest['type'], categoryId: string, localId: string, file: File, onProgress: (part: number) => void, signal: AbortSignal }} upload
 * @returns {Promise<Outcome<UploadStatusItemDto>>}
 */
export async function upload({ wizardId, categoryId, localId, file, onProgress, signal }) {
  const outcome = await outcomeOf(client.upload({ wizardId, categoryId, localId, file, onProgress, signal }));
  if (outcome.data) noteDate(outcome.response);
  const isLost = outcome.failure && [0, 504].includes(outcome.failure.problem.status);
  if (!isLost) return outcome;
  const [arrived] = (await statusOf([localId])) ?? [];
  return arrived?.status === 'uploaded' ? { data: arrived, response: new Response() } : outcome;
}

/**
 * Returns the status of the uploads with these local ids; an empty list for no ids, and null when the call fails.
 * @param {readonly string[]} localIds
 */
export async function statusOf(localIds) {
  if (localIds.length === 0) return [];
  const { data } = await outcomeOf(client.GET('/uploads/status', { query: { localIds: localIds.join(',') } }));
  return data?.results ?? null;
}

/**
 * Downloads a document of the user, and saves it in the browser as a file with this name. Returns null when this
 * succeeds, and otherwise the failure.
 * @param {string} documentId
 * @param {string} name
 */
export async function download(documentId, name) {
  const outcome = await outcomeOf(client.GET('/uploads/{documentId}/content', { params: { documentId } }));
  if (outcome.failure) return outcome.failure;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(outcome.data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return null;
}
