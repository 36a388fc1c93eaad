import { formatCount, formatNumber, ONCE, quoteRefusal, type Wordings, wording } from './wording.ts';

const FILES = 'Afspraak: alleen hele, veilige bestanden, en niet te veel';

/** Bytes in a mebibyte (2^20), which the Dutch texts write as `MB`. */
const MIB = 1_048_576;

/** Returns a size in bytes as Dutch text, such as `344 bytes` or `1,5 MB`. */
const formatSize = (bytes: number): string =>
  bytes < MIB / 10 ? formatCount(bytes, 'byte', 'bytes') : `${formatNumber(Math.round((10 * bytes) / MIB) / 10)} MB`;

/** The hash and the document category of an uploaded file. The hash is null while it is unknown. */
interface FileFacts {
  readonly sha256: string | null;
  readonly categoryId: string;
}

export const UPLOADS: Wordings = {
  purposeOf: wording<unknown, { readonly wizardId: string; readonly categoryId: string }>({
    basis: 'Afspraak: elk document hoort bij een soort aanvraag',
    yes: (_, { wizardId, categoryId }) =>
      `Het bestand heeft een plaats, omdat de categorie ${categoryId} hoort bij een aanvraag voor ${wizardId}`,
    no: (_, refusal) => quoteRefusal(refusal),
  }),
  demandClaim: wording<{ readonly localId: string }>({
    basis: ONCE,
    yes: ({ localId }) => `De upload mag beginnen, omdat geen ander verzoek met ${localId} bezig is`,
    no: ({ localId }) => `een ander verzoek met ${localId} nog bezig is`,
  }),
  demandSameFile: wording<{ readonly stored: FileFacts; readonly sent: FileFacts }>({
    basis: ONCE,
    yes: ({ sent }) => `Het bestand is niet nog eens bewaard, omdat hetzelfde bestand er al stond (${sent.categoryId})`,
    no: ({ stored, sent }) =>
      stored.sha256 === sent.sha256
        ? stored.categoryId === sent.categoryId
          ? 'het bestand dat er stond net wordt weggegooid'
          : `het bestand er al staat als ${stored.categoryId} en nu ${sent.categoryId} is gestuurd`
        : 'er onder deze naam al een ander bestand staat',
  }),
  demandInspected: wording<
    { readonly name: string; readonly size: number; readonly maxSizeMb: number },
    { readonly formaat: string }
  >({
    basis: FILES,
    yes: ({ name, size: bytes, maxSizeMb }, { formaat }) =>
      `Het bestand ${name} is goed, omdat het een heel bestand van de soort ${formaat} is en ${formatSize(bytes)} niet meer is dan ${maxSizeMb} MB`,
    no: ({ name, size: bytes }, refusal) => `voor ${name} (${formatSize(bytes)}) ${quoteRefusal(refusal)}`,
  }),
  demandClean: wording<unknown>({
    basis: FILES,
    yes: () => 'Het bestand is veilig, omdat de virusscanner er niets in vond',
    no: () => 'de virusscanner een virus in het bestand vond',
  }),
  demandQuota: wording<{
    readonly most: { readonly documents: number; readonly bytes: number };
    readonly size: number;
    readonly found: string;
  }>({
    basis: FILES,
    yes: ({ most, size: bytes, found }) =>
      found === 'lapsed'
        ? 'Het bestand is niet bewaard, omdat de upload te lang duurde en is vervallen'
        : `Het bestand is bewaard, omdat er met ${formatSize(bytes)} erbij niet meer dan ${most.documents} bestanden of ${formatSize(most.bytes)} klaarstaan`,
    no: ({ most }) => `er al ${most.documents} bestanden of ${formatSize(most.bytes)} klaarstaan`,
  }),
  demandRemovable: wording<{ readonly found: string }>({
    basis: 'Afspraak: een document van een ingediende aanvraag blijft',
    yes: ({ found }) =>
      found === 'absent'
        ? 'Er is niets verwijderd, omdat het document er niet was'
        : 'Het document is verwijderd, omdat het bij geen ingediende aanvraag hoort',
    no: () => 'het document bij een ingediende aanvraag hoort',
  }),
  fileTooLarge: wording<{ readonly maxSizeMb: number }>({
    basis: FILES,
    no: ({ maxSizeMb }) => `het bestand groter is dan ${maxSizeMb} MB`,
  }),
};
