/**
 * The names that the request member `fields` may contain, and the selection of those fields, as in
 * `features/fields-filtered-Persoon.csv` and `features/validatie/personen` in the repositories of the BRP API.
 */

// Names of members that several groups have, separated by spaces.
const NAAM = 'adellijkeTitelPredicaat geslachtsnaam voorletters voornamen voorvoegsel';
const GEBOORTE = 'datum land plaats';
const BINNENLAND =
  'aanduidingBijHuisnummer huisletter huisnummer huisnummertoevoeging korteStraatnaam officieleStraatnaam postcode woonplaats locatiebeschrijving';
const PLACE =
  'datumIngangGeldigheid datumVan functieAdres adresseerbaarObjectIdentificatie nummeraanduidingIdentificatie verblijfadres type';
/** Separated by spaces. The key of a group within another group is its path, such as `kinderen.naam`. */
const GROUPS: Readonly<Record<string, string>> = {
  adressering: 'adresregel1 adresregel2 adresregel3 land aanhef aanschrijfwijze gebruikInLopendeTekst',
  'adressering.aanschrijfwijze': 'aanspreekvorm naam',
  adresseringBinnenland: 'adresregel1 adresregel2 aanhef aanschrijfwijze gebruikInLopendeTekst',
  'adresseringBinnenland.aanschrijfwijze': 'aanspreekvorm naam',
  europeesKiesrecht: 'aanduiding einddatumUitsluiting',
  geboorte: GEBOORTE,
  immigratie:
    'datumVestigingInNederland indicatieVestigingVanuitBuitenland landVanwaarIngeschreven vanuitVerblijfplaatsOnbekend',
  kinderen: 'burgerservicenummer geboorte naam',
  'kinderen.geboorte': GEBOORTE,
  'kinderen.naam': NAAM,
  naam: `${NAAM} volledigeNaam aanduidingNaamgebruik`,
  nationaliteiten: 'redenOpname datumIngangGeldigheid nationaliteit type',
  ouders: 'burgerservicenummer datumIngangFamilierechtelijkeBetrekking geboorte geslacht naam ouderAanduiding',
  'ouders.geboorte': GEBOORTE,
  'ouders.naam': NAAM,
  overlijden: GEBOORTE,
  partners:
    'aangaanHuwelijkPartnerschap burgerservicenummer geboorte geslacht naam ontbindingHuwelijkPartnerschap soortVerbintenis',
  'partners.aangaanHuwelijkPartnerschap': GEBOORTE,
  'partners.geboorte': GEBOORTE,
  'partners.naam': NAAM,
  'partners.ontbindingHuwelijkPartnerschap': 'datum',
  uitsluitingKiesrecht: 'einddatum uitgeslotenVanKiesrecht',
  verblijfplaats: PLACE,
  'verblijfplaats.verblijfadres': `${BINNENLAND} land regel1 regel2 regel3`,
  verblijfplaatsBinnenland: PLACE,
  'verblijfplaatsBinnenland.verblijfadres': BINNENLAND,
  verblijfstitel: 'aanduiding datumEinde datumIngang',
};

const SINGLE =
  'aNummer burgerservicenummer datumEersteInschrijvingGBA datumInschrijvingInGemeente gemeenteVanInschrijving geslacht gezag indicatieCurateleRegister indicatieGezagMinderjarige leeftijd';

const FIELDS: ReadonlySet<string> = new Set([
  ...SINGLE.split(' '),
  ...Object.entries(GROUPS).flatMap(([group, names]) => [group, ...names.split(' ').map((name) => `${group}.${name}`)]),
]);

/**
 * All fields that can be asked for, without the fields that are part of another field: a request with this list gets
 * everything.
 */
export const ALL_FIELDS: readonly string[] = [...FIELDS].filter((field) => !/\.|Binnenland$/.test(field));

/** Matches the path of a member that is a date or a value of a code table. */
const VALUE =
  /(^|\.)(land\w*|plaats|geslacht|gemeenteVanInschrijving|indicatieGezagMinderjarige|aanduiding\w*|adellijkeTitelPredicaat|redenOpname|nationaliteit|functieAdres|soortVerbintenis|datum\w*|einddatum\w*)$/;

/** Matches the path of a member that the BRP sends by itself, and that a request may not name. */
const SENT_BY_ITSELF =
  /(^|\.)inOnderzoek(\.|$)|^(geheimhoudingPersoonsgegevens|opschortingBijhouding|rni|verificatie)(\.|$)|\.indicatieVastgesteldVerblijftNietOpAdres$/;
const FIELD_NAME = /^[a-zA-Z0-9._]{1,200}$/;
/** The same pattern, as the BRP writes it in a refusal. */
const FIELD_PATTERN = '^[a-zA-Z0-9\\._]{1,200}$';

/** Returns the code and the reason with which the BRP refuses a field name; null for a name that it accepts. */
export function fieldError(field: unknown): [code: string, reason: string] | null {
  if (typeof field !== 'string' || !FIELD_NAME.test(field))
    return ['pattern', `Waarde voldoet niet aan patroon ${FIELD_PATTERN}.`];
  if (pathOf(field) !== null) return null;
  return ['fields', `Parameter bevat een niet ${SENT_BY_ITSELF.test(field) ? 'toegestane' : 'bestaande'} veldnaam.`];
}

/** Any part of a date or of a code table value requests the whole: `geboorte.datum.jaar` gives `geboorte.datum`. */
function pathOf(field: string): string | null {
  if (FIELDS.has(field)) return field;
  const above = field.slice(0, Math.max(0, field.lastIndexOf('.')));
  return FIELDS.has(above) && VALUE.test(above) ? above : null;
}

type Group = Readonly<Record<string, unknown>>;

/** Returns the requested fields of a person and the members that the BRP always sends. Ignores unknown fields. */
export function selectFields(persoon: Group, fields: readonly string[]): Group {
  const paths = fields.flatMap((field) => pathOf(field) ?? []);
  const inland = ['Adres', 'Locatie'].includes(String((persoon.verblijfplaats as Group | undefined)?.type));
  const asked = paths.flatMap((path) => {
    const plain = path.replace('Binnenland', '');
    // The name to write to does not depend on where the person lives.
    if (plain === path || NAME_TO_WRITE_TO.test(plain)) return [plain];
    if (!inland) return [];
    return plain === 'adressering' ? ['adressering.adresregel1', 'adressering.adresregel2'] : [plain];
  });
  const { rni, ...others } = persoon as { rni?: readonly { categorie: string }[] };
  const participants = rni?.filter(({ categorie }) => asked.some((path) => CATEGORIES[categorie]?.test(path)));
  const selected = select(
    others,
    asked.map((path) => path.split('.')),
  );
  // What the municipality established about the address comes with the address lines only.
  if (selected.adressering && !asked.some((path) => /^adressering($|\.(adresregel|land))/.test(path)))
    delete (selected.adressering as Record<string, unknown>).indicatieVastgesteldVerblijftNietOpAdres;
  // Without a salutation the group is empty; without address lines, or a name to write to, there is no group.
  if (isEmpty(selected.adressering) && !asked.some((path) => /^adressering(\.aanhef)?$/.test(path)))
    delete selected.adressering;
  const lists = LISTS.filter((name) => !(name in selected) && asked.some((path) => path.split('.')[0] === name));
  return {
    ...Object.fromEntries(lists.map((name) => [name, []])),
    ...Object.fromEntries(ALWAYS_SENT.flatMap((name) => (name in persoon ? [[name, persoon[name]]] : []))),
    ...(participants !== undefined && participants.length > 0 && { rni: participants }),
    ...selected,
  };
}

/** Matches the path of a field that is made of the name. */
const NAME_TO_WRITE_TO = /^adressering\.(aanhef|aanschrijfwijze|gebruik)/;

const isEmpty = (group: unknown): boolean => Object.keys(group ?? {}).length === 0;

/** Matches the path of a field that is made of data in this category of the BRP. */
const CATEGORIES: Readonly<Record<string, RegExp>> = {
  Persoon: /^(naam|geboorte|geslacht|leeftijd|adressering$|adressering\.(aanhef|aanschrijfwijze|gebruik))/,
  Verblijfplaats:
    /^(verblijfplaats|gemeenteVan|datumInschrijvingIn|immigratie|adressering$|adressering\.(adresregel|land))/,
};

/** The members that are sent as an empty list when the person has none. */
const LISTS = ['kinderen', 'ouders', 'partners'];

const ALWAYS_SENT = ['geheimhoudingPersoonsgegevens', 'opschortingBijhouding', 'verificatie'];

/** The members of a group that are sent with any other member of that group. */
const ALWAYS_IN_GROUP = ['type', 'indicatieVastgesteldVerblijftNietOpAdres'];

/** Returns the members of a group that are in `paths`, and always `ALWAYS_IN_GROUP`. A path is a list of names. */
function select(from: Group, paths: readonly (readonly string[])[]): Record<string, unknown> {
  const selected: Record<string, unknown> = {};
  const names = new Set(paths.map(([head = '']) => head));
  for (const name of names) {
    if (!(name in from)) continue;
    const deeper = paths.filter(([head]) => head === name).map(([, ...rest]) => rest);
    selected[name] = deeper.some((rest) => rest.length === 0) ? from[name] : selectFrom(from[name], deeper);
  }
  for (const name of ALWAYS_IN_GROUP) if (name in from) selected[name] = from[name];
  const doubts = Object.entries((from.inOnderzoek ?? {}) as Group);
  const selectedDoubts = doubts.filter(([name]) => names.has(name) || (name === 'type' && 'type' in selected));
  const since = doubts.filter(([name]) => name.startsWith('datumIngangOnderzoek'));
  if (selectedDoubts.length > 0) selected.inOnderzoek = Object.fromEntries([...selectedDoubts, ...since]);
  return selected;
}

const selectFrom = (value: unknown, paths: readonly (readonly string[])[]): unknown =>
  Array.isArray(value) ? value.map((one: Group) => select(one, paths)) : select(value as Group, paths);
