import { createHash } from 'node:crypto';
import { decide, rule } from '../../domain/rule.ts';
import type { KeyStore, OpenedKey } from '../../ports/store/store.ts';
import type { Timing } from '../../ports/timing.ts';
import { Problem } from '../../problem.ts';
import { type Answer, type Exchange, JSON_TYPE, listenerOf } from '../exchange.ts';
import type { IdempotentRequest, ProcessingDetails } from './operation.ts';

interface IdempotencyDeps {
  readonly keys: KeyStore;
  readonly newId: () => string;
  readonly timing: Pick<Timing, 'idempotencyLease'>;
  readonly processingDetails: Pick<ProcessingDetails, 'repeats'>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Calls `make` and stores its successful answer with the `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header),
 * which a retry gets. Without that header, only calls `make`. Throws 400 for an invalid key, 422 for a key of another
 * request, and 409 while an earlier request with the key is in progress. After a refusal (4xx) the client may use the
 * key for a corrected request, unless an attempt with it may have succeeded.
 *
 * @param owner - subject of the caller, to whom the key belongs
 * @param request - the text of the request body
 */
export async function answerOnce(
  { keys, newId, timing, processingDetails }: IdempotencyDeps,
  http: Exchange,
  owner: string,
  request: string,
  make: (idempotency: IdempotentRequest) => Promise<Answer>,
): Promise<Answer> {
  const values = http.req.headersDistinct['idempotency-key'];
  if (values === undefined) {
    const id = newId();
    return make({ id, key: id, retry: false });
  }
  const key = demandOneKey(values);
  const fingerprint = createHash('sha256').update(`${http.method} ${http.path}\n${request}`).digest('base64url');
  const found = await keys.open(owner, key, fingerprint, newId(), Date.now() + timing.idempotencyLease);
  const opened = decide(listenerOf(http), demandUsableKey, { key, request: fingerprint, found });
  switch (opened.state) {
    case 'done':
      processingDetails.repeats();
      return opened.answer;
    case 'open': {
      const abandon = async (status: number): Promise<void> => {
        if (status < 500 && !opened.retry) await keys.forget(owner, key, opened.claim);
        else await keys.release(owner, key, opened.claim);
      };
      try {
        const answer = await make({ id: opened.id, key, retry: opened.retry });
        const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
        if (answer.status >= 400) {
          await abandon(answer.status);
          return answer;
        }
        await keys.keep(owner, key, {
          status: answer.status,
          body,
          headers: { 'Content-Type': JSON_TYPE, ...answer.headers },
        });
        return answer;
      } catch (error) {
        // When the store fails as well, the claim on the key expires by itself.
        await abandon(error instanceof Problem ? error.status : 500).catch(() => undefined);
        throw error;
      }
    }
  }
}

function demandOneKey(values: readonly string[]): string {
  const [key = ''] = values;
  if (values.length === 1 && KEY.test(key)) return key;
  const errors = [
    {
      pointer: 'Idempotency-Key',
      code: 'ongeldige-waarde' as const,
      detail: 'Eén sleutel van 1 tot 255 zichtbare ASCII-tekens.',
      english: 'Send one key of 1 to 255 visible ASCII characters.',
    },
  ];
  const said = {
    detail: 'De kopregel Idempotency-Key is onbruikbaar.',
    english: 'The header Idempotency-Key is unusable.',
  };
  throw new Problem('ongeldig-verzoek', said, { errors });
}

interface KeyFacts {
  readonly key: string;
  // Hash of the request that the client sent with the key.
  readonly request: string;
  readonly found: OpenedKey;
}

// 422 `sleutel-hergebruikt` for a key of another request, and 409 `sleutel-in-gebruik` while one with it is in
// progress.
const demandUsableKey = rule(
  'reliability.md, "Nothing lost, nothing twice"',
  function demandUsableKey({ found }: KeyFacts): Exclude<OpenedKey, { state: 'other' | 'busy' }> {
    switch (found.state) {
      case 'other':
        throw new Problem(
          'sleutel-hergebruikt',
          'Deze Idempotency-Key is al voor een ander verzoek gebruikt. Neem een nieuwe.',
        );
      case 'busy':
        throw keyInUse();
      default:
        return found;
    }
  },
  {
    facts: ({ found, ...facts }) => ({ ...facts, found: found.state }),
    outcome: ({ state }) => (state === 'done' ? 'eerste antwoord herhaald' : undefined),
  },
);

export const keyInUse = (): Problem =>
  new Problem('sleutel-in-gebruik', 'Een verzoek met deze Idempotency-Key is nog onderweg.', {
    headers: { 'Retry-After': '1' },
  });
