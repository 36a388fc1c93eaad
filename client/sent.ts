/** What may be sent for `T`: a member that is left out counts as null, whereas an answer always has them all. */
export type Sent<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]?: Sent<T[Name]> | undefined }
      : T;
