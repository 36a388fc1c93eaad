/** Request headers that a page of another origin may send (CORS). */
export const ALLOWED_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'X-Requested-With',
  'X-Step-Up',
  'baggage',
  'sentry-trace',
  'traceparent',
  'tracestate',
];

/** Response headers that a page of another origin may read (CORS). */
export const EXPOSED_HEADERS = [
  'API-Version',
  'Content-Disposition',
  'Date',
  'ETag',
  'Location',
  'Repr-Digest',
  'Retry-After',
  'WWW-Authenticate',
  'X-Simulated',
  'traceparent',
];
