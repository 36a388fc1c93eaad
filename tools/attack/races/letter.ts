import fc from 'fast-check';
import { type Action, TRANSITIONS } from '../../../src/brief/actions.ts';
import type { BriefTag } from '../../../src/wire/values.ts';
import {
  createLetterClient,
  fillablePlaceholderOf,
  freeText,
  type StaffName,
  sectionTextOf,
} from '../../../test/support/letter.ts';
import type { TestService } from '../../../test/support/service.ts';
import { made, type Race } from './race.ts';

/**
 * The state of the letter of a world. `text` is the free text that was saved last, and `isFilled` is true when the
 * placeholder of its template has a text.
 */
interface State {
  readonly tag: BriefTag;
  readonly text: string;
  readonly isFilled: boolean;
}

type Op = { readonly do: Exclude<Action, 'save'> | 'read' } | { readonly do: 'save'; readonly text: string };

const WHO: Readonly<Record<Op['do'], StaffName>> = {
  save: 'bas',
  submit: 'dana',
  approve: 'anna',
  reject: 'tess',
  send: 'bas',
  reset: 'ali',
  read: 'dana',
};

const simple = fc.constantFrom('approve', 'approve', 'reject', 'reject', 'submit', 'send', 'reset', 'read');

/** A race in which a submitted letter is approved, rejected, saved, submitted, sent and reset. */
export const letter: Race<State, Op> = {
  ops: fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: simple as fc.Arbitrary<Exclude<Op['do'], 'save'>> }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('save' as const), text: fc.stringMatching(/^[a-z]{1,8}$/) }) },
  ),
  reads: [{ do: 'read' }],

  /** The rules of domain.md 4.8 as a state table, made from `TRANSITIONS` of the service. */
  table(state, op, { status, body }, contended) {
    if (op.do === 'read') {
      const { brief } = body;
      const isSame = brief.status.tag === state.tag && sectionTextOf(brief.sections, 'bewijsstukken') === state.text;
      return status === 200 && isSame ? state : null;
    }
    const { from, to } = TRANSITIONS[op.do];
    const isPossible = (from as readonly BriefTag[]).includes(state.tag);
    // A call is refused when another call changed the letter after this call had read it.
    if (status === 409 && body.code === 'brief-status') return contended || !isPossible ? state : null;
    if (status === 409) return op.do === 'submit' && (contended || !state.isFilled) ? state : null;
    if (status !== 200 || !isPossible) return null;
    if (op.do === 'reset') return { tag: to, text: '', isFilled: false };
    if (body.status.tag !== to) return null;
    if (op.do === 'save') return { tag: to, text: op.text, isFilled: true };
    return op.do === 'submit' && !state.isFilled ? null : { ...state, tag: to };
  },

  async prepare(send, world) {
    const deskOf = (call: unknown) => createLetterClient({ call } as TestService, world);
    const client = deskOf(send);
    await client.get('dana');
    made(await client.post('bas', 'reset'));
    const { sections } = made(await client.get('bas')).brief;
    fillablePlaceholderOf(sections).text = '1 juni 2022 tot 1 mei 2026';
    made(await client.put('dana', sections));
    made(await client.post('dana', 'submit'));
    return {
      initial: { tag: 'submitted', text: '', isFilled: true },
      run(send, op) {
        const client = deskOf(send);
        const who = WHO[op.do];
        if (op.do === 'read') return client.get(who);
        if (op.do === 'reject') return client.post(who, 'reject', { comments: 'Anders.' });
        if (op.do !== 'save') return client.post(who, op.do);
        const mine = structuredClone(sections);
        mine[5].blocks = [freeText(op.text)];
        return client.put(who, mine);
      },
    };
  },
};
