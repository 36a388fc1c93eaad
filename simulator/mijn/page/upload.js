import { outcomeOf } from './outcome.js';
import { client, clientVia, noteDate } from './session.js';

/** @import { UploadStatusItemDto } from 'zorgregister-bff/client' */
/** @import { Outcome } from './outcome.js' */

/**
 * Returns a `fetch` that tells how much of the body has been sent, from 0 to 1. The `fetch` of a browser cannot: so this
 * one uses XMLHttpRequest, and the client is given it (option `fetch`).
 * @param {(part: number) => void} onProgress
 * @returns {typeof fetch}
 */
const fetchWithProgress =
  (onProgress) =>
  (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, String(url));
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.responseType = 'blob';
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
      request.addEventListener('load', () => {
        const response = new Response(request.status === 204 ? null : request.response, {
          status: request.status,
          headers: request
            .getAllResponseHeaders()
            .trim()
            .split('\r\n')
            .map((line) => /** @type {[string, string]} */ (line.split(/: (.*)/s, 2))),
        });
        noteDate(response);
        resolve(response);
      });
      request.addEventListener('error', () => reject(new TypeError('the connection was lost')));
      request.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')));
      signal?.addEventListener('abort', () => request.abort());
      request.send(/** @type {XMLHttpRequestBodyInit} */ (body));
    });

/**
 * Uploads one file. The same `localId` with the same file is safe to send again: when the answer is lost, this asks
 * first whether the file arrived, and sends it again only when it did not.
 * @param {{ wizardId: string, categoryId: string, localId: string, file: File, onProgress: (part: number) => void, signal: AbortSignal }} upload
 * @returns {Promise<Outcome<UploadStatusItemDto>>}
 */
export async function upload({ wizardId, categoryId, localId, file, onProgress, signal }) {
  const body = new FormData();
  // The fields come before the file: the service checks them before it reads the file.
  for (const [name, text] of Object.entries({ wizardId, categoryId, localId })) body.append(name, text);
  body.append('file', file);
  const sending = clientVia(fetchWithProgress(onProgress));
  const outcome = await outcomeOf(sending.POST('/uploads', { body, signal }));
  const isLost = outcome.failure && [0, 504].includes(outcome.failure.problem.status);
  if (!isLost) return outcome;
  const [arrived] = (await statusOf([localId])) ?? [];
  return arrived?.status === 'uploaded' ? { data: arrived, response: new Response() } : outcome;
}

/**
 * Returns the status of uploads; null when the service cannot be asked now.
 * @param {readonly string[]} localIds
 */
export async function statusOf(localIds) {
  if (localIds.length === 0) return [];
  const { data } = await outcomeOf(client.GET('/uploads/status', { query: { localIds: localIds.join(',') } }));
  return data?.results ?? null;
}

/** Opens a received document: it is read with the identity of the person and given to the browser as a file. @param {string} documentId @param {string} name */
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
