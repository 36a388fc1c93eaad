/** Schemas of the control API. The `id` in `meta` is the name of the schema in the OpenAPI document. */

import * as z from 'zod';
import { UITKOMSTEN } from '../../adapters/register/wire.ts';
import { BEROEPEN, BRIEF_TAGS } from '../../src/wire/values.ts';
import { LETTER_KINDS } from '../correspondence/kinds.ts';
import { SITUATION_NAMES } from '../search/values.ts';
import { Fault, FaultOn } from '../worlds/faults.ts';
import { SCENARIO_NAMES } from '../worlds/scenarios.ts';

const date = z.iso.date();

export const World = z
  .strictObject({
    world: z.string(),
    clock: z.strictObject({
      mode: z.enum(['real', 'running', 'frozen']),
      now: z.iso.datetime(),
      today: date,
      firstDay: date
        .nullable()
        .describe(
          'The day to which the dates in the data of the personas are relative. Null while the clock of the world is not set; the dates are then relative to the current day.',
        ),
    }),
    scenarios: z.array(z.string()),
    faults: z.array(FaultOn),
    entries: z.int().describe('Number of requests in the journal (the list of recorded requests).'),
  })
  .meta({ id: 'World', description: 'The clock, scenarios (named sets of faults) and faults of a world.' });

export const Reset = z
  .strictObject({ begin: date.optional().describe('A day such as 2026-06-01.') })
  .meta({
    id: 'Reset',
    description: 'With `begin`, the clock is frozen on that day and the data of the personas begin there.',
  });

export const ClockChange = z
  .strictObject({
    real: z.literal(true).optional().describe('Back to the real time.'),
    set: z
      .union([date, z.iso.datetime({ offset: true })])
      .optional()
      .describe('A day, such as 2026-06-01, or a moment.'),
    move: z.string().optional().describe('A duration, such as +4months, -1day or +1year 2days.'),
    deadline: z
      .string()
      .optional()
      .describe('A persona: to the last day on which that person can apply for herregistratie, plus `days`.'),
    days: z.int().min(-100_000).max(100_000).optional().describe('With `deadline`: days after it, or before it (-1).'),
    frozen: z.boolean().optional().describe('Whether the clock stands still afterwards. Alone, it changes only that.'),
  })
  .meta({
    id: 'ClockChange',
    description: 'One of `real`, `set`, `move`, `deadline` (with or without `days`), or `frozen` alone.',
  });

export const ScenarioName = z
  .enum(SCENARIO_NAMES)
  .describe('The name of a scenario (a set of faults that are switched on together).');

export const Scenario = z
  .strictObject({ name: ScenarioName, toont: z.string(), faults: z.array(Fault) })
  .meta({ id: 'Scenario' });

const Aanvraag = z.strictObject({ referentie: z.string().nullable(), type: z.string(), tag: z.string() });

export const Upload = z
  .strictObject({
    documentId: z.string(),
    slug: z.string(),
    wizardId: z.string(),
    categoryId: z.string(),
    localId: z.string(),
    bestandsnaam: z.string().nullable(),
    state: z.string(),
  })
  .meta({ id: 'SimulatedUpload', description: 'A document that a persona has uploaded.' });

export const PersonaCard = z
  .strictObject({
    slug: z.string(),
    naam: z.string(),
    kind: z.enum(['professional', 'letter', 'staff']),
    toont: z.string(),
    shows: z.string(),
    /** On the current day of the world, such as `geschorst`; empty for a persona who is not a professional. */
    situaties: z.array(z.enum(SITUATION_NAMES)),
    headers: z.record(z.string(), z.string()),
    curl: z.string(),
    /** Name of the file that describes the persona; null for a built-in persona. */
    file: z.string().nullable(),
    nu: z
      .strictObject({
        beroep: z.string().nullable(),
        status: z.string().nullable(),
        uhd: date.nullable(),
        eligible: z.boolean(),
        reason: z.string().nullable(),
        /** All registrations; `beroep` to `reason` above are about the one that the dashboard shows. */
        registraties: z.array(
          z.strictObject({
            beroep: z.string(),
            sinds: date,
            status: z.string(),
            /** Why the person is suspended or was struck off, as the dashboard says it; null for another status. */
            reden: z.string().nullable(),
            /** The date up to which herregistratie can be requested: for a specialist it can be the end of that registration. */
            uhd: date.nullable(),
            /** Why herregistratie is not possible now, in Dutch; null when it is. */
            reason: z.string().nullable(),
          }),
        ),
        woonplaats: z.string().nullable(),
        /** The lines in letters of a home that is no address in the Netherlands, such as a houseboat; empty for another home. */
        woonplek: z.array(z.string()),
        geheim: z.boolean(),
        diplomas: z.int(),
        aanvragen: z.array(Aanvraag),
        uploads: z.array(
          z.strictObject({ documentId: z.string(), bestandsnaam: z.string().nullable(), state: z.string() }),
        ),
      })
      .nullable(),
  })
  .meta({ id: 'PersonaCard' });

export const Besluit = z
  .strictObject({
    uitkomst: z
      .enum(UITKOMSTEN)
      .describe('goedgekeurd: granted; afgewezen: rejected; buiten-behandeling: not considered, as it is incomplete.'),
    reden: z.string().max(500).nullable().optional().describe('Why, in Dutch, for the letter of a rejection.'),
    beroep: z
      .enum(BEROEPEN)
      .nullable()
      .optional()
      .describe('For a registratie: the profession in which the person is registered.'),
  })
  .meta({
    id: 'Besluit',
    description:
      'A decision on a case. For a registratie, `beroep` is the profession in which the person is registered; without it, that of the request, or the one that the persona wants or had.',
  });

export const Zaak = z
  .strictObject({
    referentie: z.string(),
    soort: z.string(),
    slug: z.string(),
    status: z.enum(['ontvangen', 'in-behandeling', 'besloten']),
    handmatig: z.boolean().describe('True when a case handler decides on it.'),
    ontvangenOp: date,
    besluit: z
      .strictObject({ uitkomst: z.string(), reden: z.string().nullable(), datum: date })
      .nullable()
      .describe('Null until there is a decision.'),
  })
  .meta({ id: 'Zaak', description: 'A case (zaak): a request that the simulated register has received.' });

export const UploadState = z
  .strictObject({ state: z.enum(['uploaded', 'pending', 'rejected']) })
  .meta({ id: 'UploadState' });

export const SnapshotName = z
  .strictObject({ name: z.string(), world: z.string(), savedAt: z.iso.datetime() })
  .meta({ id: 'SnapshotName' });

export const Expected = z
  .strictObject({
    today: date,
    until: date,
    letters: z
      .array(
        z.strictObject({
          date,
          kind: z.enum(LETTER_KINDS),
          persona: z.string(),
          naam: z.string(),
          subject: z.string(),
        }),
      )
      .describe('The letters that the register sends, oldest first. Empty when `until` is not after today.'),
  })
  .meta({
    id: 'Expected',
    description: 'What the register does after today until a later day, when only time passes.',
  });

export const AudienceLinks = z
  .strictObject({
    links: z.array(z.url()).describe('One link for each name at which the service can be reached.'),
    codes: z
      .array(z.strictObject({ size: z.int(), path: z.string() }))
      .describe('The QR code of each link: its width in modules (ISO/IEC 18004), and the SVG path of the dark ones.'),
    reason: z.string().nullable().describe('Dutch sentence that says why there is no link; otherwise null.'),
    canOpen: z.boolean().describe('Whether this world can be opened to the network without a restart.'),
  })
  .meta({ id: 'AudienceLinks' });

export const LetterTag = z.enum(BRIEF_TAGS);

export const LetterState = z
  .strictObject({
    tag: LetterTag,
    referentie: z
      .string()
      .optional()
      .describe('Reference of the case that the new letter is about; the case of the current letter when absent.'),
    templateId: z
      .enum(['herregistratie-besluit', 'registratie-besluit', 'aanvulling-gevraagd', 'voornemen-afwijzing'])
      .optional()
      .describe('The template of the new letter; that of a decision on this kind of case when absent.'),
    uitkomst: z
      .enum(UITKOMSTEN)
      .optional()
      .describe(
        'The outcome that the new letter states; when absent that of the decision on the case, or a grant when there is none.',
      ),
  })
  .meta({ id: 'LetterState' });

export const Letter = z
  .strictObject({
    briefId: z.string(),
    tag: LetterTag,
    version: z.int(),
    referentie: z.string().nullable(),
    drafterId: z.string().nullable(),
    submittedBy: z.string().nullable(),
    approvedBy: z.string().nullable(),
  })
  .meta({ id: 'Letter', description: 'The current letter of a world, on which drafters and approvers work.' });

export const SentLetterSummary = z
  .strictObject({
    id: z.string().describe('Id of the letter, unique among the letters to one person.'),
    date,
    kind: z.enum(LETTER_KINDS),
    channel: z.enum(['berichtenbox', 'post']),
    subject: z.string(),
    referentie: z
      .string()
      .nullable()
      .describe('Reference of the request that the letter is about; null for one about the term of a registration.'),
  })
  .meta({ id: 'SentLetterSummary', description: 'A letter that the simulated register sent, without its text.' });

export const InboxLetter = SentLetterSummary.extend({
  persona: z.string().describe('Slug of the person to whom the letter was sent.'),
}).meta({ id: 'InboxLetter', description: 'A letter that the simulated register sent, with its addressee.' });

const lines = z.array(z.string());

export const SentLetter = SentLetterSummary.extend({
  text: z.string(),
  letter: z.strictObject({
    sender: lines,
    addressee: lines,
    date: date.nullable(),
    kenmerk: z.string(),
    registratienummer: z.string().nullable(),
    onderwerp: z.string(),
    paragraphs: z.array(
      z.strictObject({
        list: z.enum(['bullet', 'number']).nullable(),
        heading: z.boolean().optional().describe('True for a heading.'),
        spans: z.array(
          z.strictObject({
            text: z.string(),
            bold: z.boolean().optional(),
            italic: z.boolean().optional(),
            underline: z.boolean().optional(),
          }),
        ),
      }),
    ),
    signature: lines,
  }),
}).meta({
  id: 'SentLetter',
  description: 'A letter that the simulated register sent, as plain text (`text`) and in parts (`letter`).',
});
