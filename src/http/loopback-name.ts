/**
 * Matches a `Host` header that names this machine: `localhost`, a name below it such as `app.localhost` (RFC 6761,
 * section 6.3), or its address, with an optional port. The first group is the name.
 */
export const LOOPBACK_HOST = /^((?:[a-z0-9_-]{1,63}\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Matches the origin of a page on this machine, on every port. */
export const LOOPBACK_ORIGIN = /^https?:\/\/(?:(?:[a-z0-9_-]{1,63}\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
