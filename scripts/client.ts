/** `npm run client`: generates `client/api.ts` and `client/personas.ts`. */
import { writeFileSync } from 'node:fs';
import { DEFAULT_UPLOAD_LIMITS } from '../src/domain/upload-limits.ts';
import { allOperations, type OperationDeps } from '../src/operations.ts';
import { clientPersonas } from './client/personas.ts';
import { clientTypes } from './client/types.ts';

const operations = allOperations({ uploadLimits: DEFAULT_UPLOAD_LIMITS } as OperationDeps);

const write = (file: string, text: string) => writeFileSync(new URL(`../client/${file}`, import.meta.url), text);
write('api.ts', clientTypes(operations));
write('personas.ts', clientPersonas());
