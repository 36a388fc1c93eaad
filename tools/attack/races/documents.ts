import fc from 'fast-check';
import { pdf } from '../../../test/support/files.ts';
import { BOUNDARY, multipart, partsOf } from '../../../test/support/multipart.ts';
import { made, type Race } from './race.ts';

const PATH = '/api/v1/applications';

/** The state of one document and one draft. `linked`: the document belongs to a submitted request. */
interface State {
  readonly document: 'there' | 'linked' | 'deleted';
  readonly isSubmitted: boolean;
  /** True when the draft refers to the document. */
  readonly refers: boolean;
}

type Op = { readonly do: 'delete' | 'submit' | 'submit without' | 'save' | 'open' | 'read' };

/** A race in which a document is deleted while a draft that refers to it is saved or submitted. */
export const documents: Race<State, Op> = {
  ops: fc.record({ do: fc.constantFrom('delete', 'delete', 'submit', 'submit', 'submit without', 'save', 'open') }),
  reads: [{ do: 'read' }, { do: 'open' }],

  /** The rules of domain.md 4.4 and 4.5 as a state table. */
  table(state, { do: what }, { status, body }, contended) {
    const isDeleted = state.document === 'deleted';
    switch (what) {
      case 'delete':
        if (status === 204) return state.document === 'there' ? { ...state, document: 'deleted', refers: false } : null;
        if (status === 409) return state.document === 'linked' ? state : null;
        return status === 404 && isDeleted ? state : null;
      case 'submit':
        if (status === 200)
          return !isDeleted && !state.isSubmitted ? { document: 'linked', isSubmitted: true, refers: true } : null;
        if (body.code === 'aanvraag-al-ingediend') return state.isSubmitted ? state : null;
        return body.code === 'aanvraag-onvolledig' && isDeleted && !state.isSubmitted ? state : null;
      case 'submit without':
        if (status === 200) return state.isSubmitted ? null : { ...state, isSubmitted: true, refers: false };
        return body.code === 'aanvraag-al-ingediend' && state.isSubmitted ? state : null;
      case 'save':
        if (status === 204) return !isDeleted && !state.isSubmitted ? { ...state, refers: true } : null;
        if (status === 400) return isDeleted ? state : null;
        return status === 404 && state.isSubmitted ? state : null;
      case 'open':
        // The instances have simulated document stores on one folder: one can delete a file while another reads it.
        if (status === 502 && contended) return state;
        return status === (isDeleted ? 404 : 200) ? state : null;
      case 'read':
        return status === 200 && body.documentIds.length === Number(state.refers) ? state : null;
    }
  },

  async prepare(send, world) {
    const as = `sanne-de-wit@${world}`;
    const { id } = made(await send('POST', PATH, { as, json: { type: 'herregistratie' } }));
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const body = multipart(partsOf({ file: pdf({}) }));
    const { documentId } = made(await send('POST', '/api/v1/uploads', { as, headers, body }));
    const reference = { categoryId: 'werkervaring', channel: 'digital', documentId };
    return {
      initial: { document: 'there', isSubmitted: false, refers: false },
      run(send, { do: what }) {
        const submission = { uren: 2_600, documents: [reference] };
        switch (what) {
          case 'delete':
            return send('DELETE', `/api/v1/uploads/${documentId}`, { as });
          case 'submit':
            return send('POST', `${PATH}/${id}/submit`, { as, json: submission });
          case 'submit without':
            return send('POST', `${PATH}/${id}/submit`, { as, json: { uren: 2_600 } });
          case 'save':
            return send('PUT', `${PATH}/${id}`, { as, json: { draft: {}, documentIds: [documentId] } });
          case 'open':
            return send('GET', `/api/v1/uploads/${documentId}/content`, { as });
          case 'read':
            return send('GET', `${PATH}/${id}`, { as });
        }
      },
    };
  },
};
