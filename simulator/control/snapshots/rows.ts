/** The schemas of the rows in a snapshot file. */
import * as z from 'zod';
import { UITKOMSTEN } from '../../../adapters/register/wire.ts';
import { EXTENSIONS } from '../../../src/uploads/inspection/inspect.ts';
import { APPLICATION_TYPES, BEROEPEN, BRIEF_TAGS } from '../../../src/wire/values.ts';
import { REFERENTIE_PREFIX } from '../../people/resident.ts';
import { isDeliveredContent, storedBriefContent } from './letter-content.ts';
import { demandKinds, parse, type TextKinds } from './texts.ts';

/** The first and last day in a snapshot. A clock comes no nearer to the years that dates cannot have than 400 years. */
const [FIRST_DAY, LAST_DAY] = ['1400-01-01', '2800-12-31'];

/** Terms and dates of birth that are counted from it have four digits in their year too. */
export const date = z.iso.date().refine((day) => day >= FIRST_DAY && day <= LAST_DAY);
/** Schema of a time in milliseconds since 1970, with the limits of `date`. */
export const moment = z.number().min(Date.parse(FIRST_DAY)).max(Date.parse(LAST_DAY));
/** Schema of a number that the service or the simulator can count on from: SQLite returns no number above 2^53 - 1. */
export const count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const flag = z.int().min(0).max(1);

/** The highest number of a case (zaak): a reference has six digits, and the next cases need higher numbers. */
const LAST_NUMBER = 900_000;

/** Returns the schemas of the rows in which the simulator stores the state of a world, keyed by table. */
export function stateRows({ world, reference, typed, fixed, json }: TextKinds) {
  const [text, day, ofWorld, login] = [z.string(), fixed(date), world(z.string()), reference(z.string())];
  /** What an applicant asked: the members from which the register makes dates, addresses and registrations. */
  const Gegevens = demandKinds(
    z
      .object({
        diplomaDatum: day.nullish(),
        diplomaId: reference(text).nullish(),
        registratieId: reference(text).nullish(),
        straat: typed(text.min(1)).optional(),
        woonplaats: typed(text.min(1)).optional(),
      })
      // The members of the draft, which a client chooses.
      .catchall(typed(z.unknown())),
  );
  return {
    zaken: z.strictObject({
      number: count.max(LAST_NUMBER),
      world: ofWorld,
      prefix: z.enum(Object.values(REFERENTIE_PREFIX)),
      resident: login,
      sleutel: typed(text),
      referentie: fixed(text.regex(/^[A-Z]{3}-\d{4}-\d{6}$/)),
      soort: z.enum(APPLICATION_TYPES),
      kenmerk: reference(text).nullable(),
      gegevens: json(Gegevens),
      handmatig: flag,
      ontvangenOp: day,
    }),
    verzendingen: z.strictObject({
      // Letters are numbered over all worlds. Older files have the number here; it is not used.
      number: count.exactOptional(),
      sleutel: reference(text),
      referentie: fixed(text),
      kanaal: fixed(text),
      tekst: typed(text),
      inhoud: typed(text.refine(isDeliveredContent)).nullable().default(null),
      uitkomst: z.enum(UITKOMSTEN).nullable().default(null),
      verzondenOp: day,
      world: ofWorld,
    }),
    besluiten: z.strictObject({
      world: ofWorld,
      referentie: fixed(text),
      uitkomst: z.enum(UITKOMSTEN).nullable(),
      reden: typed(text).nullable(),
      datum: day,
      beroep: z.enum(BEROEPEN).nullable().default(null),
    }),
    ids: z.strictObject({ world: ofWorld, last: count }),
    residents: z.strictObject({ resident: login, firstDay: day }),
    movedIn: z.strictObject({ resident: login }),
  };
}

/** Returns the schemas of the rows of the service's store, keyed by table. */
export function storeRows(kinds: TextKinds) {
  const { world, reference, typed, fixed, json } = kinds;
  const text = z.string();
  // An id is also used as a file name, so characters other than \w and - are refused.
  const id = reference(text.regex(/^[\w-]{1,64}$/));
  const time = fixed(z.iso.datetime());
  const claim = { claim: reference(text).nullable(), claimedUntil: z.number().nullable() };
  return {
    applications: z.strictObject({
      id,
      owner: reference(text),
      type: z.enum(APPLICATION_TYPES),
      tag: z.enum(['Concept', 'Pending', 'InBehandeling', 'Goedgekeurd', 'Afgewezen']),
      version: count,
      // A draft stays as it was sent, byte for byte.
      draft: typed(text.refine((value) => parse(value) !== undefined)).nullable(),
      stepIndex: count,
      stepCount: count,
      documentIds: json(z.array(reference(text))),
      referentie: fixed(text).nullable(),
      manual: flag.nullable(),
      reden: typed(text).nullable(),
      createdAt: time,
      updatedAt: time,
      submittedAt: time.nullable(),
      ...claim,
      slot: reference(text).nullable(),
      sentKey: typed(text).nullable(),
      sentHash: fixed(text).nullable(),
      sentAt: z.number().nullable(),
    }),
    uploads: z.strictObject({
      owner: reference(text),
      wizardId: typed(text),
      localId: typed(text),
      documentId: id,
      categoryId: fixed(text),
      state: z.enum(['pending', 'uploaded', 'rejected', 'deleting']),
      formaat: fixed(z.enum(Object.keys(EXTENSIONS))).nullable(),
      bestandsnaam: typed(text).nullable(),
      omvang: count.nullable(),
      sha256: fixed(text.regex(/^[0-9a-f]{64}$/)).nullable(),
      key: reference(text).nullable(),
      links: reference(text),
      perhapsStored: flag,
      ...claim,
      createdAt: z.number(),
    }),
    brieven: z
      .strictObject({
        briefId: id,
        workspace: world(text),
        // The name of the world for the current letter; null for a letter that was sent earlier.
        slot: world(text).nullable(),
        version: count,
        tag: z.enum(BRIEF_TAGS),
        sentAt: time.nullable(),
        sending: reference(text).nullable(),
        content: json(storedBriefContent(kinds)),
      })
      .refine(
        // Without its frozen text an approved letter cannot be sent.
        ({ tag, content }) => (tag !== 'approved' && tag !== 'sent') || Object(parse(content)).frozen !== null,
        { path: ['content'] },
      ),
  };
}
