/** A token that does not count. The reason is one of our own words, for the log; nothing of the token is in it. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}
