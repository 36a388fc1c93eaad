import type { RecordedRequest } from '../../simulator/worlds/journal.ts';
import type { TestService } from './service.ts';

/** What was written down in a world, the newest last; `after` an entry when that is given. */
export async function journalOf(service: TestService, world: string, after = 0): Promise<RecordedRequest[]> {
  const { body } = await service.get(`/_simulator/worlds/${world}/journal?after=${after}`);
  return body as RecordedRequest[];
}
