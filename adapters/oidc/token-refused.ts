/**
 * The error for a token that is not accepted. Its message is logged: a fixed word for the failed check, never a value
 * from the token.
 */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}
