import { setTimeout } from 'node:timers/promises';
import { createOidc, type OidcOptions } from '../../../adapters/oidc/index.ts';
import type { Identified } from '../../auth/identity.ts';
import type { TokenSettings, TrustedIssuer } from '../../auth/trusted-issuer.ts';
import { contentOf } from '../../config/variables-kinds.ts';
import { Problem } from '../../problem.ts';
import { type Expectations, inWords, NotTried, unless } from './check.ts';

// Milliseconds.
const INTERVAL = 20;

/** About discovery documents and keys, and an access token when `tokenFile` names a file with one. */
export function issuerExpectations(settings: TokenSettings, tokenFile: string | undefined): Expectations {
  const { professional, staff } = settings;
  return {
    ...keysExpectations('professionals', professional, settings),
    ...keysExpectations('staff', staff, settings),
    ...tokenExpectations(settings, tokenFile),
  };
}

// An issuer all of whose tokens are opaque has no keys that are read.
function keysExpectations(who: string, issuer: TrustedIssuer | null, settings: TokenSettings): Expectations {
  if (issuer === null || issuer.types.length === 0) return {};
  return {
    [`the discovery document and the keys of the issuer for ${who} can be read`]: ({ signal }) =>
      withIssuers({ ...settings, professional: issuer, staff: null }, signal, async () => null),
  };
}

function tokenExpectations(settings: TokenSettings, tokenFile: string | undefined): Expectations {
  let identified: Identified | null = null;
  const accepted = (): Identified => {
    if (identified === null) throw new NotTried('the token was not accepted');
    return identified;
  };
  const skip = tokenFile === undefined && 'it needs an access token of a test person; name a file with --token';
  return {
    'an access token is accepted': {
      skip,
      check: ({ signal }) =>
        withIssuers(settings, signal, async (oidc) => {
          const token = contentOf(tokenFile ?? '')?.trim();
          if (!token) return '--token names no file that can be read';
          try {
            identified = await oidc.identify({ headersDistinct: { authorization: [`Bearer ${token}`] } });
            return null;
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
            return `${error.status} ${error.code}${whyOf(error)}`;
          }
        }),
    },
    'it says the burgerservicenummer of a professional, or a role of staff': {
      skip,
      check: async () => {
        const { caller, found } = accepted();
        if (caller.kind === 'staff' && caller.roles.length === 0) return `no role${inToken(found)}`;
        if (caller.kind === 'professional' && caller.bsn === null)
          throw new NotTried('it has none, so the BRP and DUO cannot be asked about this person');
        return null;
      },
    },
    'its login is strong and recent enough to see full register numbers (X-Step-Up)': {
      skip,
      check: async () => {
        try {
          accepted().demandStepUp();
          return null;
        } catch (error) {
          if (error instanceof Problem)
            throw new NotTried(`it is not${whyOf(error)}. Log in again as for a step-up, and try that token`);
          throw error;
        }
      },
    },
  };
}

// Returns the reason of a refusal in the words of the service's log.
const whyOf = ({ extras: { reason, found } }: Problem): string =>
  reason === undefined ? '' : `: ${reason}${inToken(found)}`;

const inToken = (found: string | undefined): string => (found ? ` (in the token: ${found})` : '');

// Returns why the keys cannot be loaded when the first attempt fails.
async function withIssuers(
  settings: TokenSettings,
  signal: AbortSignal,
  work: (oidc: ReturnType<typeof createOidc>) => Promise<string | null>,
): Promise<string | null> {
  let failure: string | undefined;
  const notice: OidcOptions['notice'] = (event, _, why) => {
    if (event === 'keys-unavailable') failure ??= why;
  };
  const oidc = createOidc({ ...settings, maxWaiting: 1, rename: async () => undefined, notice });
  try {
    while (!oidc.ready() && failure === undefined) await setTimeout(INTERVAL, undefined, { signal });
    return oidc.ready() ? await work(oidc) : unless(false, inWords(failure ?? 'no answer'));
  } finally {
    await oidc.close();
  }
}
