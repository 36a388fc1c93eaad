/** Values of the facts that people can be searched by. */

/** Status of a registration; the last one: the person has no registration. */
export const STATUSES = ['Geregistreerd', 'Geschorst', 'Doorgehaald', 'NietGeregistreerd'] as const;
export type Status = (typeof STATUSES)[number];

/** Where the diploma is: at DUO, or not, as a foreign diploma and that of a gezondheidszorgpsycholoog. */
export const HERKOMSTEN = ['duo', 'niet-bij-duo'] as const;
