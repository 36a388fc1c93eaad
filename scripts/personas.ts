/** `npm run personas`: everyone with a name, and what each shows. */
import { personasTable } from './tables.ts';

process.stdout.write(`${personasTable()}\n`);
