/** The limits on uploads (uploads.md, "Limits"). */

/** One mebibyte in bytes. */
export const MIB = 1024 * 1024;

/** Maximum size of any uploaded file in bytes; the category of a file can have a lower maximum. */
export const HARD_CAP = 25 * MIB;
/** Number of bytes that an upload request may have in addition to its file, for its fields and part headers. */
export const OVERHEAD = 64 * 1024;

/** Limits on a multipart request: numbers of files, fields and parts, and the bytes of one field. */
export const FORM = { files: 1, fields: 8, fieldBytes: 1024, parts: 10 };

/**
 * The timeouts of an upload in milliseconds: to receive a file (`request`), until it can be checked (`turn`), for the
 * virus scan (`scanner`), and for one call to the document store (`store`).
 */
export const TIME = { request: 120_000, turn: 30_000, scanner: 30_000, store: 60_000 };

/**
 * A client must send an upload at `bytesPerSecond`. For at most `grace` milliseconds at the start, and `window`
 * milliseconds after it sent faster, it may send nothing.
 */
export const PACE = { grace: 5_000, window: 15_000, bytesPerSecond: 4 * 1024 };

/** The longest time of an upload in milliseconds: the timeouts in `TIME`, with two calls to the document store. */
export const MAX_UPLOAD_TIME = TIME.request + TIME.turn + TIME.scanner + 2 * TIME.store;

/**
 * Even a small chunk costs CPU time. Other requests are handled after each `batch` chunks. Of more than `many` chunks,
 * the average size must be at least `smallest` bytes.
 */
export const CHUNK_LIMITS = { batch: 256, many: 2_000, smallest: 64 };

/** Maximums of one owner in one wizard (form of a portal). Documents of submitted requests do not count. */
export const QUOTA = { documents: 30, bytes: 150 * MIB };

/** Maximum number of pixels of an uploaded image. */
export const MAX_PIXELS = 50_000_000;

/** Maximum number of `localIds` (the client's own ids of uploads) in one status request. */
export const MAX_LOCAL_IDS = 50;

/**
 * The most downloads at the same time in this process: in all, of one person (as many as a browser has connections to
 * one host), and of one person that wait.
 */
export const DOWNLOADS = { atOnce: 384, perPersonAtOnce: 6, perPersonWaiting: QUOTA.documents };

/** The limits on uploads that the configuration can change. */
export interface UploadLimits {
  /** Maximum number of uploads that this process receives at the same time. */
  readonly receiving: number;
  /** Maximum total size of the uploads being received, in memory and temporary files, in MB of 1,048,576 bytes. */
  readonly spoolMb: number;
  /** Maximum number of files that this process checks and stores at the same time. */
  readonly atOnce: number;
  /** Maximum number of uploads of one person at the same time. */
  readonly perPersonAtOnce: number;
  /** Maximum number of uploads of one person in one hour. */
  readonly perPersonPerHour: number;
  /** Number of hours after which a document to which no application refers is deleted. */
  readonly orphanHours: number;
}

/** The limits on uploads when the configuration sets none. */
export const DEFAULT_UPLOAD_LIMITS: UploadLimits = {
  receiving: 128,
  spoolMb: 400,
  atOnce: 16,
  perPersonAtOnce: 3,
  perPersonPerHour: 60,
  orphanHours: 48,
};

/** `chunks` is the number of chunks so far, and `bytes` their total size (see `CHUNK_LIMITS`). */
export const hasTooManyChunks = (chunks: number, bytes: number): boolean =>
  chunks > CHUNK_LIMITS.many && bytes < chunks * CHUNK_LIMITS.smallest;
