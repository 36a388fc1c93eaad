/** Values of the facts that people can be searched by. */

/** Status of a registration; the last one: the person has no registration. */
export const STATUSES = ['Geregistreerd', 'Geschorst', 'Doorgehaald', 'NietGeregistreerd'] as const;
export type Status = (typeof STATUSES)[number];

/** Where the diploma is: at DUO, or not, as a foreign diploma and that of a gezondheidszorgpsycholoog. */
export const HERKOMSTEN = ['duo', 'niet-bij-duo'] as const;

/** Situations that a person can be in, more than one at the same time; `situations.ts` has what each means. */
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
