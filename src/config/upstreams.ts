/** The upstreams. Each can be real or simulated independently of the others. */
export const CONFIGURED_UPSTREAMS = ['register', 'brp', 'duo', 'documenten'] as const;
/** Name of an upstream that has a configuration of its own. */
export type ConfiguredUpstream = (typeof CONFIGURED_UPSTREAMS)[number];

/** Prefix of the variables of each upstream. */
export const VARIABLE_PREFIX = {
  register: 'REGISTER',
  brp: 'BRP',
  duo: 'DUO',
  documenten: 'DOCUMENTS',
} as const satisfies Record<ConfiguredUpstream, string>;
