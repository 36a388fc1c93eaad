const FORMAT = new Intl.NumberFormat('nl-NL');

/** Returns a number in Dutch notation, with a dot for thousands: `2.080`. */
export const dutchNumber = (number: number): string => FORMAT.format(number);
