import type { Persona } from '../../fixtures/person.ts';
import { adminAli } from '../../fixtures/personas/admin-ali.ts';
import { approverAnna } from '../../fixtures/personas/approver-anna.ts';
import { drafterDana } from '../../fixtures/personas/drafter-dana.ts';
import type { Brief } from '../../src/ports/brief-store.ts';
import { type ControlDeps, worldNamed } from './deps.ts';
import { ok, operation, Refused } from './operation.ts';
import { headersOf } from './personas.ts';
import { Letter, LetterState } from './schema.ts';

const TAG = 'Brief';

export const briefOperations = (deps: ControlDeps) => [
  operation({
    id: 'letter',
    method: 'GET',
    path: '/worlds/{world}/brief',
    tag: TAG,
    summary: 'Hoe het met de brief staat; null zolang niemand die heeft geopend',
    answers: { 200: Letter.nullable() },
    async handle({ params }) {
      const brief = await deps.stores.brieven.current(worldNamed(params));
      return ok(brief && present(brief));
    },
  }),

  operation({
    id: 'bringLetter',
    method: 'PUT',
    path: '/worlds/{world}/brief',
    tag: TAG,
    summary: 'De brief in een toestand brengen, zoals de opsteller en de beoordelaar dat doen',
    body: LetterState,
    answers: { 200: Letter },
    async handle({ params, body, origin }) {
      const world = worldNamed(params);
      await bring(deps, world, body.tag, origin);
      const brief = await deps.stores.brieven.current(world);
      if (brief === null) throw new Refused(409, 'geen-brief', 'In deze wereld is geen brief te schrijven.');
      return ok(present(brief));
    },
  }),
];

const present = ({ briefId, tag, version, frozen, opdrachtId, drafterId, submittedBy, approvedBy }: Brief) => ({
  briefId,
  tag,
  version,
  referentie: frozen?.referentie ?? opdrachtId.split('.')[0] ?? null,
  drafterId,
  submittedBy,
  approvedBy,
});

type Tag = Brief['tag'];
type Deed = readonly [who: Persona, method: 'POST' | 'PUT', path: string, body?: unknown];

/** What they do, after they have begun anew, until the letter is so. */
const DEEDS: Readonly<Record<Tag, readonly Deed[]>> = (() => {
  const submit: Deed = [drafterDana, 'POST', '/submit'];
  const approve: Deed = [approverAnna, 'POST', '/approve'];
  return {
    draft: [],
    submitted: [submit],
    rejected: [submit, [approverAnna, 'POST', '/reject', { comments: 'De beoordeelde periode klopt niet.' }]],
    approved: [submit, approve],
    sent: [submit, approve, [adminAli, 'POST', '/send']],
  };
})();

/**
 * Brings the letter of a world in a state, by way of the service's own door, so that no letter is ever in a state that its
 * rules do not know. What goes wrong in this world does not for as long as that takes; what is changed meanwhile stays.
 */
export async function bring(deps: ControlDeps, world: string, to: Tag, origin: string): Promise<void> {
  const { worlds, renew } = deps;
  const isFaulty = () => worlds.faults(world).list().length > 0;
  try {
    await worlds.withoutFaults(world, () => {
      if (isFaulty()) renew(world);
      return work(deps, world, to, origin);
    });
  } finally {
    if (isFaulty()) renew(world);
  }
}

async function work({ stores, worlds }: ControlDeps, world: string, to: Tag, origin: string): Promise<void> {
  const act = async ([who, method, path, body]: Deed) => {
    const answer = await fetch(`${origin}/api/v1/brief${path}`, {
      method,
      headers: { ...headersOf(who, world), ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const said = (await answer.json()) as { detail?: string; brief?: { sections: unknown } };
    if (answer.ok) return said;
    throw new Refused(409, 'brief-niet-te-brengen', `De dienst weigerde: ${said.detail ?? answer.status}`);
  };
  const current = await stores.brieven.current(world);
  if (current?.tag === to && to !== 'draft') return;
  const fresh = await act([drafterDana, 'POST', '/reset']);
  if (to === 'draft') return;
  const sections = filledIn(fresh.brief?.sections, worlds.at(world).today());
  await act([drafterDana, 'PUT', '', { sections }]);
  for (const deed of DEEDS[to]) await act(deed);
}

/** The sections with something in every blank that a drafter fills in. */
function filledIn(sections: unknown, today: string): unknown {
  const year = Number(today.slice(0, 4));
  const period = `1 juni ${year - 5} tot 1 juni ${year}`;
  return JSON.parse(JSON.stringify(sections), (_, value) =>
    value?.type === 'placeholder' && FILLED.has(value.key) && !value.text ? { ...value, text: period } : value,
  );
}

const FILLED = new Set(['periode_beoordeeld', 'reden_afwijzing', 'ontbrekende_bewijsstukken', 'reactiedatum']);
