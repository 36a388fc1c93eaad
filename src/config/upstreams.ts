/** The sources that can be simulated or real, one by one. */
export const SOURCES = ['register', 'brp', 'duo', 'documenten'] as const;
export type Source = (typeof SOURCES)[number];

/** How the variables of a source begin. */
export const PREFIX = {
  register: 'REGISTER',
  brp: 'BRP',
  duo: 'DUO',
  documenten: 'DOCUMENTS',
} as const satisfies Record<Source, string>;
