/** A fault in a request. `pointer` is a JSON Pointer into the body, or the name of a parameter or header. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}
