import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import getRawBody from 'raw-body';
import { DEFAULT_WORLD, loginOf, type PeopleDirectory } from '../people/directory.ts';
import { nameOf } from '../people/names.ts';
import {
  type IssuerKind,
  LEVELS,
  levelIndexOf,
  loginPage,
  lowestLevelIndex,
  messagePage,
  PAGE_HEADERS,
  personasOf,
  personOf,
} from './page.ts';

interface LoginContext {
  readonly kind: IssuerKind;
  readonly provider: Provider;
  readonly directory: PeopleDirectory;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Maximum size of the submitted login form, in bytes. */
const MAX_FORM = 4_096;

/**
 * Answers a request to the login page. A POST logs in the chosen person or cancels the login, and sends the browser
 * back to the application; any other method shows the page. Answers 422 when there is no such person, and 400 when the
 * login cannot continue, for example because it has expired.
 */
export async function login(at: LoginContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const interaction = await at.provider.interactionDetails(request, response);
    if (request.method === 'POST') await handleForm(at, interaction, request, response);
    else send(response, 200, pageOf(at, interaction, null));
  } catch {
    // The cookie of the login is absent or has expired.
    const advice = 'Ga terug naar de toepassing en log daar opnieuw in.';
    send(response, 400, messagePage('Inloggen is niet gelukt', advice));
  }
}

async function handleForm(
  at: LoginContext,
  interaction: Interaction,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const form = new URLSearchParams(await getRawBody(request, { limit: MAX_FORM, encoding: 'utf-8' }));
  const { provider, kind, directory } = at;
  const finish = (result: Parameters<Provider['interactionFinished']>[2]) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  if (form.has('cancel')) {
    await finish({ error: 'access_denied', error_description: 'the person cancelled the login' });
    return;
  }
  const slug = (form.get('persona') || form.get('other') || '').trim().toLowerCase();
  const person = personOf(kind, directory, loginOf(form.get('world')?.trim() || DEFAULT_WORLD, slug));
  const rank = Math.max(levelIndexOf(form.get('acr')), lowestLevelIndex(interaction.params.acr_values));
  if (person === null) {
    const fault =
      slug === ''
        ? 'Kies wie u bent.'
        : 'Deze persoon is er niet. Kies iemand uit de lijst; een wereld heeft kleine letters, cijfers en streepjes.';
    send(response, 422, pageOf(at, interaction, { fault, form, rank }));
    return;
  }
  const login = { accountId: person.sub, acr: LEVELS[rank]?.acr, amr: ['simulated'] };
  // Consent too, so that a login with `prompt=consent` ends: `loadExistingGrant` grants everything.
  await finish({ login, consent: {} });
}

/** A login form that was refused: the Dutch error message, and the index in `LEVELS` that was chosen. */
interface Refused {
  readonly fault: string;
  readonly form: URLSearchParams;
  readonly rank: number;
}

/** Returns the HTML of the login page, with the values of the form that was refused; null for a first attempt. */
function pageOf({ kind, directory }: LoginContext, { params, session }: Interaction, refused: Refused | null): string {
  const hinted = typeof params.login_hint === 'string' ? params.login_hint : session?.accountId;
  const [first = '', world = DEFAULT_WORLD] = hinted?.split('@') ?? [];
  const people = personasOf(kind, directory).map((one) => ({ slug: one.slug, name: nameOf(one), shows: one.toont }));
  const lowest = lowestLevelIndex(params.acr_values);
  const isPersona = people.some(({ slug }) => slug === first);
  return loginPage({
    kind,
    people,
    first,
    values: {
      level: refused?.rank ?? lowest,
      world: refused?.form.get('world') ?? world,
      other: refused?.form.get('other') ?? (isPersona ? '' : first),
    },
    current: session === undefined ? null : (personOf(kind, directory, session.accountId)?.name ?? null),
    lowest,
    fault: refused?.fault ?? null,
  });
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, PAGE_HEADERS);
  response.end(html);
}
