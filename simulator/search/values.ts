/** The values of fields in a search for people. */

/** The statuses of a registration; `NietGeregistreerd` is for a person without one. */
export const STATUSES = ['Geregistreerd', 'Geschorst', 'Doorgehaald', 'NietGeregistreerd'] as const;
export type Status = (typeof STATUSES)[number];

/** The values of the field `herkomst`, which says whether DUO (the diploma register) has a diploma of a person. */
export const HERKOMSTEN = ['duo', 'niet-bij-duo'] as const;

/** A person can be in several at the same time. */
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
