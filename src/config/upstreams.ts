/** The upstreams with a configuration. Each can be real or simulated independently of the others. */
export const CONFIGURED_UPSTREAMS = ['register', 'brp', 'duo', 'documenten'] as const;
/** The name of an upstream with a configuration. */
export type ConfiguredUpstream = (typeof CONFIGURED_UPSTREAMS)[number];

/** The prefixes of the environment variables, keyed by upstream. */
export const VARIABLE_PREFIX = {
  register: 'REGISTER',
  brp: 'BRP',
  duo: 'DUO',
  documenten: 'DOCUMENTS',
} as const satisfies Record<ConfiguredUpstream, string>;
