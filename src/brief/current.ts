import { type Because, refuse } from '../domain/rule.ts';
import type { ProcessingDetails } from '../http/operation/account.ts';
import type { Opdracht, Passage, Sjabloon } from '../ports/brieven.ts';
import type { Call } from '../ports/call.ts';
import type { Brief, BriefContent, BriefSection } from '../ports/store/brief-store.ts';
import { Problem } from '../problem.ts';
import type { BriefDeps } from './deps.ts';

/** The parts of a request that are needed to find or create a letter. */
interface LetterRequest {
  readonly workspace: string;
  readonly call: Call;
  readonly processingDetails: ProcessingDetails;
  readonly because: Because | undefined;
  newId(): string;
}

/**
 * Returns the current letter of a workspace, and creates one when there is none. Returns null when the register has no
 * assignment for a letter in this workspace. Adds the letter to the processing log entry of the request.
 */
export async function currentBrief(deps: BriefDeps, request: LetterRequest): Promise<Brief | null> {
  const brief = (await deps.briefStore.current(request.workspace)) ?? (await beginBrief(deps, request));
  if (brief !== null) recordProcessing(brief, request.processingDetails);
  return brief;
}

/**
 * Adds the letter to the processing log entry of this request, with the register's assignment for the letter as data
 * subject. The assignment is logged instead of a burgerservicenummer, because the register can later say whom it is
 * about. So the service need not call the register for the log.
 */
export function recordProcessing({ opdrachtId, briefId, version }: Brief, processingDetails: ProcessingDetails): void {
  processingDetails.concerns({ type: 'opdracht', value: opdrachtId });
  processingDetails.about({ briefId, version });
}

/**
 * Returns the current letter, for an action that changes it; creates one when there is none. Throws 409 `brief-status`
 * when the register has no assignment for a letter in this workspace.
 */
export async function existingBrief(deps: BriefDeps, request: LetterRequest): Promise<Brief> {
  const brief = await currentBrief(deps, request);
  if (brief !== null) return brief;
  const problem = new Problem('brief-status', 'Er is in deze werkruimte geen brief te schrijven.');
  const facts = { workspace: request.workspace, opdracht: null };
  return refuse(request.because, { rule: 'existingBrief', source: 'domain 4.8' }, facts, problem);
}

/**
 * Creates the first letter of a workspace and returns it. When another request created a letter at the same time,
 * returns that letter. Returns null when the register has no assignment for a letter in this workspace.
 */
async function beginBrief(deps: BriefDeps, { workspace, call, newId }: LetterRequest): Promise<Brief | null> {
  const content = await freshDraft(deps, workspace, null, call);
  if (content === null) return null;
  await deps.briefStore.begin(workspace, newId(), content);
  return deps.briefStore.current(workspace);
}

/**
 * Returns the content of a new draft: the newest template, with the passages that the register proposes. Returns null
 * when the register has no assignment for a letter in this workspace.
 *
 * @param drafterId - subject of the drafter; with null the drafter is the person that the register names, if any
 */
export async function freshDraft(
  { brieven }: BriefDeps,
  werkruimte: string,
  drafterId: string | null,
  call: Call,
): Promise<BriefContent | null> {
  const opdracht = await brieven.opdracht({ werkruimte }, call);
  if (opdracht === null) return null;
  const [sjabloon, passages] = await Promise.all([
    brieven.sjabloon(opdracht.templateId, call),
    brieven.passages(opdracht.beroep, call),
  ]);
  return {
    opdrachtId: opdracht.opdrachtId,
    templateId: sjabloon.templateId,
    beroep: opdracht.beroep,
    placeholders: sjabloon.placeholders,
    sections: sjabloon.sections.map((section) => initialSection(section, opdracht, newestVersions(passages))),
    drafterId: drafterId ?? opdracht.opsteller,
    savedBy: [],
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

/**
 * Returns a section of a new draft: the text of the template, followed by the passages that the register proposes for
 * this section. A locked section has only the text of the template.
 */
function initialSection(
  { sectionKey, title, required, locked, content }: Sjabloon['sections'][number],
  opdracht: Opdracht,
  passages: readonly Passage[],
): BriefSection {
  const chosen = passages
    .filter((one) => one.templateId === null || one.templateId === opdracht.templateId)
    .filter((one) => one.sectionKey === sectionKey && opdracht.passages.includes(one.passageId));
  const fromTemplate = content.paragraphs.length > 0 ? [{ type: 'freeText' as const, content }] : [];
  const proposed = locked
    ? []
    : chosen.map(({ passageId, version, content: text, besluit }) => ({
        type: 'passage' as const,
        content: text,
        sourcePassageId: passageId,
        sourceVersion: version,
        edited: false,
        besluit,
      }));
  const blocks = [...fromTemplate, ...proposed].map((block, index) => ({
    ...block,
    blockId: `${sectionKey}-${index + 1}`,
  }));
  return { sectionKey, title, required, locked, blocks };
}

/** Returns the newest version of each passage. Only these are offered to a drafter (domain.md 4.8). */
export const newestVersions = (passages: readonly Passage[]): Passage[] =>
  passages.filter(
    ({ passageId, version }) => !passages.some((other) => other.passageId === passageId && other.version > version),
  );
