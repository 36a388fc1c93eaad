/** The names that `fields` may have, and the selection of what they ask for (`features/fields-filtered-Persoon.csv`). */

/** A group of members: its name, and the names of its members. A member that has members of its own is a group as well. */
const NAAM = 'adellijkeTitelPredicaat geslachtsnaam voorletters voornamen voorvoegsel';
const GEBOORTE = 'datum land plaats';
const BINNENLAND =
  'aanduidingBijHuisnummer huisletter huisnummer huisnummertoevoeging korteStraatnaam officieleStraatnaam postcode woonplaats locatiebeschrijving';
const PLACE =
  'datumIngangGeldigheid datumVan functieAdres adresseerbaarObjectIdentificatie nummeraanduidingIdentificatie verblijfadres type';
const GROUPS: Readonly<Record<string, string>> = {
  adressering: 'adresregel1 adresregel2 adresregel3 land aanhef aanschrijfwijze gebruikInLopendeTekst',
  'adressering.aanschrijfwijze': 'aanspreekvorm naam',
  adresseringBinnenland: 'adresregel1 adresregel2',
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

/** Fields without members, beside those of the groups. */
const SINGLE =
  'aNummer burgerservicenummer datumEersteInschrijvingGBA datumInschrijvingInGemeente gemeenteVanInschrijving geslacht gezag indicatieCurateleRegister leeftijd';

/** All fields: groups, and everything in them. */
const FIELDS: ReadonlySet<string> = new Set([
  ...SINGLE.split(' '),
  ...Object.entries(GROUPS).flatMap(([group, names]) => [group, ...names.split(' ').map((name) => `${group}.${name}`)]),
]);

/** The shortest list of fields that asks for everything; `…Binnenland` is the same data again. */
export const ALL_FIELDS: readonly string[] = [...FIELDS].filter((field) => !/\.|Binnenland$/.test(field));

/** Members of a value of a code table, and of a date; a path that ends in one asks for the whole value. */
const VALUE_PARTS = new Set([
  'code',
  'omschrijving',
  'soort',
  'langFormaat',
  'type',
  'datum',
  'onbekend',
  'jaar',
  'maand',
]);
/** Members that are a value of a code table or a date, by the last part of their name. */
const VALUE =
  /(^|\.)(land\w*|plaats|geslacht|gemeenteVanInschrijving|aanduiding\w*|adellijkeTitelPredicaat|redenOpname|nationaliteit|functieAdres|soortVerbintenis|datum\w*|einddatum\w*)$/;

/** Returns the path that a field stands for; null when there is no such field. */
export function pathOf(field: string): string | null {
  if (FIELDS.has(field)) return field;
  const at = field.lastIndexOf('.');
  const above = field.slice(0, Math.max(0, at));
  return FIELDS.has(above) && VALUE.test(above) && VALUE_PARTS.has(field.slice(at + 1)) ? above : null;
}

type Group = Readonly<Record<string, unknown>>;

/**
 * Returns what these fields ask of a person, and what is always sent. A group that has none of its asked members is an
 * empty object; what is under investigation is sent with the member that it is about.
 */
export function selectFields(persoon: Group, fields: readonly string[]): Group {
  const paths = fields.flatMap((field) => pathOf(field) ?? []);
  const inland = ['Adres', 'Locatie'].includes(String((persoon.verblijfplaats as Group | undefined)?.type));
  const asked = paths.flatMap((path) => {
    const alias = /^(verblijfplaats|adressering)Binnenland/.exec(path);
    if (alias === null) return [path];
    const whole = path === 'adresseringBinnenland' ? ['adressering.adresregel1', 'adressering.adresregel2'] : [];
    return inland ? [...whole, ...(whole.length > 0 ? [] : [path.replace('Binnenland', '')])] : [];
  });
  const about = (names: readonly string[]): boolean => asked.some((path) => names.includes(path.split('.')[0] ?? ''));
  const { rni, ...others } = persoon as { rni?: readonly { categorie: string }[] };
  const participants = rni?.filter(({ categorie }) =>
    about(
      categorie === 'Verblijfplaats' ? ['verblijfplaats', 'adressering'] : ['naam', 'geboorte', 'geslacht', 'leeftijd'],
    ),
  );
  return {
    ...Object.fromEntries(ALWAYS_SENT.flatMap((name) => (name in persoon ? [[name, persoon[name]]] : []))),
    ...(participants !== undefined && participants.length > 0 && { rni: participants }),
    ...select(
      others,
      asked.map((path) => path.split('.')),
    ),
  };
}

/** Members that are sent without being requested. */
const ALWAYS_SENT = ['geheimhoudingPersoonsgegevens', 'opschortingBijhouding', 'verificatie'];

/** Returns the members of a group that the paths name. */
function select(from: Group, paths: readonly (readonly string[])[]): Group {
  const selected: Record<string, unknown> = {};
  for (const name of new Set(paths.map(([head = '']) => head))) {
    if (!(name in from)) continue;
    const deeper = paths.filter(([head]) => head === name).map(([, ...rest]) => rest);
    selected[name] = deeper.some((rest) => rest.length === 0) ? from[name] : selectFrom(from[name], deeper);
  }
  if (typeof from.type === 'string') selected.type = from.type;
  const doubts = Object.entries((from.inOnderzoek ?? {}) as Group);
  const told = doubts.filter(([name]) => name in selected || (name === 'type' && 'type' in selected));
  const since = doubts.filter(([name]) => name.startsWith('datumIngangOnderzoek'));
  if (told.length > 0) selected.inOnderzoek = Object.fromEntries([...told, ...since]);
  return selected;
}

/** Returns what the paths name in a group, or in each group of a list. */
const selectFrom = (value: unknown, paths: readonly (readonly string[])[]): unknown =>
  Array.isArray(value) ? value.map((one: Group) => select(one, paths)) : select(value as Group, paths);
