import fc from 'fast-check';
import type { Race } from './race.ts';

/**
 * The state of one Idempotency-Key: the hours of the request that used it first, and the reference in its answer; null
 * when it was not used yet.
 */
interface State {
  readonly key: { readonly uren: number; readonly answer: string } | null;
}

type Op = { readonly do: 'request'; readonly uren: number } | { readonly do: 'list' };

/** A race of requests with one Idempotency-Key, most of them with the same content. */
export const keys: Race<State, Op> = {
  ops: fc.record({ do: fc.constant('request' as const), uren: fc.constantFrom(2_600, 2_600, 2_600, 3_000) }),
  reads: [{ do: 'list' }],

  /** The rules of reliability.md, "Nothing lost, nothing twice", as a state table. */
  table(state, op, { status, body }, contended) {
    if (op.do === 'list') return status === 200 && body.length === Number(state.key !== null) ? state : null;
    const { uren } = op;
    if (status === 200 && state.key === null) return { key: { uren, answer: body.referentie } };
    if (status === 200) return state.key?.uren === uren && state.key.answer === body.referentie ? state : null;
    if (body.code === 'sleutel-hergebruikt')
      return contended || (state.key !== null && state.key.uren !== uren) ? state : null;
    return body.code === 'sleutel-in-gebruik' && contended ? state : null;
  },

  async prepare(_, world) {
    const as = `sanne-de-wit@${world}`;
    return {
      initial: { key: null },
      run: (send, op) =>
        op.do === 'list'
          ? send('GET', '/api/v1/applications', { as })
          : send('POST', '/api/v1/intakes', { as, json: { uren: op.uren }, headers: { 'idempotency-key': 'k' } }),
    };
  },
};
