/** The upstreams that can each be real or simulated, as configured. */
export const CONFIGURED_UPSTREAMS = ['register', 'brp', 'duo', 'documenten'] as const;
export type ConfiguredUpstream = (typeof CONFIGURED_UPSTREAMS)[number];

/** The first part of the names of an upstream's environment variables, keyed by upstream. */
export const VARIABLE_PREFIX = {
  register: 'REGISTER',
  brp: 'BRP',
  duo: 'DUO',
  documenten: 'DOCUMENTS',
} as const satisfies Record<ConfiguredUpstream, string>;
