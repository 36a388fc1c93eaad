/**
 * The in-memory store of oidc-provider. The simulator imports it directly, because the provider's default prints a
 * warning that it is only for development.
 */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterFactory } from 'oidc-provider';

  export function createMemoryAdapter(): AdapterFactory;
}
