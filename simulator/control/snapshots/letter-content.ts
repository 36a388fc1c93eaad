/** The schemas of the texts of letters in a snapshot file. */
import * as z from 'zod';
import type { BriefContent } from '../../../src/ports/store/brief-store.ts';
import { ALL_BEROEPEN, LISTS, MARKS, type Uitkomst } from '../../../src/wire/values.ts';
import { untrustedListInText } from '../../worlds/untrusted-list.ts';

const text = z.string();
const nullable = text.nullable();
const names = untrustedListInText(text);

const RichText = z.object({
  paragraphs: untrustedListInText(
    z.object({
      list: z.enum(LISTS).nullable(),
      nodes: untrustedListInText(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('text'), text, marks: untrustedListInText(z.enum(MARKS)) }),
          z.object({ type: z.literal('placeholder'), key: text, text: nullable }),
          z.object({ type: z.literal('lineBreak') }),
        ]),
      ),
    }),
  ),
});

const Besluit = z
  .object({
    uitkomst: z.enum(['toewijzen', 'afwijzen', 'buiten-behandeling'] satisfies Uitkomst[]),
    reden: nullable,
  })
  .nullable()
  .exactOptional();

const block = { blockId: text, content: RichText };
const section = { sectionKey: text, title: text };

/**
 * Schema of the content of a letter, as the service stores it. Members that an older version did not store may be
 * absent.
 */
export const StoredBriefContent = z.object({
  opdrachtId: text,
  templateId: text,
  beroep: z.enum(ALL_BEROEPEN),
  placeholders: untrustedListInText(
    z.object({ key: text, label: text, autoResolvable: z.boolean(), fillable: z.boolean(), deprecated: z.boolean() }),
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
            sourcePassageId: text,
            sourceVersion: z.int(),
            edited: z.boolean(),
            besluit: Besluit,
            uhd: z.enum(['loopt', 'voorbij']).nullable().exactOptional(),
          }),
        ]),
      ),
    }),
  ),
  drafterId: nullable,
  savedBy: names.default([]),
  submitters: names.default([]),
  submittedBy: nullable,
  submittedAt: nullable,
  approvedBy: nullable,
  approvedAt: nullable,
  rejectedBy: nullable,
  rejectedAt: nullable,
  comments: nullable,
  frozen: z
    .object({
      values: z.record(text, nullable),
      geheim: z.boolean(),
      kanaal: z.enum(['berichtenbox', 'post']),
      referentie: text,
      besluit: Besluit,
      uiterlijk: nullable.exactOptional(),
      sections: untrustedListInText(z.object({ ...section, content: RichText })),
    })
    .nullable(),
}) satisfies z.ZodType<BriefContent>;

const flags = { vet: z.boolean(), cursief: z.boolean(), onderstreept: z.boolean() };

/** Schema of the content of a delivered letter, as the service sent it to the register (`VerzendingWire`). */
const DeliveredContent = z.object({
  secties: untrustedListInText(
    z.object({
      sleutel: text,
      titel: text,
      alineas: untrustedListInText(
        z.object({
          lijst: z.enum(['opsomming', 'nummering']).nullable(),
          delen: untrustedListInText(z.object({ tekst: text, ...flags })),
        }),
      ),
    }),
  ),
});

/** Returns true when a string is the JSON of a letter's content, or of null. */
export function isDeliveredContent(value: string): boolean {
  try {
    return DeliveredContent.nullable().safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}
