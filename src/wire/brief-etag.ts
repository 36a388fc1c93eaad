/** The version alone would not do, because each new letter starts at version 1. */
export const etagOf = ({ briefId, version }: { readonly briefId: string; readonly version: number }): string =>
  `"${briefId}.${version}"`;
