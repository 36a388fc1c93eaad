import type { RecordedRequest } from '../../simulator/worlds/journal.ts';
import type { TestService } from './service.ts';

/**
 * Returns the journal (list of recorded requests) of a world, oldest first. With `after`, only the requests after the one
 * with that id.
 */
export async function journalOf(service: TestService, world: string, after = 0): Promise<RecordedRequest[]> {
  const { body } = await service.get(`/_simulator/worlds/${world}/journal?after=${after}`);
  return body as RecordedRequest[];
}
