import * as z from 'zod';
import { briefOperations } from './brief.ts';
import { demoOperations } from './demos.ts';
import type { ControlDeps } from './deps.ts';
import { controlDocument } from './document.ts';
import { faultOperations } from './faults.ts';
import { type ControlOperation, ok, operation } from './operation.ts';
import { personaOperations } from './personas.ts';
import { openAlbum, snapshotOperations } from './snapshots.ts';
import { uploadOperations } from './uploads.ts';
import { worldOperations } from './worlds.ts';
import { zaakOperations } from './zaken.ts';

/** Everything that can be done to the simulator, beside what more is given. */
export function controlOperations(deps: ControlDeps, more: readonly ControlOperation[] = []): ControlOperation[] {
  const album = openAlbum(deps.dataDir);
  const operations = [
    ...personaOperations(deps),
    ...worldOperations(deps),
    ...faultOperations(deps),
    ...zaakOperations(deps),
    ...briefOperations(deps),
    ...uploadOperations(deps),
    ...snapshotOperations(deps, album),
    ...demoOperations(deps, album),
    ...more,
  ];
  const document = operation({
    id: 'document',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Beschrijving',
    summary: 'Dit document',
    answers: { 200: z.unknown() },
    handle: () => ok(description),
  });
  const description = controlDocument([...operations, document]);
  return [...operations, document];
}
