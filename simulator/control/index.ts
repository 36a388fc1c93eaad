import * as z from 'zod';
import { audienceOperations } from './audience.ts';
import { demoOperations } from './demos.ts';
import { controlDocument } from './document.ts';
import { expectedOperations } from './expected.ts';
import { faultOperations } from './faults.ts';
import { journalOperations } from './journal.ts';
import { briefOperations } from './letters/brief.ts';
import { correspondenceOperations } from './letters/correspondence.ts';
import { type ControlOperation, ok, operation } from './operation.ts';
import { ownPersonaOperations } from './people/own.ts';
import { personaOperations } from './people/personas.ts';
import { peopleOperations } from './people/search.ts';
import { snapshotOperations } from './snapshots/operations.ts';
import { uploadOperations } from './uploads.ts';
import { worldOperations } from './worlds.ts';
import { zaakOperations } from './zaken.ts';

let description: ReturnType<typeof controlDocument> | undefined;

export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  ...worldOperations,
  ...expectedOperations,
  ...personaOperations,
  ...peopleOperations,
  ...ownPersonaOperations,
  ...faultOperations,
  ...zaakOperations,
  ...briefOperations,
  ...uploadOperations,
  ...correspondenceOperations,
  ...snapshotOperations,
  ...demoOperations,
  ...audienceOperations,
  ...journalOperations,
  operation({
    id: 'document',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Description',
    description: 'Describe the control API as an OpenAPI document',
    guide: [['How the control API is described', 'Besturing als OpenAPI', 'help']],
    answers: { 200: z.unknown() },
    handle() {
      description ??= controlDocument(CONTROL_OPERATIONS);
      return ok(description);
    },
  }),
];
