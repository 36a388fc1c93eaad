/** What the simulated upstreams know of people on a day before the first day of a world (docs/guides/demo.md). */
import { describe, expect, it } from 'vitest';
import { controlOf } from '../../support/control.ts';
import { useService } from '../../support/service.ts';

const service = await useService();
const control = controlOf(service);

interface Exported {
  readonly subject: string;
  readonly register: readonly {
    readonly registratiedatum: string;
    readonly uhd: string | null;
    readonly status: { readonly soort: string; readonly datum: string };
    readonly lopendeHerregistratie: { readonly referentie: string } | null;
    readonly aantekeningen: readonly { readonly ingangsdatum: string }[];
  }[];
  readonly brp: { readonly geboorte: unknown; readonly overlijden?: unknown; readonly leeftijd?: number } | null;
  readonly duo: { readonly diplomas: readonly { readonly behaaldOp: string }[] };
}

/** Moves the clock of a new world and returns its date, and what the upstreams have about the first citizens there. */
async function exportOn(move: string, count: number) {
  const world = control.in(`dag${move.replace(/\W/, move.startsWith('-') ? '-voor-' : '-na-')}`);
  const { today } = (await world.post('/clock', { move })).body.clock;
  const { personen } = (await world.get(`/people/export?count=${count}`)).body;
  return { move, today: String(today), people: personen as Exported[] };
}

/** Returns all dates of events in a record of the BRP. The end of a residence permit (`datumEinde`) is a plan. */
const datesIn = (value: unknown): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, member]) =>
        name === 'datumEinde' ? [] : name === 'datum' && typeof member === 'string' ? [member] : datesIn(member),
      );

const datesOf = ({ register, brp, duo }: Exported): string[] => [
  ...register.flatMap(({ registratiedatum, status, aantekeningen }) => [
    registratiedatum,
    status.datum,
    ...aantekeningen.map(({ ingangsdatum }) => ingangsdatum),
  ]),
  ...datesIn(brp),
  ...duo.diplomas.flatMap(({ behaaldOp }) => behaaldOp ?? []),
];

const [tenYearsAgo, now, ...others] = [
  await exportOn('-10years', 80),
  await exportOn('+0days', 80),
  await exportOn('-2years', 250),
  await exportOn('-3months', 80),
  await exportOn('+3years', 80),
] as const;

describe.each([tenYearsAgo, now, ...others])('with the clock moved by $move', ({ today, people }) => {
  it('no upstream has a fact of a later day', () => {
    const wrong = people.filter((one) => datesOf(one).some((date) => date > today));
    expect(wrong.map(({ subject }) => subject)).toEqual([]);
  });

  it('the register has no request and no term that begins on a later day', () => {
    const year = Number(today.slice(0, 4));
    const wrong = people.filter(({ register }) =>
      register.some(
        ({ uhd, lopendeHerregistratie: running }) =>
          (uhd !== null && uhd > `${year + 5}${today.slice(4)}`) || Number(running?.referentie.slice(4, 8) ?? 0) > year,
      ),
    );
    expect(wrong.map(({ subject }) => subject)).toEqual([]);
  });

  it('the register has struck off all people who died according to the BRP, and has only people of the BRP', () => {
    const wrong = people.filter(
      ({ register, brp }) =>
        (brp === null && register.length > 0) ||
        (brp?.overlijden !== undefined && register.some(({ status }) => status.soort !== 'doorgehaald')),
    );
    expect(wrong.map(({ subject }) => subject)).toEqual([]);
  });
});

describe('on a day before the first day of its world', () => {
  const view = async (as: string) => (await service.get('/api/v1/dashboard-view', { as })).body;
  const applications = async (as: string) =>
    (await service.get('/api/v1/applications', { as })).body.map(
      ({ status }: { status: { tag: string; referentie: string } }) => [status.tag, status.referentie],
    );

  it('a person has the same place and date of birth as on the first day', () => {
    const births = now.people.map(({ brp }) => brp?.geboorte);
    for (const [n, { brp }] of tenYearsAgo.people.entries()) if (brp !== null) expect(brp.geboorte).toEqual(births[n]);
  });

  it('a person who died later is alive for the BRP, the register and the search for people', async () => {
    const world = control.in('truus');
    const found = async () =>
      (await control.call('GET', '/people?where=situatie%3Doverleden&n=1&world=truus')).body.personas.length;
    expect((await view('truus-visser@truus')).registration.status).toMatchObject({ tag: 'Doorgehaald' });
    await world.post('/clock', { move: '-3months' });
    const { registration } = await view('truus-visser@truus');
    expect(registration.status).toMatchObject({ tag: 'Geregistreerd', herregistratieDatum: '2027-08-01' });
    const { body } = await service.get('/api/v1/brp/address', { as: 'truus-visser@truus' });
    expect(body).toMatchObject({ gevonden: true, adres: { straat: 'Merelstraat 3' } });
    expect(await found()).toBe(0);
    await world.post('/clock', { move: '+3months' });
    expect((await view('truus-visser@truus')).registration.status).toMatchObject({ tag: 'Doorgehaald' });
    expect(await found()).toBe(1);
  });

  it('a suspension that began later is not there yet', async () => {
    const status = async () => (await view('pieter-hoekstra@schorsing')).registration.status.tag;
    expect(await status()).toBe('Geschorst');
    await control.in('schorsing').post('/clock', { move: '-2years' });
    expect(await status()).toBe('Geregistreerd');
  });

  it('a specialism that began later is not there yet, and a term begins five years before its deadline', async () => {
    const world = control.in('termijn');
    const on = async (day: string, who: string) => {
      await world.post('/clock', { set: day });
      return view(`${who}@termijn`);
    };
    expect((await on('2026-06-01', 'sofie-peeters')).decisions.herregistratieReason).toMatch(/specialist/);
    expect((await on('2023-08-31', 'sofie-peeters')).decisions.herregistratieReason).not.toMatch(/specialist/);
    for (const [day, deadline] of [
      ['2021-10-01', '2026-10-01'],
      ['2021-09-30', '2021-10-01'],
    ] as const)
      expect((await on(day, 'sanne-de-wit')).registration.status.herregistratieDatum).toBe(deadline);
  });

  it('a request from the start that was submitted later is not there yet, and comes on its day', async () => {
    const as = 'lotte-van-dijk@eerder';
    const world = control.in('eerder');
    await world.post('/clock', { move: '-1month' });
    expect(await applications(as)).toEqual([]);
    expect((await view(as)).decisions.eligibleForHerregistratie).toBe(true);
    await world.post('/clock', { move: '+1month' });
    expect(await applications(as)).toEqual([['InBehandeling', 'HER-2026-000118']]);
    expect((await view(as)).decisions.herregistratieReason).toMatch(/loopt/);
  });

  it('a request that the service had before the clock was set back is still there for service and register', async () => {
    const as = 'lotte-van-dijk@terug';
    expect(await applications(as)).toEqual([['InBehandeling', 'HER-2026-000118']]);
    await control.in('terug').post('/clock', { move: '-1month' });
    expect(await applications(as)).toEqual([['InBehandeling', 'HER-2026-000118']]);
    expect((await view(as)).decisions.herregistratieReason).toMatch(/loopt/);
  });

  it('the letter about a request of a later day is not there yet; a letter that the service had can still be read', async () => {
    const letterOf = async (world: string) => {
      const { status, body } = await service.get('/api/v1/brief', { as: `drafter-dana@${world}` });
      return [status, body.brief?.briefId ?? null];
    };
    await control.in('zonder-brief').post('/clock', { move: '-1month' });
    expect(await letterOf('zonder-brief')).toEqual([200, null]);
    const letter = await letterOf('met-brief');
    await control.in('met-brief').post('/clock', { move: '-1month' });
    expect(letter).toEqual([200, expect.any(String)]);
    expect(await letterOf('met-brief')).toEqual(letter);
  });
});
