import { createBrp } from '../adapters/brp/index.ts';
import { createDuo } from '../adapters/duo/index.ts';
import { createBrieven } from '../adapters/register/brieven/index.ts';
import { createRegister } from '../adapters/register/index.ts';
import type { PeopleDirectory } from '../simulator/people/directory.ts';
import { standInIdentity } from '../simulator/people/stand-in.ts';
import { createServiceFaults } from '../simulator/service/intercept.ts';
import { brpOperations } from '../simulator/upstreams/brp/index.ts';
import { duoOperations } from '../simulator/upstreams/duo.ts';
import { registerOperations } from '../simulator/upstreams/register/index.ts';
import { UPSTREAMS } from '../simulator/worlds/faults.ts';
import { createWorlds } from '../simulator/worlds/index.ts';
import type { ScenarioName } from '../simulator/worlds/scenarios.ts';
import { type StoreSeedDocument, seededStores } from '../simulator/worlds/seeded-stores.ts';
import { DEFAULT_SETTINGS } from '../simulator/worlds/settings.ts';
import { createMemoryState } from '../simulator/worlds/state-memory.ts';
import { DEFAULT_UPLOAD_LIMITS } from '../src/domain/upload-limits.ts';
import { createRates } from '../src/http/operation/rates.ts';
import { allOperations } from '../src/operations.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { ProcessingLog } from '../src/ports/processing.ts';
import { TIMING } from '../src/ports/timing.ts';
import { identificatieOf } from '../src/uploads/documents.ts';
import { type ControlledWorld, createControl } from './control.ts';
import { createMemoryDocuments } from './documents.ts';
import { jsonClientOf } from './json-client.ts';
import { createMemoryStore } from './memory-store/index.ts';
import { createScanner } from './scanner.ts';
import { createService, type PageService } from './service.ts';
import { createSimulatedConnection } from './simulated-connection.ts';
import type { HandlersControl } from './types.ts';
import { readUpload } from './upload.ts';

/** Records nothing, because all persons in a page are fictional. */
const NO_PROCESSING_LOG: ProcessingLog = {
  accepts: () => true,
  processing: () => undefined,
  audit: () => undefined,
  close: async () => undefined,
};

/**
 * Returns the service with its stores and simulated upstreams, in memory, and the functions that control it. `isClockFrozen` is
 * true when `clock` always returns the same time; `scenarios` are on from the start.
 */
export function createWorld(
  directory: PeopleDirectory,
  clock: Clock,
  isClockFrozen: boolean,
  scenarios: readonly ScenarioName[],
  controlled: ControlledWorld,
): { readonly service: PageService; readonly control: HandlersControl } {
  const state = createMemoryState({ ...DEFAULT_SETTINGS, scenarios });
  const worlds = createWorlds({ directory, clock, isClockFrozen, state });
  const connections = UPSTREAMS.map((upstream) => createSimulatedConnection(upstream, worlds));
  const [toRegister, toBrp, toDuo, toDocuments, toScanner] = connections;
  if (!toRegister || !toBrp || !toDuo || !toDocuments || !toScanner)
    throw new Error('an upstream without a connection');
  const register = jsonClientOf('register', toRegister, registerOperations, worlds.at);
  const documents = createMemoryDocuments(toDocuments);
  const store = createMemoryStore();
  const storeDocument: StoreSeedDocument = (document, bytes) =>
    documents.add({ ...document, identificatie: identificatieOf(document.documentId) }, bytes);
  const seeded = seededStores(store, worlds, { register: true, storeDocument });
  // `receiveHalf` does nothing: the whole body of a request is available before the request is handled.
  const faults = createServiceFaults({ worlds, receiveHalf: async () => undefined });
  const deps = {
    ...seeded.stores,
    register: createRegister(register),
    brieven: createBrieven(register),
    brp: createBrp(jsonClientOf('brp', toBrp, brpOperations, worlds.at)),
    duo: createDuo(jsonClientOf('duo', toDuo, duoOperations, worlds.at)),
    documents,
    scanner: createScanner(toScanner),
    readUpload,
    uploadLimits: DEFAULT_UPLOAD_LIMITS,
    briefStore: store.brieven,
    keys: store.keys,
    timing: TIMING,
    identity: standInIdentity(directory),
    clock: worlds.clock,
    ids: worlds.ids,
    setsDateHeader: true,
    simulated: UPSTREAMS,
    processingLog: NO_PROCESSING_LOG,
    rates: createRates({ all: 0, submits: 0 }),
    readiness: () => true,
    intercept: faults.intercept,
  };
  const renewConnections = (name?: string): void => {
    for (const connection of connections) connection.renew(name);
  };
  const { control, note } = createControl(
    {
      ...{ worlds, store, documents, seeded, storeDocument, catalogue: faults.catalogue, renewConnections },
      service: (request, headers) => service(request, headers),
    },
    controlled,
  );
  const service = createService(allOperations(deps), deps, note);
  return { service, control };
}
