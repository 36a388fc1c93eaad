/** An issuer of access tokens for the benchmark, in the same process. */
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { BSN } from './bodies.ts';
import { listen } from './process.ts';

export const AUDIENCE = 'https://bff.example';

/**
 * Starts a token issuer in this process. `token` of the result returns an access token for a professional, with the role
 * of drafter, which is valid for an hour.
 */
export async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' }];
  const server = createServer(({ url = '' }, response) => {
    const body = JSON.stringify(url === '/keys' ? { keys } : { issuer: address, jwks_uri: `${address}/keys` });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const address = await listen(server);
  const now = Math.floor(Date.now() / 1_000);
  return {
    url: address,
    token: (sub: string): Promise<string> =>
      new SignJWT({
        iss: address,
        aud: AUDIENCE,
        sub,
        bsn: BSN,
        roles: ['drafter'],
        client_id: 'portal',
        jti: sub,
        iat: now,
        exp: now + 3_600,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })
        .sign(privateKey),
    close: () => server.close(),
  };
}
