/** The values of fields in a search for people. */

/** The statuses of a registration. `NietGeregistreerd` means that the person has no registration. */
export const STATUSES = ['Geregistreerd', 'Geschorst', 'Doorgehaald', 'NietGeregistreerd'] as const;
export type Status = (typeof STATUSES)[number];

/**
 * The values for where the diploma of a person is from: `duo` when DUO has a diploma of the person, else
 * `niet-bij-duo`. DUO has no foreign or old diplomas, and no diplomas of a gezondheidszorgpsycholoog.
 */
export const HERKOMSTEN = ['duo', 'niet-bij-duo'] as const;

/** The situations in which a person can be, several at the same time. `situations.ts` explains each of them. */
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
