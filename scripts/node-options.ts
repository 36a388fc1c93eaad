/** The options of Node with which the built service runs. Source: docs/decisions/0017. */
export const NODE_OPTIONS = ['--max-semi-space-size=16', '--initial-old-space-size=64'];
