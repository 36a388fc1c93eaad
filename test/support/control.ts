import { expect } from 'vitest';
import { fetchDocument, openApiFaults } from './openapi.ts';
import type { Reply, TestService } from './service.ts';

export interface Control {
  /**
   * Sends one request to `path` below `/_simulator` (the API by which tests change the simulator). Fails the test when
   * a successful answer does not match the OpenAPI document of that API.
   */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** Returns functions that send requests about one world. */
  in(world: string): {
    get(path?: string): Promise<Reply>;
    put(path: string, json?: unknown): Promise<Reply>;
    post(path: string, json?: unknown): Promise<Reply>;
    delete(path: string): Promise<Reply>;
  };
}

/** Returns a client of the control API (by which tests change the simulator) of a service. */
export function controlOf(service: TestService): Control {
  const call: Control['call'] = async (method, path, json, headers) => {
    const reply = await service.call(method, `/_simulator${path}`, { json, ...(headers && { headers }) });
    if (reply.status >= 400) return reply;
    expect(openApiFaults(await fetchDocument(service.url, '/_simulator/openapi.json'), method, path, reply)).toEqual(
      [],
    );
    return reply;
  };
  return {
    call,
    in(world) {
      const path = (rest: string) => `/worlds/${world}${rest}`;
      return {
        get: (rest = '') => call('GET', path(rest)),
        put: (rest, json) => call('PUT', path(rest), json),
        post: (rest, json) => call('POST', path(rest), json),
        delete: (rest) => call('DELETE', path(rest)),
      };
    },
  };
}
