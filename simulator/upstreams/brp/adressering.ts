/**
 * How the BRP names and salutes a person: its members `aanhef`, `aanschrijfwijze` and `gebruikInLopendeTekst`, by the
 * rules in `features/bevragen/persoon/adressering` in the repository of the BRP API.
 */
import type { Geslacht, Naamgebruik, Titelcode } from '../../../fixtures/brp.ts';
import { FEMALE, joined, TITELS, type Titel, titleForm } from '../../people/names.ts';
import { type Naam, value, voorletters } from './words.ts';

/** What the name of a person in a letter is made of. A name is unknown when it is absent, empty or a full stop. */
export interface AdresseringFacts {
  readonly naam: Partial<Naam>;
  /** Undefined when it is unknown, like `O`. */
  readonly geslacht: Geslacht | undefined;
  /** Undefined when it is unknown: the person then uses the own name. */
  readonly naamgebruik: Naamgebruik | undefined;
  /** The partner or, without one, the last former partner; null for a person who never had one. */
  readonly partner: (Partial<Naam> & { readonly isEx?: boolean }) | null;
}

const USES: Readonly<Record<Naamgebruik, string>> = {
  E: 'eigen geslachtsnaam',
  P: 'geslachtsnaam partner',
  V: 'geslachtsnaam partner voor eigen geslachtsnaam',
  N: 'geslachtsnaam partner na eigen geslachtsnaam',
};

/** Returns the BRP's code for how a person uses the surname of the partner (`aanduidingNaamgebruik`). */
export const naamgebruikOf = (use: Naamgebruik) => value(use, USES[use]);

export const titelOf = (code: Titelcode, geslacht: Geslacht) => ({
  ...value(code, titleForm(code, geslacht)),
  soort: TITELS[code].soort,
});

/** A member is absent when the name that it needs is unknown. */
export function aanschrijvingOf({ naamgebruik = 'E', ...others }: AdresseringFacts) {
  const facts = { ...others, naamgebruik };
  const { naam: own, geslacht, partner } = facts;
  // With an unknown name of the partner, the own name is used.
  const use = partner !== null && isKnown(partner) ? naamgebruik : 'E';
  const [ownTitel, shared] = [ownTitelOf(facts, use), sharedTitelOf(facts)];
  const sharedInName = use === 'E' ? undefined : shared;
  const ownForm = geslacht === 'M' || geslacht === 'V' ? ownTitel?.[geslacht] : undefined;

  const ownPart = { form: ownForm, name: surnameOf(own) };
  const partnerPart = { form: sharedInName?.V, name: surnameOf(partner ?? {}) };
  const parts = { E: [ownPart], P: [partnerPart], V: [partnerPart, ownPart], N: [ownPart, partnerPart] }[use];
  const isNameKnown = use === 'P' || isKnown(own);
  const plain = parts.map(({ name }) => name).join('-');
  const titled = parts.map(({ form, name }) => joined(form, name)).join('-');
  const initials = voorletters(own.voornamen ?? '');

  const aanhef = honourIn(shared ?? ownTitel, geslacht) ?? (isNameKnown ? `Geachte ${named(plain)}` : undefined);
  // A predicate in front of the first surname goes to the front of the initials.
  const isPredicate = ownForm !== undefined && ownTitel?.soort === 'predicaat' && parts[0] === ownPart;
  const written = isPredicate
    ? capitalised(joined(ownForm, initials, titled.slice(ownForm.length + 1)))
    : joined(initials, initials === '' ? capitalised(titled) : titled);
  const formal = honourIn(
    sharedInName ?? (ownForm || ownTitel?.honour === 'Hoogheid' ? ownTitel : undefined),
    geslacht,
  );
  return {
    ...(aanhef !== undefined && { aanhef }),
    ...(isNameKnown && {
      aanschrijfwijze: {
        naam: written,
        ...(formal && { aanspreekvorm: `De ${formal.charAt(0).toLowerCase()}${formal.slice(1)}` }),
      },
      gebruikInLopendeTekst: parts[0]?.form ? titled : named(titled, 'de heer'),
    }),
  };

  /** Returns a name after `mevrouw` or `heer`, or after the initials when the sex is unknown. */
  function named(name: string, sir = 'heer'): string {
    if (geslacht === 'V') return `mevrouw ${capitalised(name)}`;
    if (geslacht === 'M') return `${sir} ${capitalised(name)}`;
    return initials === '' ? capitalised(name) : `${initials} ${name}`;
  }
}

// Returns the title or predicate of the person; there is none without the own name. A woman loses her predicate by
// marriage, and gets it back after the marriage when she uses her own name only.
function ownTitelOf({ naam, geslacht, partner, naamgebruik }: AdresseringFacts, use: Naamgebruik): Titel | undefined {
  const found = naam.adellijkeTitelPredicaat && TITELS[naam.adellijkeTitelPredicaat];
  const isLost = geslacht === 'V' && partner !== null && !(partner.isEx && naamgebruik === 'E');
  return use === 'P' || (found?.soort === 'predicaat' && isLost) ? undefined : found;
}

/** Returns the title that a woman has by courtesy, because her partner has it and she uses his name. */
function sharedTitelOf({ geslacht, partner, naamgebruik }: AdresseringFacts): Titel | undefined {
  const code = partner?.adellijkeTitelPredicaat;
  if (geslacht !== 'V' || naamgebruik === 'E' || code === undefined || FEMALE.has(code)) return undefined;
  return TITELS[code].isShared ? TITELS[code] : undefined;
}

/** Returns the honour of a title, such as `Hooggeboren vrouwe`. With an unknown sex, only a prince has one. */
function honourIn(found: Titel | undefined, geslacht: AdresseringFacts['geslacht']): string | undefined {
  if (found === undefined || found.honour === 'Hoogheid') return found?.honour;
  if (geslacht === 'M') return `${found.honour} heer`;
  return geslacht === 'V' ? `${found.honour} vrouwe` : undefined;
}

const isKnown = ({ geslachtsnaam }: Partial<Naam>): boolean => !['', '.'].includes(geslachtsnaam ?? '');
const surnameOf = ({ voorvoegsel, geslachtsnaam }: Partial<Naam>): string => joined(voorvoegsel, geslachtsnaam);
const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
