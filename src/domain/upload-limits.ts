/** What bounds an upload (uploads.md, "Limits"). Those that an operator may want otherwise are in the configuration. */

export const MIB = 1024 * 1024;

/** No file is larger, whatever its category allows: it is what a file that comes before its fields is read up to. */
export const HARD_CAP = 25 * MIB;
/** Room in the request for everything that is not the file. */
export const OVERHEAD = 64 * 1024;

export const FORM = { files: 1, fields: 8, fieldBytes: 1024, parts: 10 };

/** Milliseconds. `turn`: until there is a place to check and store a file that has come in. */
export const TIME = { request: 120_000, turn: 30_000, scanner: 30_000, store: 60_000 };

/**
 * How fast a client must send. A slow telephone sends ten times as much (10 MB in 120 s is 87 KB a second); an upload that
 * sends a byte now and then keeps its place for five seconds.
 */
export const PACE = { grace: 5_000, window: 15_000, bytesPerSecond: 4 * 1024 };

/** Milliseconds that a whole upload can take. */
export const MAX_UPLOAD_TIME = TIME.request + TIME.turn + TIME.scanner + 2 * TIME.store;

/**
 * Milliseconds that the claim on a `localId` lasts. It is renewed while the upload is at work, three times in that time: one that
 * has lapsed was left by a process that died, and the client may try again.
 */
export const LEASE = 15_000;

/**
 * Pieces in which a request comes in, each of which costs the same however small it is. A network makes pieces of 500 bytes or
 * more; chunks of a byte are an attack. After each `batch` others get their turn; after `many` the average must be `smallest` bytes.
 */
export const CHUNK_LIMITS = { batch: 256, many: 2_000, smallest: 64 };

/** What one owner may have in one wizard that has not been handed in. */
export const QUOTA = { documents: 30, bytes: 150 * MIB };

/** Pixels of an image. */
export const MAX_PIXELS = 50_000_000;

/** `localIds` in one question. */
export const MAX_LOCAL_IDS = 50;

/** Documents that are being read at the same time: of everybody in this process, and of one person. */
export const MAX_DOWNLOADS = 384;
export const MAX_DOWNLOADS_PER_OWNER = 100;

/** Unless an operator decides otherwise. */
export const DEFAULT_UPLOAD_LIMITS: UploadLimits = {
  receiving: 128,
  spoolMb: 400,
  atOnce: 16,
  perPersonAtOnce: 3,
  perPersonPerHour: 60,
  orphanHours: 48,
};

/** What an operator decides. */
export interface UploadLimits {
  /** Uploads under way at the same time in this process, most of them still coming in. */
  readonly receiving: number;
  /** What those may have in memory and in temporary files together, in MB of 1,048,576 bytes. */
  readonly spoolMb: number;
  /** Files that are checked and stored at the same time in this process. */
  readonly atOnce: number;
  /** Uploads under way at the same time, and in an hour, of one person. */
  readonly perPersonAtOnce: number;
  readonly perPersonPerHour: number;
  /** Hours that a document to which no application refers is kept. */
  readonly orphanHours: number;
}

/** True for a body that comes in so many small pieces that reading it costs more than it may. */
export const hasTooManyChunks = (pieces: number, bytes: number): boolean =>
  pieces > CHUNK_LIMITS.many && bytes < pieces * CHUNK_LIMITS.smallest;
