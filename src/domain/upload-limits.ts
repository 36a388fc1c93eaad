/** The limits of an upload (uploads.md, "Limits"). Limits that an operator may change are in the configuration. */

export const MIB = 1024 * 1024;

/**
 * Maximum size of a file in bytes, for every category. A file that arrives before its category is known is read up to
 * this size.
 */
export const HARD_CAP = 25 * MIB;
/** Maximum number of bytes in the request besides the file. */
export const OVERHEAD = 64 * 1024;

export const FORM = { files: 1, fields: 8, fieldBytes: 1024, parts: 10 };

/** Timeouts in milliseconds. `turn`: to wait for a slot to check and store a received file. */
export const TIME = { request: 120_000, turn: 30_000, scanner: 30_000, store: 60_000 };

/**
 * Minimum rate at which a client must send, in bytes per second (`uploads/transport/pace.ts`). `grace` is the time for
 * the first bytes and `window` the longest allowed pause, in milliseconds. A slow telephone sends ten times as fast; an
 * upload that sends single bytes loses its slot after about five seconds.
 */
export const PACE = { grace: 5_000, window: 15_000, bytesPerSecond: 4 * 1024 };

/** Maximum number of milliseconds that a whole upload can take. */
export const MAX_UPLOAD_TIME = TIME.request + TIME.turn + TIME.scanner + 2 * TIME.store;

/**
 * Milliseconds after which the claim on a `localId` expires. It is renewed three times in this period while the upload
 * is in progress. An expired claim was left by a process that stopped, and the client may try again.
 */
export const LEASE = 15_000;

/**
 * Limits on the chunks in which a request arrives, because each chunk costs the same however small it is. A network
 * makes chunks of 500 bytes or more. After each `batch` other requests are handled first; after `many` chunks their
 * average must be `smallest` bytes.
 */
export const CHUNK_LIMITS = { batch: 256, many: 2_000, smallest: 64 };

/**
 * Maximum number and total size of the documents of one owner in one wizard that are not part of a submitted
 * application.
 */
export const QUOTA = { documents: 30, bytes: 150 * MIB };

/** Maximum number of pixels of an image. */
export const MAX_PIXELS = 50_000_000;

/** Maximum number of `localIds` in one status request. */
export const MAX_LOCAL_IDS = 50;

/** Maximum number of downloads at the same time: of all persons in this process, and of one person. */
export const MAX_DOWNLOADS = 384;
export const MAX_DOWNLOADS_PER_OWNER = 100;

/** The default limits. */
export const DEFAULT_UPLOAD_LIMITS: UploadLimits = {
  receiving: 128,
  spoolMb: 400,
  atOnce: 16,
  perPersonAtOnce: 3,
  perPersonPerHour: 60,
  orphanHours: 48,
};

/** The limits that an operator can set. */
export interface UploadLimits {
  /** Maximum number of uploads in progress at the same time in this process. */
  readonly receiving: number;
  /** Maximum size of these uploads together in memory and temporary files, in MB of 1,048,576 bytes. */
  readonly spoolMb: number;
  /** Maximum number of files that are checked and stored at the same time in this process. */
  readonly atOnce: number;
  /** Maximum number of uploads of one person, at the same time and in an hour. */
  readonly perPersonAtOnce: number;
  readonly perPersonPerHour: number;
  /** Number of hours for which a document without an application is kept. */
  readonly orphanHours: number;
}

/** Returns true when a body arrives in so many small chunks that reading it costs too much. */
export const hasTooManyChunks = (pieces: number, bytes: number): boolean =>
  pieces > CHUNK_LIMITS.many && bytes < pieces * CHUNK_LIMITS.smallest;
