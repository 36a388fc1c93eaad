import { type Because, refuse } from '../domain/rule.ts';
import type { Accounting } from '../http/account.ts';
import type { Brief, BriefContent, Section } from '../ports/brief-store.ts';
import type { Opdracht, Passage, Sjabloon } from '../ports/brieven.ts';
import { type Call, UpstreamError } from '../ports/call.ts';
import { Problem } from '../problem.ts';
import type { BriefDeps } from './deps.ts';
import { type LetterFacts, resolve, usesOf, type Values, valueFor } from './placeholders.ts';
import type { Placeholders } from './rules.ts';

/** What the placeholders of a letter stand for. */
export interface Said {
  readonly values: Values;
  /** Whether the address among the values may not be shown. */
  readonly geheim: boolean;
  /** Null once the letter is frozen: no source is asked any more. */
  readonly facts: LetterFacts | null;
}

interface Asked {
  readonly workspace: string;
  readonly call: Call;
  readonly account: Accounting;
  readonly because: Because | undefined;
  newId(): string;
}

/** The current letter of a workspace, begun when there is none yet; null when the register has no letter to write there. */
export async function currentBrief(deps: BriefDeps, asked: Asked): Promise<Brief | null> {
  const brief = (await deps.briefStore.current(asked.workspace)) ?? (await beginBrief(deps, asked));
  if (brief !== null) accountFor(brief, asked.account);
  return brief;
}

/**
 * A letter's processing is that of whomever its case is about. By the case and not by number: of a letter that is frozen no
 * source is asked any more, and the register knows whose case it is.
 */
export function accountFor({ opdrachtId, briefId, version }: Brief, account: Accounting): void {
  account.concerns({ type: 'opdracht', value: opdrachtId });
  account.about({ briefId, version });
}

/** The same for whoever wants to change it: 409 when there is nothing to change. */
export async function existingBrief(deps: BriefDeps, asked: Asked): Promise<Brief> {
  const brief = await currentBrief(deps, asked);
  if (brief !== null) return brief;
  const problem = new Problem('brief-status', 'Er is in deze werkruimte geen brief te schrijven.');
  const facts = { workspace: asked.workspace, opdracht: null };
  return refuse(asked.because, { rule: 'existingBrief', source: 'domain 4.8' }, facts, problem);
}

/**
 * What the sources say in a letter: of an approved one what they said then, of any other what they say today. Throws when one
 * does not answer: a letter with holes where the facts belong might be approved.
 */
export async function said(deps: BriefDeps, brief: Brief, today: string, call: Call): Promise<Said> {
  if (brief.frozen !== null) return { ...brief.frozen, facts: null };
  const facts = await factsOf(deps, brief, call);
  return { values: resolve(facts, today), geheim: facts.geadresseerde?.geheim ?? false, facts };
}

export const placeholdersOf = (brief: Brief, { values }: Said): Placeholders => ({
  use: usesOf(brief),
  value: (key) => valueFor(values, key),
});

async function factsOf(deps: BriefDeps, { opdrachtId }: Brief, call: Call): Promise<LetterFacts> {
  const opdracht = await deps.brieven.opdracht({ opdrachtId }, call);
  if (opdracht === null) throw new UpstreamError('register', 'unreadable', 'the case of a letter is gone');
  const { indiener } = opdracht;
  const [registraties, geadresseerde] = await Promise.all([
    deps.register.registraties(indiener, call),
    'bsn' in indiener ? deps.brp.geadresseerde(indiener.bsn, call) : null,
  ]);
  const registratie = registraties.find(({ id }) => id === opdracht.registratieId) ?? null;
  return { opdracht, registratie, geadresseerde };
}

async function beginBrief(deps: BriefDeps, { workspace, call, newId }: Asked): Promise<Brief | null> {
  const content = await freshDraft(deps, workspace, null, call);
  if (content === null) return null;
  await deps.briefStore.begin(workspace, newId(), content);
  return deps.briefStore.current(workspace);
}

/**
 * A letter as nobody has touched it: the newest template, and the passages that belong to the outcome. Drafted by whoever is
 * named, else by whom the register asked. Null: there is no letter to write in this workspace.
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
    sections: sjabloon.sections.map((section) => firstText(section, opdracht, newest(passages))),
    drafterId: drafterId ?? opdracht.opsteller,
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

function firstText(
  { sectionKey, title, required, locked, content }: Sjabloon['sections'][number],
  opdracht: Opdracht,
  passages: readonly Passage[],
): Section {
  const chosen = passages.filter((one) => one.sectionKey === sectionKey && opdracht.passages.includes(one.passageId));
  const given = content.paragraphs.length > 0 ? [{ type: 'freeText' as const, content }] : [];
  const proposed = locked
    ? []
    : chosen.map(({ passageId, version, content: text }) => ({
        type: 'passage' as const,
        content: text,
        sourcePassageId: passageId,
        sourceVersion: version,
        edited: false,
      }));
  const blocks = [...given, ...proposed].map((block, index) => ({ ...block, blockId: `${sectionKey}-${index + 1}` }));
  return { sectionKey, title, required, locked, blocks };
}

/** Of each passage its newest version: what a drafter may choose from (domain.md 4.8). */
export const newest = (passages: readonly Passage[]): Passage[] =>
  passages.filter(
    ({ passageId, version }) => !passages.some((other) => other.passageId === passageId && other.version > version),
  );
