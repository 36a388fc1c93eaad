/** `npm run client`: generates `client/api.ts`, `client/personas.ts` and `testing/types.ts`. */
import { writeFileSync } from 'node:fs';
import { DEFAULT_UPLOAD_LIMITS } from '../src/domain/upload-limits.ts';
import { allOperations, type OperationDeps } from '../src/operations.ts';
import { controlTypes } from './client/control-types.ts';
import { clientPersonas } from './client/personas.ts';
import { clientTypes } from './client/types.ts';

const operations = allOperations({ uploadLimits: DEFAULT_UPLOAD_LIMITS } as OperationDeps);

const write = (file: string, text: string) => writeFileSync(new URL(`../${file}`, import.meta.url), text);
write('client/api.ts', clientTypes(operations));
write('client/personas.ts', clientPersonas());
write('testing/types.ts', controlTypes());
