/** The values of fields in a search for people. */

/**
 * The values of the field `status`: the status of a registration. `NietGeregistreerd` is for a person without a
 * registration.
 */
export const STATUSES = ['Geregistreerd', 'Geschorst', 'Doorgehaald', 'NietGeregistreerd'] as const;
export type Status = (typeof STATUSES)[number];

/** The values of the field `herkomst`, which says whether DUO (the diploma register) has a diploma of a person. */
export const HERKOMSTEN = ['duo', 'niet-bij-duo'] as const;

/**
 * The values of the field `situatie`: the situations of a person. A person can be in several situations at the same
 * time.
 */
export const SITUATION_NAMES = [
  'niet-geregistreerd',
  'net-afgestudeerd',
  'eerste-termijn',
  'aan-de-beurt',
  'concept',
  'aanvraag-loopt',
  'aanvraag-afgewezen',
  'specialist',
  'twee-beroepen',
  'geschorst',
  'voorlopig-geschorst',
  'doorgehaald',
  'niet-geherregistreerd',
  'op-eigen-verzoek',
  'tuchtmaatregel',
  'van-rechtswege-vervallen',
  'maatregel',
  'berisping',
  'beperking',
  'bevel',
  'clausule',
  'vermelding',
  'erkenning-eu',
  'erkenning-buiten-eu',
  'overleden',
  'geëmigreerd',
  'buitenland',
  'adres-onbekend',
  'geheim-adres',
  'in-onderzoek',
  'naam-partner',
  'geboortedatum-onvolledig',
  'zonder-bsn',
] as const;
export type Situation = (typeof SITUATION_NAMES)[number];
