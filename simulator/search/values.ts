/** Values of the facts that people can be searched by. */

/** Status of a registration; the last one: the person has no registration. */
export const STATUSES = ['Geregistreerd', 'Geschorst', 'Doorgehaald', 'NietGeregistreerd'] as const;
export type Status = (typeof STATUSES)[number];

/** Where the diploma is: at DUO, or not, as a foreign diploma and that of a gezondheidszorgpsycholoog. */
export const HERKOMSTEN = ['duo', 'niet-bij-duo'] as const;

/** Situations that a person can be in, more than one at the same time. */
export const SITUATION_NAMES = [
  'eerste-termijn',
  'aan-de-beurt',
  'aanvraag-loopt',
  'aanvraag-afgewezen',
  'concept',
  'specialist',
  'voorlopig-geschorst',
  'maatregel',
  'beperking',
  'vermelding',
  'niet-geherregistreerd',
  'op-eigen-verzoek',
  'tuchtmaatregel',
  'van-rechtswege-vervallen',
  'overleden',
  'net-afgestudeerd',
  'geheim-adres',
  'buitenland',
  'adres-onbekend',
  'zonder-bsn',
  'twee-beroepen',
] as const;
export type Situation = (typeof SITUATION_NAMES)[number];
