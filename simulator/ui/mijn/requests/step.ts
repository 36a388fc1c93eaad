import type { ComponentChildren } from 'preact';
import type { SubmitApplicationRequest } from 'zorgregister-bff/client';
import type { Fact } from '../../components/parts.tsx';
import type { Answers, DraftDocument } from './draft.ts';
import type { Uploads } from './uploads.tsx';

/**
 * The props of a step of an application. `set` changes some answers, and `setDocuments` changes the list of documents.
 * `uploads` are the files that are not uploaded yet. `faultOf` returns the error message of a field (null when it has
 * none).
 */
export interface StepProps {
  answers: Answers;
  set: (change: Partial<Answers>) => void;
  setDocuments: (change: (before: readonly DraftDocument[]) => DraftDocument[]) => void;
  uploads: Uploads;
  faultOf: (field: string) => string | null;
}

/**
 * A step of an application with the current answers. `faults` are the messages about answers that are missing or wrong,
 * keyed by the id of the field; undefined while the page does not know what the step asks: the service then checks it.
 * `facts` are the answers as the last step shows them.
 */
export interface Step {
  view: (props: StepProps) => ComponentChildren;
  faults: Record<string, string> | undefined;
  facts: readonly Fact[];
}

/** The message of a question without an answer. */
export const UNANSWERED = 'Beantwoord deze vraag.';

/**
 * A kind of application that the user fills in step by step, and checks in a last step. `titles` are the names of the
 * steps before that one, and `useSteps` is a hook that returns these steps. `body` returns what is submitted for the
 * answers. `namesProfession` is true when the application is about the profession of the registration.
 */
export interface WizardType {
  type: 'registratie' | 'herregistratie' | 'intake';
  title: string;
  titles: readonly string[];
  useSteps: (answers: Answers) => readonly Step[];
  namesProfession: boolean;
  body: (answers: Answers) => Partial<SubmitApplicationRequest>;
  /** returns the step of a field, counted from 0 */
  stepOf: (field: string) => number;
}
