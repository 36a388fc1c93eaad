/**
 * One fault in a request. `pointer` is a JSON Pointer into the body (RFC 6901), or the name of a parameter or header.
 * `code` is for programs to compare, and `detail` is a Dutch sentence for the user.
 */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}
