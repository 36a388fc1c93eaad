import type { Sentence } from '../../src/problem.ts';
import { codeFor } from '../service/catalogue.ts';
import { unknownName } from '../text.ts';
import type { FaultOperations } from '../upstreams/operations.ts';
import { SERVICE, SERVICE_FAULT_KINDS, type SimulatedFault } from '../worlds/faults.ts';
import { type ControlDeps, personaUnknown, slugOf } from './deps.ts';
import { ControlError, type RefusalCode } from './refusals.ts';

/** Returns the fault; a fault of kind `status` without a status gets 503. Throws a 400 when the fault is impossible. */
export function checkFault(
  { service, directory }: Pick<ControlDeps, 'service' | 'directory'>,
  upstreams: FaultOperations,
  fault: SimulatedFault,
): SimulatedFault {
  const { upstream, operation: name, kind, status, retryAfter, ms, code, persona } = fault;
  if (typeof ms === 'object' && 'min' in ms && ms.min > ms.max)
    throw faultImpossible({ detail: 'min mag niet groter zijn dan max.', english: 'min may not be more than max.' });
  if (upstream === SERVICE) return checkServiceFault({ service, directory }, fault);
  const operations = upstreams[upstream];
  const names = [...new Set(operations.map((one) => one.name))];
  if (name !== undefined && !names.includes(name))
    throw faultImpossible({
      detail: `${upstream} heeft geen bewerking ${name.slice(0, 40)}. Er zijn: ${names.join(', ')}.`,
      english: `${upstream} has no operation ${name.slice(0, 40)}. There are: ${names.join(', ')}.`,
    });
  if (kind === 'problem' || code !== undefined || persona !== undefined)
    throw faultImpossible({
      detail: `kind problem, code en persona horen bij ${SERVICE}: bij een bron is er geen probleemcode.`,
      english: `kind problem, code and persona are for ${SERVICE}: an upstream has no problem code.`,
    });
  const limits = [name, fault.probability, fault.after, fault.times];
  if (kind === 'refused' && limits.some((limit) => limit !== undefined))
    throw faultImpossible({
      detail:
        'Met kind refused weigert de bron elke verbinding. Laat operation, probability, after en times weg, of kies kind reset.',
      english:
        'With kind refused the upstream refuses every connection. Leave operation, probability, after and times out, or choose kind reset.',
    });
  if (kind !== 'status' && (status !== undefined || retryAfter !== undefined))
    throw faultImpossible({
      detail: 'status en retryAfter horen bij kind status.',
      english: 'status and retryAfter are for kind status.',
    });
  if (ms !== undefined && kind !== 'latency' && kind !== 'drip')
    throw faultImpossible({ detail: 'ms hoort bij kind latency of drip.', english: 'ms is for kind latency or drip.' });
  if (kind === 'drip' && typeof ms === 'object')
    throw faultImpossible({
      detail: 'Een druppel komt om de zoveel milliseconden: geef ms als getal.',
      english: 'A drip comes every so many milliseconds: give ms as a number.',
    });
  const hasEmptyAnswer = operations.some(
    (one) => one.emptyBody !== undefined && (name === undefined || one.name === name),
  );
  if (kind === 'empty' && !hasEmptyAnswer)
    throw faultImpossible({
      detail: `Een leeg antwoord heeft ${name ?? upstream} niet.`,
      english: `${name ?? upstream} has no empty answer.`,
    });
  if (upstream === 'scanner' && (kind === 'status' || kind === 'wrong-schema'))
    throw faultImpossible({
      detail: 'De scanner spreekt geen HTTP. Kies refused, reset, lost, cut, drip, hang, latency of garbage.',
      english: 'The scanner does not speak HTTP. Choose refused, reset, lost, cut, drip, hang, latency or garbage.',
    });
  return kind === 'status' ? { ...fault, status: status ?? 503 } : fault;
}

const faultImpossible = (said: Sentence) => new ControlError('storing-onmogelijk', said);

/** Throws a refusal with this code when `name` is none of `names`. `what` begins its text, such as `De bewerking`. */
export function requireKnown(
  what: Sentence,
  name: string,
  names: readonly string[],
  code: RefusalCode = 'storing-onmogelijk',
): void {
  if (names.includes(name)) return;
  const shown = name.slice(0, 40);
  const said = { detail: `${what.detail} ${shown} is er niet.`, english: `${what.english} ${shown} does not exist.` };
  throw new ControlError(code, unknownName(said, name, names));
}

/** The persona becomes a slug in place of a login. Throws a 400 when the fault is impossible. */
function checkServiceFault(
  { service, directory }: Pick<ControlDeps, 'service' | 'directory'>,
  fault: SimulatedFault,
): SimulatedFault {
  const { operation, kind, code, status, retryAfter, ms, persona } = fault;
  requireKnown(
    {
      detail: `Bij ${SERVICE} kan niet elke storing: kind`,
      english: `For ${SERVICE} not every fault is possible: kind`,
    },
    kind,
    Object.keys(SERVICE_FAULT_KINDS),
  );
  if (operation !== undefined)
    requireKnown({ detail: 'De bewerking', english: 'The operation' }, operation, [...service.keys()]);
  if (persona !== undefined && directory.byLogin(persona) === null && directory.staff(persona) === null)
    throw new ControlError('storing-onmogelijk', personaUnknown(directory, persona).said);
  if ((kind === 'problem') !== (code !== undefined))
    throw faultImpossible({ detail: 'code hoort bij kind problem.', english: 'code is for kind problem.' });
  if ((kind === 'status') !== (status !== undefined))
    throw faultImpossible({ detail: 'status hoort bij kind status.', english: 'status is for kind status.' });
  if (kind !== 'problem' && kind !== 'status' && retryAfter !== undefined)
    throw faultImpossible({
      detail: 'retryAfter hoort bij kind problem of status.',
      english: 'retryAfter is for kind problem or status.',
    });
  if (kind !== 'latency' && ms !== undefined)
    throw faultImpossible({ detail: 'ms hoort bij kind latency.', english: 'ms is for kind latency.' });

  const refusals = [...service].flatMap(([id, one]) => (operation === undefined || operation === id ? [one] : []));
  if (code !== undefined) {
    const codes = codesOf(refusals);
    if (operation !== undefined && !codes.includes(code) && codesOf([...service.values()]).includes(code))
      throw faultImpossible({
        detail: `${operation} antwoordt nooit met ${code}. Wel met: ${codes.join(', ')}.`,
        english: `${operation} never answers ${code}, but: ${codes.join(', ')}.`,
      });
    requireKnown({ detail: 'De probleemcode', english: 'The problem code' }, code, codes);
  }
  if (status !== undefined && !refusals.some((one) => one.empty.has(status) || codeFor(one, status) !== null)) {
    const statuses = new Set(refusals.flatMap(({ codes, empty }) => [...codes.values(), ...empty]));
    const known = [...statuses].sort().join(', ');
    throw operation === undefined
      ? faultImpossible({
          detail: `Geen bewerking antwoordt met ${status}. Wel met: ${known}.`,
          english: `No operation answers ${status}, but: ${known}.`,
        })
      : faultImpossible({
          detail: `${operation} antwoordt nooit met ${status}. Wel met: ${known}.`,
          english: `${operation} never answers ${status}, but: ${known}.`,
        });
  }
  return { ...fault, ...(persona !== undefined && { persona: slugOf(persona) }) };
}

const codesOf = (refusals: readonly { readonly codes: ReadonlyMap<string, unknown> }[]): string[] => [
  ...new Set(refusals.flatMap(({ codes }) => [...codes.keys()])),
];
