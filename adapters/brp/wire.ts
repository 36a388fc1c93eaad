/**
 * Schemas of the responses of the BRP API Personen (Haal Centraal v2). They check the types of members, not the
 * published patterns, because real data do not always match these patterns. A group of members can be absent or an
 * empty object; the BRP never sends null. Other members are ignored.
 */
import * as z from 'zod';
import { listOf } from '../../src/wire/primitives.ts';

/** A schema of a date of one of four types. Only the type `Datum` is a full date. */
const DatumWire = z.object({ type: z.string().optional(), datum: z.string().optional() });

const VerblijfadresWire = z.object({
  korteStraatnaam: z.string().optional(),
  huisnummer: z.int().min(0).max(99_999).optional(),
  huisletter: z.string().optional(),
  huisnummertoevoeging: z.string().optional(),
  aanduidingBijHuisnummer: z.object({ code: z.string().optional() }).optional(),
  postcode: z.string().optional(),
  woonplaats: z.string().optional(),
});
export type VerblijfadresWire = z.output<typeof VerblijfadresWire>;

export const PersoonWire = z.object({
  burgerservicenummer: z.string().optional(),
  geheimhoudingPersoonsgegevens: z.boolean().optional(),
  naam: z.object({ volledigeNaam: z.string().optional() }).optional(),
  geboorte: z.object({ datum: DatumWire.optional() }).optional(),
  opschortingBijhouding: z.object({ reden: z.object({ code: z.string().optional() }).optional() }).optional(),
  verblijfplaats: z
    .object({
      type: z.enum(['Adres', 'Locatie', 'VerblijfplaatsBuitenland', 'VerblijfplaatsOnbekend']).optional(),
      verblijfadres: VerblijfadresWire.optional(),
      indicatieVastgesteldVerblijftNietOpAdres: z.boolean().optional(),
    })
    // An answer with an address but without `type` is refused, because `toPersoon` would read it as a person without
    // address.
    .refine(({ type, verblijfadres }) => type !== undefined || Object.keys(verblijfadres ?? {}).length === 0)
    .optional(),
  adressering: z
    .object({
      aanhef: z.string().optional(),
      aanschrijfwijze: z.object({ naam: z.string().optional() }).optional(),
    })
    .optional(),
  gemeenteVanInschrijving: z.object({ code: z.string().optional(), omschrijving: z.string().optional() }).optional(),
});
export type PersoonWire = z.output<typeof PersoonWire>;

export const BrpAntwoordWire = z.object({
  type: z.literal('RaadpleegMetBurgerservicenummer'),
  personen: listOf(PersoonWire).max(20),
});
