// The BRP API Personen (Haal Centraal v2). Types are checked and not the published patterns, because real data do not
// always match these. A group can be absent or an empty object. The BRP itself never sends null, and a gateway in front
// of it may: it counts as absent, but not where the answer says whether somebody has died.
import * as z from 'zod';
import { listOf } from '../../src/wire/primitives.ts';
import { tolerant } from '../http/tolerant.ts';

const text = tolerant(z.string().nullish());

// Only the type `Datum` is a full date.
const DatumWire = z.object({
  type: tolerant(z.enum(['Datum', 'JaarMaandDatum', 'JaarDatum', 'DatumOnbekend']).nullish()),
  datum: tolerant(z.iso.date().nullish()),
});
export type DatumWire = z.output<typeof DatumWire>;

// In doubt, the person does not live at the address.
const indicatieVastgesteldVerblijftNietOpAdres = tolerant(z.boolean().nullish(), true);

const VerblijfadresWire = z.object({
  korteStraatnaam: z.string().nullish(),
  huisnummer: z.int().min(0).max(99_999).nullish(),
  huisletter: z.string().nullish(),
  huisnummertoevoeging: z.string().nullish(),
  aanduidingBijHuisnummer: z.object({ code: tolerant(z.enum(['to', 'by']).nullish()) }).nullish(),
  postcode: z.string().nullish(),
  woonplaats: z.string().nullish(),
});
export type VerblijfadresWire = z.output<typeof VerblijfadresWire>;

export const PersoonWire = z.object({
  burgerservicenummer: z.string().optional(),
  /** In doubt, the data are secret. */
  geheimhoudingPersoonsgegevens: tolerant(z.boolean().optional(), true),
  naam: tolerant(z.object({ volledigeNaam: text }).nullish()),
  geboorte: tolerant(z.object({ datum: tolerant(DatumWire.nullish()) }).nullish()),
  opschortingBijhouding: z
    .object({ reden: z.object({ code: tolerant(z.enum(['O', 'E', 'M', 'R', 'F', 'W', '.']).optional()) }).optional() })
    .optional(),
  /** Only this says that a non-resident has died. */
  overlijden: tolerant(z.object({ datum: tolerant(DatumWire.nullish()) }).nullish()),
  verblijfplaats: z
    .object({
      /** A type that is not known has no address that can be shown. */
      type: tolerant(
        z.enum(['Adres', 'Locatie', 'VerblijfplaatsBuitenland', 'VerblijfplaatsOnbekend']).optional(),
        'VerblijfplaatsOnbekend',
      ),
      verblijfadres: VerblijfadresWire.nullish(),
      indicatieVastgesteldVerblijftNietOpAdres,
    })
    // An answer with an address but without `type` is refused, because `toPersoon` would read it as a person without
    // address.
    .refine(
      ({ type, verblijfadres }) => type !== undefined || Object.keys(verblijfadres ?? {}).length === 0,
      'has an address and no type',
    )
    .nullish(),
  adressering: tolerant(
    z
      .object({
        aanhef: text,
        aanschrijfwijze: tolerant(z.object({ naam: text, aanspreekvorm: text }).nullish()),
        adresregel1: text,
        adresregel2: text,
        adresregel3: text,
        land: tolerant(z.object({ omschrijving: text }).nullish()),
        indicatieVastgesteldVerblijftNietOpAdres,
      })
      .nullish(),
  ),
  gemeenteVanInschrijving: tolerant(z.object({ code: text, omschrijving: text }).nullish()),
});
export type PersoonWire = z.output<typeof PersoonWire>;

export const BrpAntwoordWire = z.object({
  type: z.literal('RaadpleegMetBurgerservicenummer'),
  personen: listOf(PersoonWire).max(20),
});
