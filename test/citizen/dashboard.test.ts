import { describe, expect, it } from 'vitest';
import { keep, startService, useService } from '../support/service.ts';
import { startScriptedServer } from '../support/upstreams/scripted-server.ts';

const service = await useService();

const dashboard = async (as: string, headers: Record<string, string> = {}) =>
  (await service.get('/api/v1/dashboard-view', { as, headers })).body;

describe('GET /dashboard-view', () => {
  it('returns registration, person and decisions of the caller', async () => {
    expect(await dashboard('sanne-de-wit')).toEqual({
      registration: {
        registerNummer: '*********30',
        naam: 'Sanne de Wit',
        beroep: 'verpleegkundige',
        registratiedatum: '2010-11-10',
        geboortedatum: '1988-03-14',
        status: {
          tag: 'Geregistreerd',
          herregistratieDatum: '2026-10-01',
          geschorstTot: null,
          reden: null,
          doorgehaaldOp: null,
        },
      },
      person: {
        naam: 'Sanne de Wit',
        geboortedatum: '1988-03-14',
        adres: { straat: 'Merelstraat 18', postcode: '3514 CN', woonplaats: 'Utrecht' },
      },
      decisions: { eligibleForHerregistratie: true, herregistratieReason: null },
    });
  });

  it('names the simulated upstreams in X-Simulated', async () => {
    const { headers } = await service.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' });
    expect(headers['x-simulated']).toBe('register,brp');
  });

  it.each([
    ['sanne-de-wit', 'Geregistreerd', null],
    ['amira-el-idrissi', 'Geregistreerd', 'U staat geregistreerd als specialist; herregistratie is voor u niet nodig.'],
    ['pieter-hoekstra', 'Geschorst', null],
    ['wilma-dekker', 'Doorgehaald', 'Uw registratie is doorgehaald op 1 oktober 2025.'],
    ['lotte-van-dijk', 'Geregistreerd', 'Uw aanvraag HER-2026-000118 loopt.'],
  ])('returns for %s the status %s and the herregistratieReason: %s', async (as, tag, reason) => {
    const { registration, decisions } = await dashboard(as);
    expect(registration.status.tag).toBe(tag);
    expect(decisions).toEqual({ eligibleForHerregistratie: reason === null, herregistratieReason: reason });
  });

  it('returns for a graduate a person and no registration', async () => {
    const { registration, person, decisions } = await dashboard('noor-bakker');
    expect(registration).toBeNull();
    expect(person.adres.straat).toMatch(/\d/);
    expect(decisions).toEqual({ eligibleForHerregistratie: false, herregistratieReason: 'U hebt geen registratie.' });
  });

  it('shows a person without a burgerservicenummer with the name in the register and no address', async () => {
    const expected = { naam: 'Tomasz Wolski', geboortedatum: '1987-02-08', adres: null };
    expect((await dashboard('tomasz-wolski')).person).toEqual(expected);
  });

  it('returns no registration and no person for a caller who is not in the register or the BRP', async () => {
    expect(await dashboard('drafter-dana')).toMatchObject({ registration: null, person: null });
  });

  it.each<[string, string]>([
    ['1', '90000010130'],
    ['ja', '90000010130'],
    ...['', ' ', '0', 'false', 'NO'].map((value): [string, string] => [value, '*********30']),
  ])('shows to a caller with X-Step-Up: %j the register number %s', async (value, number) => {
    expect((await dashboard('sanne-de-wit', { 'x-step-up': value })).registration.registerNummer).toBe(number);
  });

  it('shows a secret address to its own person', async () => {
    expect((await dashboard('fatima-yilmaz')).person.adres.straat).toBe('Nieuwe Binnenweg 310 B');
  });
});

it('GET /dashboard-view with a BRP that fails shows the name in the register and no address', async () => {
  const brp = keep(await startScriptedServer((_, response) => response.writeHead(500).end()));
  const degraded = keep(await startService({ BRP_UPSTREAM: `${brp.url}/personen` }));
  const { status, body, headers } = await degraded.get('/api/v1/dashboard-view', { as: 'sanne-de-wit' });
  expect(status).toBe(200);
  expect(body.registration.naam).toBe('Sanne de Wit');
  expect(body.person).toEqual({ naam: 'Sanne de Wit', geboortedatum: '1988-03-14', adres: null });
  expect(headers['x-simulated']).toBe('register');
});
