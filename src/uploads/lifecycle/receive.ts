import { randomUUID } from 'node:crypto';
import type { Professional } from '../../auth/identity.ts';
import { decide } from '../../domain/rule.ts';
import { HARD_CAP, LEASE, MIB, OVERHEAD, QUOTA, TIME } from '../../domain/upload-limits.ts';
import type { Answer } from '../../http/answer.ts';
import type { Request } from '../../http/operation.ts';
import type { SentForm } from '../../http/state.ts';
import { within } from '../../ports/call.ts';
import type { StoredDocument } from '../../ports/documents.ts';
import type { Upload, UploadName } from '../../ports/uploads.ts';
import { Problem } from '../../problem.ts';
import { MOST_MB } from '../categories.ts';
import type { UploadDeps } from '../deps.ts';
import { type Inspected, inspect, REFUSALS, tooLarge } from '../inspection/inspect.ts';
import { toStatusItem } from '../present.ts';
import { type Purpose, purposeOf, toldOf } from '../transport/fields.ts';
import { boundaryOf, type Field, type ReceivedUpload } from '../transport/parts.ts';
import { TooLarge } from '../transport/spool.ts';
import type { Turn } from '../transport/turns.ts';
import { identificatieOf, isWhole, keep } from './keep.ts';
import { demandClaim, demandClean, demandInspected, demandQuota, demandSameFile, isSameFile } from './rules.ts';

type UploadRequest = Request<Professional>;

/** What an upload has of this process, besides what all of them use. */
interface Place {
  /** Takes room for bytes that come in. Throws 503 when there is none. */
  readonly hold: (bytes: number) => void;
  /** Does the work on a file that has come in, when it is its turn. */
  readonly turn: Turn;
}

/** What was taken in the store of uploads before the file was read, and is given back if nothing comes of it. */
interface Taken {
  readonly purpose: Purpose;
  readonly name: UploadName;
  readonly token: string;
  /** As it was found. */
  readonly upload: Upload;
}

/** The way of a file (uploads.md): spool, check, then store. Nothing goes to the store of documents before every verdict is in. */
export async function receive(deps: UploadDeps & Place, request: UploadRequest): Promise<Answer> {
  const boundary = demandUpload(request);
  let taken: Taken | undefined;
  let stopRenewing: (() => void) | undefined;
  try {
    const heard =
      request.because && ((fields: readonly Field[], name: string | null) => tellForm(request, fields, name));
    const begin = async (fields: readonly Field[]) => {
      taken = await take(deps, request, decide(request.because, purposeOf, fields));
      stopRenewing = keepClaim(deps, taken);
      return taken.purpose.category.maxSizeMb * MIB;
    };
    const received = await deps.readUpload(request.http, boundary, begin, deps.hold, heard);
    if (taken === undefined) throw new Error('a file that nothing is known of');
    const claimed = taken;
    const { form } = request.http.state;
    if (form) request.http.state.form = { ...form, file: { name: received.name, size: received.file.size } };
    try {
      return await deps.turn(() => judge(deps, request, claimed, received));
    } finally {
      await received.file.close();
    }
  } catch (error) {
    const maxSizeMb = taken?.purpose.category.maxSizeMb ?? MOST_MB;
    const problem = error instanceof TooLarge ? tooLarge(maxSizeMb) : error;
    if (error instanceof TooLarge)
      request.because?.({
        rule: 'spool',
        source: 'uploads.md, "Limits"',
        facts: { maxSizeMb },
        outcome: { geweigerd: 'bestand-te-groot', status: 413 },
      });
    if (taken !== undefined) await giveBack(deps, taken, problem);
    throw problem;
  } finally {
    stopRenewing?.();
  }
}

/** Whether this is an upload at all, before a byte of it is read. */
function demandUpload({ http }: UploadRequest): string {
  const boundary = boundaryOf(http.get('Content-Type'));
  if (boundary === null) {
    throw new Problem(
      'mediatype-niet-ondersteund',
      'Stuur de upload als `Content-Type: multipart/form-data; boundary=…`.',
    );
  }
  const encoding = http.get('Content-Encoding');
  if (encoding !== '' && encoding.toLowerCase() !== 'identity')
    throw new Problem('mediatype-niet-ondersteund', 'Stuur de upload onverpakt, zonder Content-Encoding.');
  if (Number(http.get('Content-Length') || 0) > HARD_CAP + OVERHEAD) throw tooLarge(MOST_MB);
  return boundary;
}

/** Claims the name, so that of two uploads of it at the same time one goes on. */
async function take(
  { uploads }: UploadDeps,
  { caller, because, newId }: UploadRequest,
  purpose: Purpose,
): Promise<Taken> {
  const name = { owner: caller.subject, wizardId: purpose.wizardId, localId: purpose.localId };
  const token = randomUUID();
  const at = Date.now();
  const claim = { token, until: at + LEASE };
  const claimed = await uploads.claim(name, purpose.category.categoryId, newId(), claim, at);
  const upload = decide(because, demandClaim, { ...name, upload: claimed });
  return { purpose, name, token, upload };
}

/** Renews a claim until the result is called. A renewal that fails is tried again with the next; meanwhile the claim may lapse. */
function keepClaim({ uploads }: UploadDeps, { name, token, upload }: Taken): () => void {
  // What is uploaded already was not claimed.
  if (upload.state === 'uploaded') return () => undefined;
  const renew = () => uploads.renew(name, token, Date.now() + LEASE).catch(() => undefined);
  const timer = setInterval(renew, LEASE / 3);
  return () => clearInterval(timer);
}

/** What is sent is told as it comes in, so that also of an upload that is refused halfway it is known. */
function tellForm({ http }: UploadRequest, fields: readonly Field[], name: string | null): void {
  const before: SentForm | undefined = http.state.form;
  const file = name === null ? (before?.file ?? null) : { name, size: null };
  http.state.form = { fields: toldOf(fields), file } satisfies SentForm;
}

async function judge(
  deps: UploadDeps,
  request: UploadRequest,
  taken: Taken,
  received: ReceivedUpload,
): Promise<Answer> {
  const { upload, purpose } = taken;
  const { file } = received;
  const { because } = request;
  const { size, sha256 } = file;
  const { categoryId, maxSizeMb, acceptedTypes } = purpose.category;
  if (upload.state === 'uploaded') {
    const stored = { sha256: upload.sha256, categoryId: upload.categoryId };
    const sent = { sha256, categoryId };
    // The stored document may have been deleted while this file was being received.
    const [there] = isSameFile(stored, sent) ? await deps.uploads.named(upload.owner, [upload.documentId]) : [];
    decide(because, demandSameFile, { stored, sent, isStillStored: there?.state === 'uploaded' });
    return answer(200, upload);
  }
  const { name } = received;
  const result = await inspect(file, name, purpose.category).catch((error) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  const facts = { name, size, sha256, categoryId, maxSizeMb, acceptedTypes, result };
  const inspected = decide(because, demandInspected, facts);
  const verdict = await within(request.call, TIME.scanner, 'scanner', (call) => deps.scanner.scan(file.bytes(), call));
  decide(because, demandClean, { sha256, verdict });
  return store(deps, request, taken, received, inspected);
}

async function store(
  deps: UploadDeps,
  request: UploadRequest,
  { name, token, upload, purpose: { category } }: Taken,
  { file }: ReceivedUpload,
  inspected: Inspected,
): Promise<Answer> {
  const { call, today, because } = request;
  const { sha256, size: omvang } = file;
  const { documentId, there } = await lookBack(deps, upload, { sha256, omvang }, request);
  const received = await deps.uploads.receive(name, token, { documentId, omvang, sha256, ...inspected }, QUOTA);
  decide(because, demandQuota, { most: QUOTA, wizardId: name.wizardId, size: omvang, found: received });
  if (received === 'lapsed') throw new Problem('overbelast', TOO_LONG, RETRY);
  const document = {
    identificatie: identificatieOf(documentId),
    titel: category.label,
    beschrijving: `Categorie ${category.categoryId}; wizard ${name.wizardId}`,
    ontvangstdatum: today,
    omvang,
    sha256,
    ...inspected,
    bytes: file.bytes,
  };
  try {
    const { key } =
      there ?? (await within(call, TIME.store, 'documenten', (inTime) => keep(deps.documents, document, inTime)));
    if (!(await deps.uploads.settle(name, token, key))) throw new Problem('overbelast', TOO_LONG, RETRY);
  } catch (error) {
    // Also after a plain refusal: a gateway may refuse what the store behind it has taken. The next try looks first.
    await deps.uploads.release(name, token, 'perhaps-stored');
    throw error;
  }
  return answer(201, { ...upload, documentId, state: 'uploaded' });
}

/**
 * What an earlier try may have stored: this very file, and then it is taken for it, or nothing, and then it is tried under
 * the same id. Anything else is left over, and this file gets an id of its own.
 */
async function lookBack(
  { documents }: UploadDeps,
  upload: Upload,
  file: { sha256: string; omvang: number },
  { call, newId }: UploadRequest,
): Promise<{ documentId: string; there: StoredDocument | null }> {
  if (!upload.perhapsStored || upload.sha256 !== file.sha256) return { documentId: newId(), there: null };
  const { documentId } = upload;
  const there = await within(call, TIME.store, 'documenten', (inTime) =>
    documents.find(identificatieOf(documentId), inTime),
  );
  if (there === null) return { documentId, there };
  return isWhole(there, file) ? { documentId, there } : { documentId: newId(), there: null };
}

const TOO_LONG = 'Dit duurde te lang. Probeer het opnieuw.';
const RETRY = { headers: { 'Retry-After': '2' } };

const answer = (status: 200 | 201, upload: Upload): Answer => ({
  status,
  body: toStatusItem(upload),
  headers: { Location: `/api/v1/uploads/${upload.documentId}/content` },
});

/** A file that will never do is remembered as refused; of anything else nothing is left, and it may be tried again. */
async function giveBack({ uploads }: UploadDeps, { name, token, upload }: Taken, error: unknown): Promise<void> {
  if (upload.state === 'uploaded') return;
  const isRefused = error instanceof Problem && (REFUSALS as readonly string[]).includes(error.code);
  const wasRefused = upload.state === 'rejected';
  await (isRefused || wasRefused ? uploads.reject(name, token) : uploads.release(name, token, 'unreceived'));
}
