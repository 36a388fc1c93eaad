import * as z from 'zod';
import type { Backstage } from './backstage.ts';
import { briefOperations } from './brief.ts';
import { demoOperations } from './demos.ts';
import { controlDocument } from './document.ts';
import { faultOperations } from './faults.ts';
import { type ControlOperation, ok, operation } from './operation.ts';
import { personaOperations } from './personas.ts';
import { openAlbum, snapshotOperations } from './snapshots.ts';
import { uploadOperations } from './uploads.ts';
import { worldOperations } from './worlds.ts';
import { zaakOperations } from './zaken.ts';

/** Everything that can be done to the simulator, beside what more is given. */
export function controlOperations(backstage: Backstage, more: readonly ControlOperation[] = []): ControlOperation[] {
  const album = openAlbum(backstage.dataDir);
  const operations = [
    ...personaOperations(backstage),
    ...worldOperations(backstage),
    ...faultOperations(backstage),
    ...zaakOperations(backstage),
    ...briefOperations(backstage),
    ...uploadOperations(backstage),
    ...snapshotOperations(backstage, album),
    ...demoOperations(backstage, album),
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
