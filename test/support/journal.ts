import type { Entry } from '../../simulator/worlds/journal.ts';
import type { TestService } from './service.ts';

/** What was written down in a world, the newest last; `after` an entry when that is given. */
export async function journalOf(service: TestService, world: string, after = 0): Promise<Entry[]> {
  const { body } = await service.get(`/_simulator/worlds/${world}/journal?after=${after}`);
  return body as Entry[];
}
