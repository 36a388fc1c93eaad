import { describe, expect, it } from 'vitest';
import { scholingThreshold, urennorm } from '../../src/domain/professions.ts';
import { toDuoLookup, visibleNotes } from '../../src/lookups/rules.ts';
import type { Diploma } from '../../src/ports/duo.ts';
import type { Aantekening, Registratie } from '../../src/ports/register.ts';
import { BEROEPEN, type Beroep } from '../../src/wire/values.ts';

const note = (over: Partial<Aantekening>): Aantekening => ({
  type: 'Maatregel',
  omschrijving: 'Berisping',
  ingangsdatum: '2025-01-01',
  einddatum: null,
  openbaar: true,
  ...over,
});

describe('the list of notes on 1 June 2026', () => {
  it.each([
    ['contains a public note without an end', {}, 1],
    ['contains a public note that ends today', { einddatum: '2026-06-01' }, 1],
    ['does not contain a public note that ended yesterday', { einddatum: '2026-05-31' }, 0],
    ['does not contain a note that is not public', { openbaar: false }, 0],
  ])('%s', (_, over, shown) => {
    expect(visibleNotes({ aantekeningen: [note(over)], today: '2026-06-01' })).toHaveLength(shown);
  });

  it('has the newest note first', () => {
    const notes = ['2020-01-01', '2024-01-01', '2022-01-01'].map((ingangsdatum) => note({ ingangsdatum }));
    const dates = visibleNotes({ aantekeningen: notes, today: '2026-06-01' }).map(({ datum }) => datum);
    expect(dates).toEqual(['2024-01-01', '2022-01-01', '2020-01-01']);
  });
});

describe('the number of hours that a profession requires', () => {
  const HIGHER: readonly Beroep[] = ['gezondheidszorgpsycholoog', 'psychotherapeut', 'orthopedagoog-generalist'];
  it.each(BEROEPEN.map((one) => [one, HIGHER.includes(one) ? 3120 : 2080] as const))('of %s is %i', (beroep, uren) => {
    expect(urennorm(beroep)).toBe(uren);
  });

  const registered = (beroep: Beroep, tag: 'Geregistreerd' | 'Doorgehaald') =>
    ({ beroep, status: tag === 'Geregistreerd' ? { tag } : { tag, op: null, reden: null } }) as Registratie;
  it.each([
    ['a person without a registration', [], 2080],
    ['an arts', [registered('arts', 'Geregistreerd')], 2080],
    ['a psychotherapeut', [registered('psychotherapeut', 'Geregistreerd')], 3120],
    [
      'an arts and psychotherapeut',
      (['arts', 'psychotherapeut'] as const).map((beroep) => registered(beroep, 'Geregistreerd')),
      3120,
    ],
    ['a struck-off psychotherapeut', [registered('psychotherapeut', 'Doorgehaald')], 3120],
    ['a struck-off arts', [registered('arts', 'Doorgehaald')], 2080],
  ])('gives $0 a scholing threshold of $2 hours', (_, registraties, threshold) => {
    expect(scholingThreshold({ registraties })).toBe(threshold);
  });
});

describe('a diploma on 1 June 2026', () => {
  const diploma = (over: Partial<Diploma>): Diploma => ({
    id: 'd1',
    naam: 'Hbo-bachelor Verpleegkunde',
    instelling: 'Hogeschool Utrecht',
    behaaldOp: '2024-07-01',
    beroep: 'verpleegkundige',
    taal: 'nl',
    ...over,
  });
  it.each<[string, Partial<Diploma>, string[]]>([
    ['of two years old, in Dutch,', {}, []],
    ['of five years old today', { behaaldOp: '2021-06-01' }, []],
    ['of five years and a day', { behaaldOp: '2021-05-31' }, ['werkervaring-5-jaar']],
    ['of two years old, in English,', { taal: 'en' }, ['opleidingstaal']],
    ['of 1999, in German,', { taal: 'de', behaaldOp: '1999-01-01' }, ['werkervaring-5-jaar', 'opleidingstaal']],
  ])('$0 has the policy questions $2', (_, over, questions) => {
    const { diplomas } = toDuoLookup({ hasBsn: true, diplomas: [diploma(over)], today: '2026-06-01' });
    expect(diplomas?.[0]?.policyQuestions?.map(({ id }) => id)).toEqual(questions);
  });

  it('is left out when it gives no profession of the register', () => {
    expect(toDuoLookup({ hasBsn: true, diplomas: [diploma({ beroep: null })], today: '2026-06-01' }).diplomas).toEqual(
      [],
    );
  });

  it('comes before older diplomas', () => {
    const diplomas = [diploma({ behaaldOp: '2010-01-01' }), diploma({ behaaldOp: '2020-01-01' })];
    const jaren = toDuoLookup({ hasBsn: true, diplomas, today: '2026-06-01' }).diplomas;
    expect(jaren?.map(({ jaar }) => jaar)).toEqual([2020, 2010]);
  });
});
