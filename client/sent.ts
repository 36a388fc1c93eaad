/**
 * The type of a value in a request where a response has `T`. In a request each member is optional, and an absent member
 * means null; a response always has all members.
 */
export type Sent<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]?: Sent<T[Name]> | undefined }
      : T;
