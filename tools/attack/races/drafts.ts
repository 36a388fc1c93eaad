import fc from 'fast-check';
import { made, type Race } from './race.ts';

const PATH = '/api/v1/applications';

/**
 * The state of one of two drafts of one type. `version` is the number in its ETag, and `text` the content that was
 * saved last.
 */
interface Draft {
  readonly tag: 'Concept' | 'InBehandeling' | 'deleted';
  readonly version: number;
  readonly text: number | null;
  readonly referentie: string | null;
}

/**
 * The state of two drafts. `running` is the reference of the request of their type that is in progress, of which there
 * may be only one; null when there is none.
 */
interface State {
  readonly drafts: readonly [Draft, Draft];
  readonly running: string | null;
}

type Op =
  | { readonly do: 'save'; readonly draft: 0 | 1; readonly text: number; readonly ifVersion: number | null }
  | { readonly do: 'submit'; readonly draft: 0 | 1 }
  | { readonly do: 'delete'; readonly draft: 0 | 1 }
  | { readonly do: 'read'; readonly draft: 0 | 1 }
  | { readonly do: 'request' };

const draft = fc.constantFrom(0 as const, 0 as const, 1 as const);
const SUBMIT = fc.record({ do: fc.constant('submit' as const), draft });

/**
 * A race in which two drafts are submitted, saved, deleted and read, while a request of the same type without a draft
 * is sent.
 */
export const drafts: Race<State, Op> = {
  ops: fc.oneof(
    { weight: 3, arbitrary: SUBMIT },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('save' as const),
        draft,
        text: fc.nat(99),
        ifVersion: fc.constantFrom(null, null, 1, 2),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), draft }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const), draft }) },
    { weight: 1, arbitrary: fc.constant({ do: 'request' as const }) },
  ),
  reads: [
    { do: 'read', draft: 0 },
    { do: 'read', draft: 1 },
  ],

  /** The rules of domain.md 4.4 as a state table. */
  table(state, op, { status, body, headers }) {
    const conflict = body.code === 'lopende-aanvraag';
    if (op.do === 'request') {
      if (status === 200) return state.running === null ? { ...state, running: body.referentie } : null;
      return status === 422 && conflict && state.running !== null ? state : null;
    }
    const one = state.drafts[op.draft];
    const withDraft = (changed: Partial<Draft>): State => {
      const next = { ...one, ...changed };
      return { ...state, drafts: op.draft === 0 ? [next, state.drafts[1]] : [state.drafts[0], next] };
    };
    const version = one.version + 1;
    const isConcept = one.tag === 'Concept';
    const isSubmitted = one.tag === 'InBehandeling';
    switch (op.do) {
      case 'save':
        if (status === 404) return isConcept ? null : state;
        if (status === 412) return isConcept && op.ifVersion !== null && op.ifVersion !== one.version ? state : null;
        if (status !== 204 || !isConcept || headers.etag !== `"${version}"`) return null;
        return op.ifVersion === null || op.ifVersion === one.version ? withDraft({ version, text: op.text }) : null;
      case 'read':
        if (status === 404) return one.tag === 'deleted' ? state : null;
        return status === 200 &&
          body.status.tag === one.tag &&
          body.status.referentie === one.referentie &&
          (body.draft?.text ?? null) === one.text &&
          headers.etag === `"${one.version}"`
          ? state
          : null;
      case 'delete':
        if (status === 204) return isConcept ? withDraft({ tag: 'deleted' }) : null;
        if (status === 404) return one.tag === 'deleted' ? state : null;
        return status === 409 && isSubmitted && body.referentie === one.referentie ? state : null;
      case 'submit': {
        if (status === 404) return one.tag === 'deleted' ? state : null;
        if (status === 409 && conflict) return isConcept && state.running !== null ? state : null;
        if (status === 409) return isSubmitted && body.referentie === one.referentie ? state : null;
        if (status !== 200 || !isConcept || state.running !== null) return null;
        const { referentie } = body;
        return { ...withDraft({ tag: 'InBehandeling', version, referentie }), running: referentie };
      }
    }
  },

  async prepare(send, world) {
    const as = `sanne-de-wit@${world}`;
    const make = async () => made(await send('POST', PATH, { as, json: { type: 'herregistratie' } })).id as string;
    const ids = [await make(), await make()] as const;
    const draft = { tag: 'Concept', version: 1, text: null, referentie: null } as const;
    return {
      initial: { drafts: [draft, draft], running: null },
      run(send, op) {
        if (op.do === 'request') return send('POST', '/api/v1/herregistraties', { as, json: { uren: 2_600 } });
        const path = `${PATH}/${ids[op.draft]}`;
        if (op.do === 'read') return send('GET', path, { as });
        if (op.do === 'delete') return send('DELETE', path, { as });
        if (op.do === 'submit') return send('POST', `${path}/submit`, { as, json: { uren: 2_600 } });
        const headers = op.ifVersion === null ? {} : { 'if-match': `"${op.ifVersion}"` };
        return send('PUT', path, { as, json: { draft: { text: op.text } }, headers });
      },
      async faults(send, { running }) {
        const { body } = await send('GET', `/_simulator/worlds/${world}/zaken`);
        const theirs = body
          .map(({ referentie }: { referentie: string }) => referentie)
          .filter((referentie: string) => Number(referentie.slice(-6)) > 10_000);
        const ours = running === null ? [] : [running];
        return `${theirs}` === `${ours}` ? [] : [`the register has ${theirs || 'nothing'}, not ${ours || 'nothing'}`];
      },
    };
  },
};
