/** The in-memory store of oidc-provider, imported directly because using it as the default prints a warning. */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterFactory } from 'oidc-provider';

  export function createMemoryAdapter(): AdapterFactory;
}
