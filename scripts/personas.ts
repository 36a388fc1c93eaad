/** `npm run personas`: prints every persona and what it demonstrates. */
import { personasTable } from './tables/people.ts';

process.stdout.write(`${personasTable()}\n`);
