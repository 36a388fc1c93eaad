import { describe, expect, it } from 'vitest';
import { BEROEPEN } from '../../src/wire/values.ts';
import { useService } from '../support/service.ts';

const service = await useService();

const get = async (path: string, as: string) => (await service.get(`/api/v1${path}`, { as })).body;

describe('GET /notes', () => {
  it('shows public notes that have not ended, newest first', async () => {
    expect(await get('/notes', 'amira-el-idrissi')).toEqual([
      { type: 'Maatregel', omschrijving: 'Berisping', datum: '2024-03-18' },
      { type: 'Specialisme', omschrijving: 'Interne geneeskunde', datum: '2019-07-05' },
    ]);
  });

  it('shows no warning and no measure that has ended', async () => {
    const notes = await get('/notes', 'pieter-hoekstra');
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatchObject({ type: 'Maatregel', datum: '2026-05-01' });
  });

  it('shows the limitation of a person without a burgerservicenummer', async () => {
    expect(await get('/notes', 'tomasz-wolski')).toMatchObject([{ type: 'Beperking' }]);
  });

  it('returns an empty list for a person without a registration', async () => {
    expect(await get('/notes', 'noor-bakker')).toEqual([]);
  });
});

describe('GET /brp/address', () => {
  it.each([
    ['sanne-de-wit', { straat: 'Merelstraat 18', postcode: '3514 CN', woonplaats: 'Utrecht' }],
    ['elena-marin', { straat: 'Weimarstraat 203 C', postcode: '2562 HA', woonplaats: "'s-Gravenhage" }],
  ])('returns the address of %s', async (as, adres) => {
    expect(await get('/brp/address', as)).toEqual({ gevonden: true, adres });
  });

  it.each(['tomasz-wolski', 'drafter-dana'])(
    'returns gevonden: false for %s, who has no burgerservicenummer, without a call to the BRP',
    async (as) => {
      const { body, headers } = await service.get('/api/v1/brp/address', { as });
      expect(body).toEqual({ gevonden: false, adres: null });
      expect(headers['x-simulated']).toBeUndefined();
    },
  );
});

describe('GET /duo/diplomas', () => {
  it('returns a recent Dutch diploma without questions', async () => {
    const { diplomas } = await get('/duo/diplomas', 'noor-bakker');
    expect(diplomas).toEqual([
      {
        id: expect.any(String),
        naam: 'Hbo-Verpleegkunde',
        instelling: 'Hogeschool van Arnhem en Nijmegen',
        jaar: 2026,
        beroep: 'verpleegkundige',
        policyQuestions: [],
      },
    ]);
  });

  it('returns the newest diploma first, with a question about work experience for a diploma older than five years', async () => {
    const { diplomas } = await get('/duo/diplomas', 'ruben-smit');
    expect(diplomas.map(({ jaar }: { jaar: number }) => jaar)).toEqual([2019, 2011]);
    expect(diplomas[0].policyQuestions).toMatchObject([{ id: 'werkervaring-5-jaar', type: 'ja-nee' }]);
  });

  it.each(['gerda-postma', 'tomasz-wolski'])('has no diplomas for %s, and asks for a manual one', async (as) => {
    const { diplomas, handmatig } = await get('/duo/diplomas', as);
    expect(diplomas).toEqual([]);
    expect(handmatig.beroepen).toEqual(BEROEPEN);
    expect(handmatig.policyQuestions.map(({ id, type }: { id: string; type: string }) => [id, type])).toEqual([
      ['diploma-land', 'tekst'],
      ['diploma-instelling', 'tekst'],
      ['diploma-datum', 'datum'],
      ['opleiding-nederlandstalig', 'ja-nee'],
      ['maatregel-buitenland', 'ja-nee'],
    ]);
  });
});

it.each([
  ['sanne-de-wit', 2080],
  ['fatima-yilmaz', 3120],
])('GET /intake/policy returns for %s a threshold of %i hours', async (as, scholingThreshold) => {
  expect(await get('/intake/policy', as)).toEqual({ scholingThreshold });
});
