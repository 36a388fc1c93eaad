/** The limits of an upload (uploads.md, "Limits"). Limits that an operator may change are in the configuration. */

/** One mebibyte in bytes. */
export const MIB = 1024 * 1024;

/**
 * Maximum size of any uploaded file in bytes. A category can have a lower limit, but this is the only limit while the
 * category of a file is not known yet.
 */
export const HARD_CAP = 25 * MIB;
/**
 * Number of bytes by which a whole upload request may exceed `HARD_CAP`, for its fields and the headers of its parts.
 */
export const OVERHEAD = 64 * 1024;

/** Limits on the parts of a multipart request: the numbers of files, fields and parts, and the bytes of one field. */
export const FORM = { files: 1, fields: 8, fieldBytes: 1024, parts: 10 };

/**
 * Timeouts of the parts of an upload, in milliseconds. `request` is for receiving the file, `turn` for waiting until a
 * received file can be checked and stored, `scanner` for the virus scan, and `store` for one call to the document
 * store.
 */
export const TIME = { request: 120_000, turn: 30_000, scanner: 30_000, store: 60_000 };

/**
 * The minimum rate of an upload (`PaceLimits`). A client that sends nothing, or single bytes, is refused after about
 * `grace` milliseconds. A client that has sent faster than `bytesPerSecond` may pause for up to `window` milliseconds.
 * A slow mobile connection is ten times as fast as this rate.
 */
export const PACE = { grace: 5_000, window: 15_000, bytesPerSecond: 4 * 1024 };

/** Maximum duration of a whole upload in milliseconds. */
export const MAX_UPLOAD_TIME = TIME.request + TIME.turn + TIME.scanner + 2 * TIME.store;

/**
 * Milliseconds after which the claim on a `localId` (the client's id of an upload) expires. The claim is renewed three
 * times in this period while the upload is in progress. An expired claim was left by a process that stopped; the client
 * may then try again.
 */
export const UPLOAD_LEASE_MS = 15_000;

/**
 * Limits on the chunks in which a request body arrives, because each chunk costs the same CPU time, however small it
 * is. A usual network makes chunks of 500 bytes or more. After each `batch` chunks, other requests are handled first.
 * When more than `many` chunks have arrived, their average size must be at least `smallest` bytes.
 */
export const CHUNK_LIMITS = { batch: 256, many: 2_000, smallest: 64 };

/**
 * Maximum number of documents, and their maximum total size in bytes, of one owner in one wizard (form of a portal).
 * Documents of submitted applications do not count.
 */
export const QUOTA = { documents: 30, bytes: 150 * MIB };

/** Maximum number of pixels of an image. */
export const MAX_PIXELS = 50_000_000;

/** Maximum number of `localIds` (client ids of uploads) in one status request. */
export const MAX_LOCAL_IDS = 50;

/** Maximum number of downloads in progress at the same time in this process. */
export const MAX_DOWNLOADS = 384;
/** Maximum number of downloads by one person in progress at the same time in this process. */
export const MAX_DOWNLOADS_PER_OWNER = 100;

/** The limits that an operator can set. */
export interface UploadLimits {
  /** Maximum number of uploads in progress at the same time in this process. */
  readonly receiving: number;
  /** Maximum total size of all uploads in progress, in memory and temporary files, in MB of 1,048,576 bytes. */
  readonly spoolMb: number;
  /** Maximum number of files that are checked and stored at the same time in this process. */
  readonly atOnce: number;
  /** Maximum number of uploads of one person at the same time. */
  readonly perPersonAtOnce: number;
  /** Maximum number of uploads of one person in one hour. */
  readonly perPersonPerHour: number;
  /** Number of hours after which the service deletes a document to which no application refers. */
  readonly orphanHours: number;
}

/** The limits on uploads that apply when the operator sets none. */
export const DEFAULT_UPLOAD_LIMITS: UploadLimits = {
  receiving: 128,
  spoolMb: 400,
  atOnce: 16,
  perPersonAtOnce: 3,
  perPersonPerHour: 60,
  orphanHours: 48,
};

/** Returns true when a body arrives in so many small chunks that reading it costs too much. */
export const hasTooManyChunks = (pieces: number, bytes: number): boolean =>
  pieces > CHUNK_LIMITS.many && bytes < pieces * CHUNK_LIMITS.smallest;
