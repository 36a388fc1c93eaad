/** Schemas of the control API. The `id` in `meta` is the name of the schema in the OpenAPI document. */
import * as z from 'zod';
import { UITKOMSTEN } from '../../adapters/register/wire.ts';
import { BEROEPEN } from '../../src/wire/values.ts';
import { SITUATION_NAMES } from '../search/values.ts';
import { FAULT_KINDS, FAULT_TARGETS, type FaultKind, SERVICE_FAULT_KINDS } from '../worlds/faults.ts';

const date = z.iso.date();

/** A delay in milliseconds, at most one minute. */
const wait = z.number().nonnegative().max(60_000);

export const Duration = z
  .union([
    wait,
    z.strictObject({ min: wait, max: wait }),
    z.strictObject({ median: wait.positive(), sigma: z.number().nonnegative() }),
  ])
  .meta({ id: 'Duration', description: 'Milliseconden: vast, tussen twee grenzen, of lognormaal om een mediaan.' });

export const Fault = z
  .strictObject({
    upstream: z.enum(FAULT_TARGETS),
    operation: z.string().optional(),
    kind: z.enum(Object.keys({ ...FAULT_KINDS, ...SERVICE_FAULT_KINDS }) as [FaultKind, ...FaultKind[]]),
    ms: Duration.optional(),
    status: z.int().min(400).max(599).optional(),
    code: z.string().max(64).optional(),
    retryAfter: z.int().nonnegative().optional(),
    persona: z.string().max(64).optional(),
    after: z.int().nonnegative().max(1_000_000).optional(),
    times: z.int().positive().max(1_000_000).optional(),
    probability: z.number().gt(0).max(1).optional(),
    seed: z.int().optional(),
  })
  .meta({
    id: 'Fault',
    description:
      'Een storing van een bron, of van de dienst zelf (`dienst`). `code` en `persona` horen bij de dienst; `after` is het aantal aanroepen dat eerst nog goed gaat, en `times` het aantal dat daarna mis kan gaan.',
  });

export const FaultOn = Fault.extend({ id: z.string(), scenario: z.string().nullable() }).meta({ id: 'FaultOn' });

export const World = z
  .strictObject({
    world: z.string(),
    clock: z.strictObject({
      mode: z.enum(['real', 'running', 'frozen']),
      now: z.iso.datetime(),
      today: date,
      firstDay: date.nullable(),
    }),
    scenarios: z.array(z.string()),
    faults: z.array(FaultOn),
    entries: z.int(),
  })
  .meta({ id: 'World' });

export const Reset = z
  .strictObject({ begin: date.optional() })
  .meta({ id: 'Reset', description: 'Met `begin` staat de klok stil op die dag en beginnen de verhalen dan.' });

export const ClockChange = z
  .strictObject({
    real: z.literal(true).optional(),
    set: z.union([date, z.iso.datetime({ offset: true })]).optional(),
    move: z.string().optional(),
    deadline: z.string().optional(),
    days: z.int().min(-100_000).max(100_000).optional(),
    frozen: z.boolean().optional(),
  })
  .meta({
    id: 'ClockChange',
    description:
      'Eén van `real`, `set`, `move` (`+4months`, `-1day`, `+1year 2days`), `deadline` (een persona, met `days` ervoor of erna) of alleen `frozen`.',
  });

export const Scenario = z
  .strictObject({ name: z.string(), toont: z.string(), faults: z.array(Fault) })
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
  .meta({ id: 'SimulatedUpload' });

export const PersonaCard = z
  .strictObject({
    slug: z.string(),
    naam: z.string(),
    kind: z.enum(['professional', 'letter', 'staff']),
    toont: z.string(),
    shows: z.string(),
    /**
     * Names of the situations of the persona, such as `geschorst`, on the current day of the world; an empty list for a
     * persona who is not a professional. Requests that were submitted in the world have no influence.
     */
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
        woonplaats: z.string().nullable(),
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
    uitkomst: z.enum(UITKOMSTEN),
    reden: z.string().max(500).nullable().optional(),
    beroep: z.enum(BEROEPEN).nullable().optional(),
  })
  .meta({
    id: 'Besluit',
    description:
      'Met `beroep` bij een registratie: het beroep waarin iemand wordt geregistreerd. Zonder is het dat van de aanvraag, of dat de persona beoogt of eerder had.',
  });

export const Zaak = z
  .strictObject({
    referentie: z.string(),
    soort: z.string(),
    slug: z.string(),
    status: z.enum(['ontvangen', 'in-behandeling', 'besloten']),
    handmatig: z.boolean(),
    ontvangenOp: date,
    besluit: z.strictObject({ uitkomst: z.string(), reden: z.string().nullable(), datum: date }).nullable(),
  })
  .meta({ id: 'Zaak' });

export const UploadState = z
  .strictObject({ state: z.enum(['uploaded', 'pending', 'rejected']) })
  .meta({ id: 'UploadState' });

export const SnapshotName = z
  .strictObject({ name: z.string(), world: z.string(), savedAt: z.iso.datetime() })
  .meta({ id: 'SnapshotName' });

const message = {
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  truncated: z.boolean(),
};

export const JournalEntry = z
  .strictObject({
    id: z.int(),
    at: z.iso.datetime(),
    worldAt: z.iso.datetime(),
    world: z.string(),
    caller: z.strictObject({ kind: z.string(), subject: z.string() }).nullable(),
    request: z.strictObject({ method: z.string(), path: z.string(), ...message }),
    response: z.strictObject({ status: z.int(), ...message }),
    ms: z.number(),
    operation: z.string().nullable(),
    problem: z.string().nullable(),
    breach: z.array(z.string()).optional(),
    upstream: z.array(
      z.strictObject({
        bron: z.string(),
        operation: z.string().optional(),
        outcome: z.union([z.int(), z.string()]),
        start: z.number(),
        ms: z.number(),
        attempts: z.int(),
        fault: z.string().optional(),
      }),
    ),
    why: z.array(
      z.strictObject({
        rule: z.string(),
        source: z.string().optional(),
        sentence: z.string().nullable(),
        outcome: z.unknown(),
        facts: z.unknown(),
      }),
    ),
    traceId: z.string(),
    curl: z.string(),
  })
  .meta({
    id: 'JournalEntry',
    description: 'Eén aanroep van een frontend: wat er werd gevraagd, veroorzaakt en geantwoord, en waarom.',
  });
