/**
 * The type to send where a response has `T`: every member is optional and absent means null. A response always has all
 * members.
 */
export type Sent<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]?: Sent<T[Name]> | undefined }
      : T;
