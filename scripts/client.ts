/**
 * `npm run client`: generates `client/api.ts` and `client/personas.ts`. It starts a service to read the OpenAPI
 * document.
 */
import { writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { development } from '../simulator/host/index.ts';
import { readConfig } from '../src/config/index.ts';
import { start } from '../src/startup/service.ts';
import { clientPersonas } from './client/personas.ts';
import { clientTypes, type Document } from './client/types.ts';

const config = readConfig({ PORT: '0', DATA_DIR: ':memory:' });
const service = await start(config, { logger: pino({ level: 'silent' }), development });
const answer = await fetch(`${service.url}/api/v1/openapi.json`);
const document = (await answer.json()) as Document;
await service.close();

const write = (file: string, text: string) => writeFileSync(new URL(`../client/${file}`, import.meta.url), text);
write('api.ts', clientTypes(document));
write('personas.ts', clientPersonas());
