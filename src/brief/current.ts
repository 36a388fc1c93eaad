import type { Caller } from '../auth/identity.ts';
import { refuse } from '../domain/rule.ts';
import type { ProcessingDetails, Request } from '../http/operation/operation.ts';
import type { Passage, Sjabloon } from '../ports/brieven.ts';
import type { Brief, BriefContent, BriefSection } from '../ports/store/brief-store.ts';
import { Problem } from '../problem.ts';
import type { BriefDeps } from './placeholders.ts';

type LetterRequest = Pick<Request<Caller, unknown>, 'caller' | 'call' | 'processingDetails' | 'onDecision' | 'newId'>;

/** Creates a letter when there is none. Null when the register has no assignment for a letter in this workspace. */
export const currentBrief = async (deps: BriefDeps, request: LetterRequest): Promise<Brief | null> =>
  (await storedBrief(deps, request)) ?? (await beginBrief(deps, request));

export async function storedBrief({ briefStore }: BriefDeps, request: LetterRequest): Promise<Brief | null> {
  const brief = await briefStore.current(request.caller.workspace);
  if (brief !== null) recordProcessing(brief, request.processingDetails);
  return brief;
}

/**
 * Logs the processing of the letter by its assignment: for the burgerservicenummer this service would have to ask the
 * register first.
 */
export function recordProcessing({ opdrachtId, briefId, version }: Brief, processingDetails: ProcessingDetails): void {
  processingDetails.concerns({ type: 'opdracht', value: opdrachtId });
  processingDetails.about({ briefId, version });
}

/** Returns the letter as `currentBrief` does, but throws 409 `brief-status` when there is none. */
export async function existingBrief(deps: BriefDeps, request: LetterRequest): Promise<Brief> {
  const brief = await currentBrief(deps, request);
  if (brief !== null) return brief;
  const problem = new Problem('brief-status', {
    detail: 'Er is in deze werkruimte geen brief te schrijven.',
    english: 'This workspace has no letter to write.',
  });
  const facts = { workspace: request.caller.workspace, opdracht: null };
  return refuse(request.onDecision, { rule: 'existingBrief', source: 'domain.md 4.8' }, facts, problem);
}

// Creates the letter, or returns the one that another request created meanwhile.
async function beginBrief(deps: BriefDeps, request: LetterRequest): Promise<Brief | null> {
  const { caller, newId } = request;
  const { workspace } = caller;
  const content = await freshDraft(deps, request, null);
  if (content === null) return null;
  await deps.briefStore.begin(workspace, newId(), content);
  return storedBrief(deps, request);
}

/**
 * Null when the register has no assignment for a letter in this workspace.
 *
 * @param drafterId - subject of the drafter; with null, the person that the register names, if any
 */
export async function freshDraft(
  { brieven }: BriefDeps,
  { caller, call, processingDetails }: LetterRequest,
  drafterId: string | null,
): Promise<BriefContent | null> {
  const opdracht = await brieven.opdracht({ werkruimte: caller.workspace }, call);
  if (opdracht === null) return null;
  processingDetails.concerns({ type: 'opdracht', value: opdracht.opdrachtId });
  const [sjabloon, passages] = await Promise.all([
    brieven.sjabloon(opdracht.templateId, call),
    brieven.passages(opdracht.beroep, call),
  ]);
  const proposed = offeredPassages(passages, opdracht).filter(({ passageId }) => opdracht.passages.includes(passageId));
  return {
    opdrachtId: opdracht.opdrachtId,
    templateId: sjabloon.templateId,
    beroep: opdracht.beroep,
    placeholders: sjabloon.placeholders,
    sections: sjabloon.sections.map((section, index) => initialSection(section, index + 1, proposed)),
    drafterId: drafterId ?? opdracht.opsteller,
    savedBy: [],
    submitters: [],
    submittedBy: null,
    submittedAt: null,
    approvedBy: null,
    approvedAt: null,
    rejectedBy: null,
    rejectedAt: null,
    comments: null,
    frozen: null,
  };
}

// The ids of the blocks are made of `position`, from 1, because the register may use any text as key of a section.
function initialSection(
  { sectionKey, title, required, locked, content }: Sjabloon['sections'][number],
  position: number,
  proposed: readonly Passage[],
): BriefSection {
  const fromTemplate = content.paragraphs.length > 0 ? [{ type: 'freeText' as const, content }] : [];
  const fromLibrary = proposed
    .filter((one) => !locked && one.sectionKey === sectionKey)
    .map(({ passageId, version, label, content: text, besluit, uitkomsten, uren, uhd, reactie, feit }) => ({
      type: 'passage' as const,
      content: text,
      sourcePassageId: passageId,
      sourceVersion: version,
      label,
      edited: false,
      besluit,
      uitkomsten,
      uren,
      uhd,
      reactie,
      feit,
    }));
  const blocks = [...fromTemplate, ...fromLibrary].map((block, index) => ({
    ...block,
    blockId: `${position}-${index + 1}`,
  }));
  return { sectionKey, title, required, locked, blocks };
}

/** Returns the passages of this template, and those for all templates. */
export const passagesOfTemplate = (passages: readonly Passage[], templateId: string): Passage[] =>
  passages.filter((one) => one.templateId === null || one.templateId === templateId);

/** Returns the passages that a drafter can choose: only the newest version of each (domain.md 4.8). */
export function offeredPassages(
  passages: readonly Passage[],
  { templateId, beroep }: Pick<Brief, 'templateId' | 'beroep'>,
): Passage[] {
  const newest = passages.filter(
    ({ passageId, version }) => !passages.some((other) => other.passageId === passageId && other.version > version),
  );
  return passagesOfTemplate(newest, templateId).filter((one) => one.scope === 'global' || one.beroep === beroep);
}
