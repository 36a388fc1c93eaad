// The BRP API Personen (Haal Centraal v2). Types are checked and not the published patterns, because real data do not
// always match these. A group can be absent or an empty object; the BRP never sends null.
import * as z from 'zod';
import { listOf } from '../../src/wire/primitives.ts';
import { tolerant } from '../http/tolerant.ts';

const text = tolerant(z.string().optional());

// Only the type `Datum` is a full date.
const DatumWire = z.object({
  type: tolerant(z.enum(['Datum', 'JaarMaandDatum', 'JaarDatum', 'DatumOnbekend']).optional()),
  datum: text,
});

// In doubt, the person does not live at the address.
const indicatieVastgesteldVerblijftNietOpAdres = tolerant(z.boolean().optional(), true);

const VerblijfadresWire = z.object({
  korteStraatnaam: z.string().optional(),
  huisnummer: z.int().min(0).max(99_999).optional(),
  huisletter: z.string().optional(),
  huisnummertoevoeging: z.string().optional(),
  aanduidingBijHuisnummer: z.object({ code: tolerant(z.enum(['to', 'by']).optional()) }).optional(),
  postcode: z.string().optional(),
  woonplaats: z.string().optional(),
});
export type VerblijfadresWire = z.output<typeof VerblijfadresWire>;

export const PersoonWire = z.object({
  burgerservicenummer: z.string().optional(),
  /** In doubt, the data are secret. */
  geheimhoudingPersoonsgegevens: tolerant(z.boolean().optional(), true),
  naam: tolerant(z.object({ volledigeNaam: text }).optional()),
  geboorte: tolerant(z.object({ datum: tolerant(DatumWire.optional()) }).optional()),
  opschortingBijhouding: z
    .object({
      reden: z.object({ code: tolerant(z.enum(['O', 'E', 'M', 'R', 'F', 'W', '.']).optional()) }).optional(),
    })
    .optional(),
  verblijfplaats: z
    .object({
      /** A type that is not known has no address that can be shown. */
      type: tolerant(
        z.enum(['Adres', 'Locatie', 'VerblijfplaatsBuitenland', 'VerblijfplaatsOnbekend']).optional(),
        'VerblijfplaatsOnbekend',
      ),
      verblijfadres: VerblijfadresWire.optional(),
      indicatieVastgesteldVerblijftNietOpAdres,
    })
    // An answer with an address but without `type` is refused, because `toPersoon` would read it as a person without
    // address.
    .refine(({ type, verblijfadres }) => type !== undefined || Object.keys(verblijfadres ?? {}).length === 0)
    .optional(),
  adressering: tolerant(
    z
      .object({
        aanhef: text,
        aanschrijfwijze: tolerant(z.object({ naam: text, aanspreekvorm: text }).optional()),
        adresregel1: text,
        adresregel2: text,
        adresregel3: text,
        land: tolerant(z.object({ omschrijving: text }).optional()),
        indicatieVastgesteldVerblijftNietOpAdres,
      })
      .optional(),
  ),
  gemeenteVanInschrijving: tolerant(z.object({ code: text, omschrijving: text }).optional()),
});
export type PersoonWire = z.output<typeof PersoonWire>;

export const BrpAntwoordWire = z.object({
  type: z.literal('RaadpleegMetBurgerservicenummer'),
  personen: listOf(PersoonWire).max(20),
});
