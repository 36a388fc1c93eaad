/** The upstreams. Each can be real or simulated independently of the others. */
export const SOURCES = ['register', 'brp', 'duo', 'documenten'] as const;
/** Name of an upstream that has a configuration of its own. */
export type Source = (typeof SOURCES)[number];

/** Prefix of the variables of each upstream. */
export const PREFIX = {
  register: 'REGISTER',
  brp: 'BRP',
  duo: 'DUO',
  documenten: 'DOCUMENTS',
} as const satisfies Record<Source, string>;
