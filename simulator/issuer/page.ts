import type { Persona } from '../../fixtures/person.ts';
import type { PeopleDirectory } from '../people/directory.ts';
import { nameOf } from '../people/names.ts';
import { escapeHtml } from '../text.ts';

export interface LoginPage {
  readonly kind: IssuerKind;
  readonly people: readonly { readonly slug: string; readonly name: string; readonly shows: string }[];
  /** Slug of the person at the top of the list; empty, or that of a person who is not in the list, for none. */
  readonly first: string;
  /** The values with which the form starts. `level` is an index in `LEVELS`; `other` is empty for a persona. */
  readonly values: { readonly level: number; readonly world: string; readonly other: string };
  /** Of the person who is already logged in. */
  readonly current: string | null;
  /** Index in `LEVELS` of the lowest level that the application accepts. */
  readonly lowest: number;
  /** Dutch error message about the previous attempt; null for a first attempt. */
  readonly fault: string | null;
}

/** The headers of a page: no scripts, not shown in a frame, and not cached. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const TITLES: Readonly<Record<IssuerKind, string>> = {
  professional: 'Inloggen als burger',
  staff: 'Inloggen als medewerker',
};

/** The first button is hidden: Enter in a field presses it, for the person in the field `other`. */
export function loginPage({ kind, people, first, values, current, lowest, fault }: LoginPage): string {
  const sorted = [...people.filter(({ slug }) => slug === first), ...people.filter(({ slug }) => slug !== first)];
  const intro =
    current === null
      ? '<p>Kies wie u bent. Alle personen zijn verzonnen.</p>'
      : `<p>U bent al ingelogd als ${escapeHtml(current)}. De toepassing vraagt u om opnieuw in te loggen.</p>`;
  return htmlOf(
    TITLES[kind],
    `${fault === null ? '' : `<p class="fault" role="alert">${escapeHtml(fault)}</p>`}
${intro}
<form method="post">
<button hidden name="persona" value="">Inloggen</button>
<p><label for="acr">Betrouwbaarheidsniveau</label>
<select id="acr" name="acr">
${LEVELS.map(({ acr, name }, at) => `<option value="${acr}"${at === values.level ? ' selected' : ''}>${name}</option>`)
  .slice(lowest)
  .join('\n')}
</select></p>
<p><label for="world">Wereld van de simulator</label>
<input id="world" name="world" value="${escapeHtml(values.world)}" autocomplete="off" autocapitalize="none" spellcheck="false"></p>
<h2>Wie bent u?</h2>
<ul>
${sorted
  .map(
    ({ slug, name, shows }) =>
      `<li><button name="persona" value="${escapeHtml(slug)}" aria-describedby="over-${escapeHtml(slug)}">${escapeHtml(name)}</button><span id="over-${escapeHtml(slug)}">${escapeHtml(shows)}</span></li>`,
  )
  .join('\n')}
</ul>
${kind === 'staff' ? '' : otherPerson(values.other)}
<p><button class="plain" name="cancel" value="yes" formnovalidate>Annuleren</button></p>
</form>`,
  );
}

const otherPerson = (value: string): string => `<h2>Iemand anders</h2>
<p><label for="other">Naam van een verzonnen burger, bijvoorbeeld burger-12</label>
<input id="other" name="other" value="${escapeHtml(value)}" autocomplete="off" autocapitalize="none" spellcheck="false"></p>
<p><button name="persona" value="">Inloggen</button></p>`;

export const logoutPage = (form: string): string =>
  htmlOf(
    'Uitloggen',
    `<p>Wilt u uitloggen?</p>
${form}
<p><button form="op.logoutForm" name="logout" value="yes">Ja, uitloggen</button></p>
<p><button class="plain" form="op.logoutForm">Nee, ingelogd blijven</button></p>`,
  );

export const messagePage = (title: string, text: string): string => htmlOf(title, `<p>${escapeHtml(text)}</p>`);

const htmlOf = (title: string, content: string): string => `<!doctype html>
<html lang="nl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${CSS}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
<footer><p>Dit is de gesimuleerde inlogdienst van zorgregister-bff, alleen voor ontwikkeling.</p></footer>
</body>
</html>
`;

const CSS = `
:root { color-scheme: light dark; --blue: light-dark(#154273, #b8d4ee); --on-blue: light-dark(#fff, #0a2240); --line: light-dark(#566070, #9aa6b5) }
* { box-sizing: border-box }
body { margin: 0; font: 1.0625rem/1.5 "Source Sans 3", "Segoe UI", sans-serif; background: Canvas; color: CanvasText }
main, footer { max-width: 40rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.75rem; line-height: 1.2 }
h2 { font-size: 1.25rem }
ul { list-style: none; padding: 0; display: grid; gap: .75rem }
li { display: grid; gap: .25rem; border: 1px solid var(--line); border-radius: .25rem; padding: .75rem }
label { display: block; font-weight: 600 }
input, select, button { font: inherit; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border-radius: .25rem; border: 1px solid var(--line) }
button { background: var(--blue); color: var(--on-blue); border-color: var(--blue); font-weight: 600; text-align: left; cursor: pointer }
button.plain { background: none; color: var(--blue) }
:focus-visible { outline: 3px solid CanvasText; outline-offset: 2px }
.fault { border-left: .25rem solid light-dark(#a4001d, #ff9aa8); padding-left: .75rem }
`;

export type IssuerKind = 'professional' | 'staff';

export interface LoginPerson {
  /** The claim `sub`: `<slug>`, or `<slug>@<world>`. */
  readonly sub: string;
  readonly name: string;
  /** Besides `sub`: the roles and, for a professional who has one, the burgerservicenummer. */
  readonly claims: Readonly<Record<string, string | readonly string[]>>;
}

export const personasOf = (kind: IssuerKind, directory: PeopleDirectory): readonly Persona[] =>
  directory.personas().filter((persona) => (persona.kind === 'staff') === (kind === 'staff'));

/** Returns a person by login (`<slug>` or `<slug>@<world>`), never by burgerservicenummer; null when there is none. */
export function personOf(kind: IssuerKind, directory: PeopleDirectory, login: string): LoginPerson | null {
  const slug = login.split('@')[0] ?? '';
  const persona = directory.persona(slug);
  const name = persona === undefined ? slug : nameOf(persona);
  if (kind === 'staff') {
    const known = directory.staff(login);
    if (known === null || persona?.kind !== 'staff') return null;
    return { sub: known.subject, name, claims: { roles: persona.rollen } };
  }
  const known = directory.professional(login);
  if (known === null || /^\d+$/.test(login)) return null;
  const roles = persona?.kind === 'letter' ? [persona.role] : [];
  return { sub: known.subject, name, claims: { ...(known.bsn !== null && { bsn: known.bsn }), roles } };
}

/**
 * The eIDAS levels of assurance (how certain it is who logged in), from low to high. `acr` is the value of the claim
 * `acr`; `name` is shown on the login page.
 */
export const LEVELS = [
  { acr: 'http://eidas.europa.eu/LoA/low', name: 'Laag (zoals DigiD Midden)' },
  { acr: 'http://eidas.europa.eu/LoA/substantial', name: 'Substantieel (zoals DigiD Substantieel)' },
  { acr: 'http://eidas.europa.eu/LoA/high', name: 'Hoog (zoals DigiD Hoog)' },
] as const;

/** The values of `acr` that are high enough for a step-up (a login on a higher level). */
export const STEP_UP_LEVELS = LEVELS.slice(1).map(({ acr }) => acr);

export const levelIndexOf = (acr: unknown): number => LEVELS.findIndex((level) => level.acr === acr);

/**
 * Returns the index in `LEVELS` of the lowest level in `acr_values`, a parameter of the login request with values of
 * `acr` separated by spaces; 0 when it has no known level.
 */
export function lowestLevelIndex(acrValues: unknown): number {
  const ranks = typeof acrValues === 'string' ? acrValues.split(' ').map(levelIndexOf) : [];
  const known = ranks.filter((rank) => rank >= 0);
  return known.length === 0 ? 0 : Math.min(...known);
}
