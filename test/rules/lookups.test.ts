import { describe, expect, it } from 'vitest';
import { scholingThreshold, urennorm } from '../../src/domain/urennorm.ts';
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

describe('annotations on 1 June 2026', () => {
  it.each([
    ['public, without an end', {}, true],
    ['public, ending today', { einddatum: '2026-06-01' }, true],
    ['public, ended yesterday', { einddatum: '2026-05-31' }, false],
    ['not public', { openbaar: false }, false],
  ])('%s is shown: %s', (_, over, shown) => {
    expect(visibleNotes({ aantekeningen: [note(over)], today: '2026-06-01' })).toHaveLength(shown ? 1 : 0);
  });

  it('come newest first', () => {
    const notes = [
      note({ ingangsdatum: '2020-01-01' }),
      note({ ingangsdatum: '2024-01-01' }),
      note({ ingangsdatum: '2022-01-01' }),
    ];
    expect(visibleNotes({ aantekeningen: notes, today: '2026-06-01' }).map(({ datum }) => datum)).toEqual([
      '2024-01-01',
      '2022-01-01',
      '2020-01-01',
    ]);
  });
});

describe('the hours norm', () => {
  it.each(BEROEPEN.map((beroep) => [beroep]))('of %s', (beroep) => {
    const higher = ['gezondheidszorgpsycholoog', 'psychotherapeut', 'orthopedagoog-generalist'].includes(beroep);
    expect(urennorm(beroep)).toBe(higher ? 3120 : 2080);
  });

  const registered = (beroep: Beroep, tag: 'Geregistreerd' | 'Doorgehaald') =>
    ({ beroep, status: tag === 'Geregistreerd' ? { tag } : { tag, op: null, reden: null } }) as Registratie;
  it.each([
    ['a person without a registration', [], 2080],
    ['an arts', [registered('arts', 'Geregistreerd')], 2080],
    ['a psychotherapeut', [registered('psychotherapeut', 'Geregistreerd')], 3120],
    [
      'an arts and psychotherapeut',
      [registered('arts', 'Geregistreerd'), registered('psychotherapeut', 'Geregistreerd')],
      3120,
    ],
    ['a struck-off psychotherapeut', [registered('psychotherapeut', 'Doorgehaald')], 2080],
  ])('of %s is the threshold', (_, registraties, threshold) => {
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
    ['fresh and Dutch', {}, []],
    ['five years old today', { behaaldOp: '2021-06-01' }, []],
    ['a day older than five years', { behaaldOp: '2021-05-31' }, ['werkervaring-5-jaar']],
    ['fresh, in English', { taal: 'en' }, ['opleidingstaal']],
    ['old, in German', { taal: 'de', behaaldOp: '1999-01-01' }, ['werkervaring-5-jaar', 'opleidingstaal']],
  ])('%s has the questions %j', (_, over, questions) => {
    const { diplomas } = toDuoLookup({ hasBsn: true, diplomas: [diploma(over)], today: '2026-06-01' });
    expect(diplomas?.[0]?.policyQuestions?.map(({ id }) => id)).toEqual(questions);
  });

  it('that does not lead to a profession of the register is left out', () => {
    expect(toDuoLookup({ hasBsn: true, diplomas: [diploma({ beroep: null })], today: '2026-06-01' }).diplomas).toEqual(
      [],
    );
  });

  it('that is newer comes first', () => {
    const diplomas = [diploma({ behaaldOp: '2010-01-01' }), diploma({ behaaldOp: '2020-01-01' })];
    const jaren = toDuoLookup({ hasBsn: true, diplomas, today: '2026-06-01' }).diplomas;
    expect(jaren?.map(({ jaar }) => jaar)).toEqual([2020, 2010]);
  });
});
