import type { OperationId } from '../auth/policy.ts';

/**
 * An example of the JSON body of a request, keyed by operation id. Saving the letter has none: its body is made from the
 * sections that GET /brief answers.
 */
export const BODY_EXAMPLES: Readonly<Partial<Record<OperationId, object>>> = {
  createRegistration: { diplomaHerkomst: 'duo', documents: [] },
  createHerregistratie: { uren: 2600, documents: [] },
  createIntake: { uren: 1200, scholing: 'ja', punten: 200 },
  createChangeRequest: { straat: 'Kerkstraat 1 A', postcode: '1012 GG', woonplaats: 'Amsterdam' },
  createApplication: { type: 'herregistratie' },
  syncApplication: { draft: { uren: 2600 }, stepIndex: 1, stepCount: 3, documentIds: [] },
  submitApplication: { uren: 2600, documents: [] },
  briefReject: { comments: 'Noem in de eerste alinea de datum van de aanvraag.' },
};
