import { expect, it } from 'vitest';
import { compareText } from '../../simulator/worlds/state-memory.ts';
import { demandStatus } from '../../src/brief/actions.ts';
import { toPerson } from '../../src/dashboard/rules.ts';
import { checkHerregistratie, currentRegistration } from '../../src/domain/registraties.ts';
import { type Decision, decide, type OnDecision, rule } from '../../src/domain/rule.ts';
import { listenerOf } from '../../src/http/exchange.ts';
import { toBrpAddress, toDuoLookup, visibleNotes } from '../../src/lookups/rules.ts';
import type { Persoon } from '../../src/ports/brp.ts';
import type { Registratie } from '../../src/ports/register.ts';
import type { TracedStep } from '../../src/ports/tracing.ts';

const registratie = { id: 'r1', naam: 'Sanne de Wit', status: { tag: 'Geregistreerd' } } as Registratie;
const note = { type: 'Maatregel', omschrijving: 'Berisping', ingangsdatum: '2025-01-01', einddatum: null } as const;
const adres = { straat: 'Merelstraat 18', postcode: '3514 CN', woonplaats: 'Utrecht' };
const persoon = { naam: 'S. de Wit', geboortedatum: null, adres, overleden: false } as Persoon;
const diploma = (id: string, beroep: 'arts' | null, taal: string) =>
  ({ id, naam: 'Opleiding', instelling: 'School', behaaldOp: '2025-01-01', beroep, taal }) as const;
const today = '2026-06-01';

/** Returns the facts and the outcome that a rule reports to the journal. */
function told(decided: (onDecision: OnDecision) => unknown) {
  const reasons: unknown[] = [];
  decided(({ facts, outcome }) => reasons.push({ facts, outcome }));
  return reasons;
}

it('a rule in a request that is traced and has no journal is in the trace with its name and source, and its facts for the journal are not computed', () => {
  const fails = () => expect.unreachable('it is computed for nobody');
  const check = rule('domain.md 4.2', function checkSomething() {}, { facts: fails, outcome: fails });
  const steps: TracedStep[] = [];
  decide(listenerOf({ state: { steps } as never }), check, {});
  expect(steps).toEqual([{ kind: 'rule', name: 'checkSomething', source: 'domain.md 4.2', end: expect.any(Number) }]);
  const decisions: Decision[] = [];
  expect(() => decide(listenerOf({ state: { steps, decisions } as never }), check, {})).toThrow('computed for nobody');
});

it.each<[string, (onDecision: OnDecision) => unknown, object]>([
  [
    'of herregistratie names the obstacle',
    (onDecision) => decide(onDecision, checkHerregistratie, { registratie: null, today }),
    {
      outcome: {
        eligibleForHerregistratie: false,
        herregistratieReason: 'U hebt geen registratie.',
        obstacle: 'geenRegistratie',
      },
    },
  ],
  [
    'of herregistratie that is possible has no obstacle',
    (onDecision) =>
      decide(onDecision, checkHerregistratie, {
        registratie: { ...registratie, uhd: '2026-09-30', specialistTot: null, lopendeHerregistratie: null },
        today,
      }),
    { outcome: { eligibleForHerregistratie: true, herregistratieReason: null, obstacle: null } },
  ],
  [
    'of the current registration has its id',
    (onDecision) => decide(onDecision, currentRegistration, { registraties: [{ ...registratie, uhd: null }], today }),
    { outcome: 'r1' },
  ],
  [
    'of the current registration of a person without one says that it is allowed',
    (onDecision) => decide(onDecision, currentRegistration, { registraties: [], today }),
    { outcome: 'toegestaan' },
  ],
  [
    'of the notes counts those that are hidden',
    (onDecision) =>
      decide(onDecision, visibleNotes, {
        aantekeningen: [
          { ...note, openbaar: true },
          { ...note, openbaar: false },
          { ...note, openbaar: false },
        ],
        today,
      }),
    { outcome: { shown: [{ type: 'Maatregel', omschrijving: 'Berisping', datum: '2025-01-01' }], hidden: 2 } },
  ],
  [
    'of the diplomas has their ids and questions, without their names',
    (onDecision) =>
      decide(onDecision, toDuoLookup, {
        hasBsn: true,
        diplomas: [diploma('d1', 'arts', 'nl'), diploma('d2', 'arts', 'en'), diploma('d3', null, 'nl')],
        today,
      }),
    {
      outcome: [
        { id: 'd1', questions: [] },
        { id: 'd2', questions: [expect.any(String)] },
      ],
    },
  ],
  [
    'of the person on the dashboard says that the BRP did not answer',
    (onDecision) => decide(onDecision, toPerson, { registratie, persoon: undefined }),
    { facts: { brp: 'geen antwoord', register: 'Sanne de Wit' } },
  ],
  [
    'of the person on the dashboard has what the BRP said, and null without a registration',
    (onDecision) => decide(onDecision, toPerson, { registratie: null, persoon }),
    { facts: { brp: persoon, register: null } },
  ],
  [
    'of an action on a letter has the statuses before and after it',
    (onDecision) => decide(onDecision, demandStatus, { action: 'approve', tag: 'submitted' }),
    { facts: { action: 'approve', tag: 'submitted', from: ['submitted'], to: 'approved' } },
  ],
])('the reason in the journal %s', (_, decided, expected) => {
  expect(told(decided)).toEqual([expect.objectContaining(expected)]);
});

it.each([
  ['of a person with an address is found', persoon, { gevonden: true, adres }],
  ['of a deceased person is not found', { ...persoon, overleden: true }, { gevonden: false, adres: null }],
  ['of an unknown person is not found', null, { gevonden: false, adres: null }],
])('the address of the BRP %s', (_, found, expected) => {
  expect(toBrpAddress({ hasBsn: true, persoon: found })).toEqual(expected);
});

it.each([
  ['a', 'b', -1],
  ['b', 'a', 1],
  ['a', 'a', 0],
  ['Z', 'a', -1],
])('the order of the texts %s and %s is %i', (a, b, order) => {
  expect(compareText(a, b)).toBe(order);
});
