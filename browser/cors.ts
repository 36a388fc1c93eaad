import { ALLOWED_HEADERS, EXPOSED_HEADERS } from '../src/http/middleware/cors.ts';

/**
 * Returns the response headers that allow a page of any origin to read the answer (CORS). They are needed because
 * simulated browsers, such as happy-dom, check CORS too.
 */
export function originHeaders(request: Request): Record<string, string> {
  const origin = request.headers.get('Origin');
  return {
    'Access-Control-Allow-Origin': origin ?? '*',
    ...(origin !== null && { 'Access-Control-Allow-Credentials': 'true' }),
    'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
  };
}

/**
 * Returns the answer to a CORS preflight, by which a browser asks whether it may send a request; null for another
 * request.
 */
export function preflight(request: Request): Response | null {
  if (request.method !== 'OPTIONS' || !request.headers.has('Access-Control-Request-Method')) return null;
  const headers = {
    ...originHeaders(request),
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE',
    'Access-Control-Allow-Headers': [
      ...ALLOWED_HEADERS,
      'X-Subject',
      'X-Role',
      'X-Medewerker',
      'X-Rollen',
      'Prefer',
    ].join(),
  };
  return new Response(null, { status: 204, headers });
}
