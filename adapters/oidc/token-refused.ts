/** A token is not accepted. The message is logged: a fixed word for the failed check, never a value from the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  /** What the token has instead, for the log: names and kinds, never a value. */
  found: string | undefined;

  constructor(check: string, found?: string) {
    super(check);
    this.found = found;
  }
}
