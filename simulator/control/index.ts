import * as z from 'zod';
import { audienceOperations } from './audience.ts';
import { demoOperations } from './demos.ts';
import type { ControlDeps } from './deps.ts';
import { controlDocument } from './document.ts';
import { faultOperations } from './faults.ts';
import { briefOperations } from './letters/brief.ts';
import { correspondenceOperations } from './letters/correspondence.ts';
import { type ControlOperation, ok, operation } from './operation.ts';
import { ownPersonaOperations } from './people/own.ts';
import { personaOperations } from './people/personas.ts';
import { peopleOperations } from './people/search.ts';
import { snapshotOperations } from './snapshots/operations.ts';
import { openSnapshotStore } from './snapshots/store.ts';
import { uploadOperations } from './uploads.ts';
import { worldOperations } from './worlds.ts';
import { zaakOperations } from './zaken.ts';

/**
 * Returns all operations of the control API, which controls the simulator: those of this folder, those in `more`, and
 * one that answers with the OpenAPI document of all of them.
 */
export function controlOperations(deps: ControlDeps, more: readonly ControlOperation[] = []): ControlOperation[] {
  const snapshotStore = openSnapshotStore(deps.dataDir);
  const operations = [
    ...personaOperations(deps),
    ...peopleOperations(deps),
    ...ownPersonaOperations(deps),
    ...worldOperations(deps),
    ...faultOperations(deps),
    ...zaakOperations(deps),
    ...briefOperations(deps),
    ...correspondenceOperations(deps),
    ...uploadOperations(deps),
    ...snapshotOperations(deps, snapshotStore),
    ...demoOperations(deps, snapshotStore),
    ...audienceOperations(deps),
    ...more,
  ];
  let description: ReturnType<typeof controlDocument> | undefined;
  const document: ControlOperation = operation({
    id: 'document',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Beschrijving',
    summary: 'Dit document',
    answers: { 200: z.unknown() },
    handle: () => {
      description ??= controlDocument([...operations, document]);
      return ok(description);
    },
  });
  return [...operations, document];
}
