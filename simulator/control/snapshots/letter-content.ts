/** The schemas of the texts of letters in a snapshot file. */
import * as z from 'zod';
import type { BriefContent } from '../../../src/ports/store/brief-store.ts';
import { ALL_BEROEPEN, LISTS, MARKS, type Uitkomst } from '../../../src/wire/values.ts';
import { parseSimulatedJson } from '../../transport/operation.ts';
import { untrustedListInText } from '../../worlds/untrusted-list.ts';
import { demandKinds, type TextKinds } from './texts.ts';

/** Members that an older version did not store may be absent. */
export function storedBriefContent({ reference, typed, fixed }: TextKinds) {
  const [login, written, key] = [reference(z.string()), typed(z.string()), fixed(z.string())];
  const RichText = z.object({
    paragraphs: untrustedListInText(
      z.object({
        list: z.enum(LISTS).nullable(),
        nodes: untrustedListInText(
          z.discriminatedUnion('type', [
            z.object({ type: z.literal('text'), text: written, marks: untrustedListInText(z.enum(MARKS)) }),
            z.object({ type: z.literal('placeholder'), key, text: written.nullable() }),
            z.object({ type: z.literal('lineBreak') }),
          ]),
        ),
      }),
    ),
  });
  const Besluit = z
    .object({
      uitkomst: z.enum(['toewijzen', 'afwijzen', 'buiten-behandeling'] satisfies Uitkomst[]),
      reden: written.nullable(),
    })
    .nullable()
    .exactOptional();
  const block = { blockId: key, content: RichText };
  const section = { sectionKey: key, title: written };
  const names = untrustedListInText(login);
  const schema = z.object({
    opdrachtId: reference(z.string()),
    templateId: key,
    beroep: z.enum(ALL_BEROEPEN),
    placeholders: untrustedListInText(
      z.object({ key, label: written, autoResolvable: z.boolean(), fillable: z.boolean(), deprecated: z.boolean() }),
    ),
    sections: untrustedListInText(
      z.object({
        ...section,
        required: z.boolean(),
        locked: z.boolean(),
        blocks: untrustedListInText(
          z.discriminatedUnion('type', [
            z.object({ ...block, type: z.literal('freeText') }),
            z.object({
              ...block,
              type: z.literal('passage'),
              sourcePassageId: key,
              sourceVersion: z.int(),
              edited: z.boolean(),
              besluit: Besluit,
              uhd: z.enum(['loopt', 'voorbij']).nullable().exactOptional(),
              reactie: z.enum(['geen', 'gegeven', 'niet-nodig']).nullable().exactOptional(),
            }),
          ]),
        ),
      }),
    ),
    drafterId: login.nullable(),
    savedBy: names.default([]),
    submitters: names.default([]),
    submittedBy: login.nullable(),
    submittedAt: key.nullable(),
    approvedBy: login.nullable(),
    approvedAt: key.nullable(),
    rejectedBy: login.nullable(),
    rejectedAt: key.nullable(),
    comments: written.nullable(),
    frozen: z
      .object({
        values: z.record(z.string(), written.nullable()),
        geheim: z.boolean(),
        kanaal: z.enum(['berichtenbox', 'post']),
        referentie: key,
        besluit: Besluit,
        uiterlijk: key.nullable().exactOptional(),
        verzoek: z
          .object({ templateId: key, reactieTot: key.nullable(), waarover: written })
          .nullable()
          .exactOptional(),
        sections: untrustedListInText(z.object({ ...section, content: RichText })),
      })
      .nullable(),
  }) satisfies z.ZodType<BriefContent>;
  return demandKinds(schema);
}

const flags = { vet: z.boolean(), cursief: z.boolean(), onderstreept: z.boolean() };

/** Schema of the content of a delivered letter, as the service sent it to the register (`VerzendingWire`). */
const DeliveredContent = z.object({
  verzoek: z
    .object({ templateId: z.string(), reactieTot: z.iso.date(), waarover: z.string() })
    .nullable()
    .exactOptional(),
  secties: untrustedListInText(
    z.object({
      sleutel: z.string(),
      titel: z.string(),
      alineas: untrustedListInText(
        z.object({
          lijst: z.enum(['opsomming', 'nummering']).nullable(),
          delen: untrustedListInText(z.object({ tekst: z.string(), ...flags })),
        }),
      ),
    }),
  ),
});

/** Returns true when a string is the JSON of a letter's content, or of null. */
export const isDeliveredContent = (value: string): boolean =>
  DeliveredContent.nullable().safeParse(parseSimulatedJson(value)).success;
