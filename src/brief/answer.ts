import type { Caller } from '../auth/identity.ts';
import { maskRegisterNummer } from '../dashboard/rules.ts';
import type { Answer, Request } from '../http/operation.ts';
import { judged } from '../http/why.ts';
import type { Brief } from '../ports/brief-store.ts';
import { PROBLEMS, type ProblemCode } from '../problem.ts';
import { accountFor, newest, type Said, said } from './current.ts';
import type { BriefDeps } from './deps.ts';
import { shown, usesOf, valueFor } from './placeholders.ts';
import { type Reading, toBriefDto, toLibraryPassage } from './present.ts';
import type { BriefDto, BriefViewDto } from './schema.ts';
import { type Action, TRANSITIONS } from './transitions.ts';

/** What the placeholders read for one caller: theirs to see, or what was typed. */
export function readingOf(
  brief: Brief,
  { values, geheim }: Said,
  { steppedUp, because }: Pick<Request, 'steppedUp' | 'because'>,
): Reading {
  const visible = judged(
    because,
    {
      rule: 'shown',
      source: 'domain.md 4.2, "Masking"; domain.md 4.3, "Geheimhouding"; specification.md, "Authentication 4"',
      facts: () => ({ geheim, steppedUp, values }),
    },
    () => shown(values, { geheim, steppedUp, mask: maskRegisterNummer }),
  );
  const use = usesOf(brief);
  return (key, typed) => (use(key) === 'auto' ? valueFor(visible, key) : typed);
}

/** Of this letter and no other: the next one begins to count anew. */
export const tagOf = ({ briefId, version }: Brief): string => `"${briefId}.${version}"`;

/** BriefDto as this caller may see it. */
export const answerOf = (request: Pick<Request, 'steppedUp' | 'because'>, brief: Brief, sources: Said): Answer => ({
  status: 200,
  body: toBriefDto(brief, readingOf(brief, sources, request)) satisfies BriefDto,
  headers: { ETag: tagOf(brief) },
});

/** BriefViewDto: the letter, and what a drafter may choose from. */
export async function viewOf(deps: BriefDeps, request: Request<Caller>, brief: Brief | null): Promise<Answer> {
  if (brief === null) return { status: 200, body: { brief: null, availablePassages: [] } satisfies BriefViewDto };
  accountFor(brief, request.account);
  const [passages, sources] = await Promise.all([
    deps.brieven.passages(brief.beroep, request.call),
    said(deps, brief, request.today, request.call),
  ]);
  const body: BriefViewDto = {
    brief: toBriefDto(brief, readingOf(brief, sources, request)),
    availablePassages: newest(passages)
      .filter(({ scope, beroep }) => scope === 'global' || beroep === brief.beroep)
      .map(toLibraryPassage),
  };
  return { status: 200, body, headers: { ETag: tagOf(brief) } };
}

/** The refusals of an action by status, as an operation declares them. */
export function declared(action: Action): Record<number, ProblemCode[]> {
  const found: Record<number, ProblemCode[]> = {};
  for (const code of TRANSITIONS[action].refusals) {
    const { status } = PROBLEMS[code];
    found[status] = [...(found[status] ?? []), code];
  }
  return found;
}
