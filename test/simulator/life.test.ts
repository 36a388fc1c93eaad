/**
 * Moves all personas and a sample of generated people through time, with the clock of the control API. No registration
 * may be struck off before the person could apply, and no application may be decided twice.
 */
import { describe, expect, it } from 'vitest';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { burger } from '../../simulator/people/burger.ts';
import { plusDays, plusMonths, plusYears } from '../../src/wire/dates.ts';
import { casesOf } from '../support/cases.ts';
import { controlOf } from '../support/control.ts';
import { byPost, type Reply, TODAY, useService } from '../support/service.ts';

const service = await useService({ LOG_LEVEL: 'silent' });
const control = controlOf(service);

/** Number of days until a decision: by a case handler, and automatic. */
const [BY_HAND, BY_ITSELF] = [30, 2];

/** Returns functions that act for one person in a new world, and that check each day against earlier days. */
function lifeOf(who: string, world: string) {
  const as = `${who}@${world}`;
  const api = control.in(world);
  let today = TODAY;
  /** The last day on which a registration was not struck off, keyed by register number. */
  const stood = new Map<string, string>();
  const decided = new Map<string, string>();

  /** Reads the dashboard and the applications, and compares them with those of earlier days. */
  async function look() {
    const [{ body }, list] = await Promise.all([
      service.get('/api/v1/dashboard-view', { as, headers: { 'x-step-up': '1' } }),
      service.get('/api/v1/applications', { as }),
    ]);
    const { registration, decisions } = body;
    const number = registration?.registerNummer;
    if (registration?.status.tag === 'Doorgehaald') {
      const { doorgehaaldOp } = registration.status;
      expect(doorgehaaldOp <= today, `struck off on ${doorgehaaldOp}, seen on ${today}`).toBe(true);
      expect(doorgehaaldOp >= (stood.get(number) ?? ''), `with effect back to ${doorgehaaldOp}`).toBe(true);
    } else if (registration !== null) stood.set(number, today);
    for (const { id, status } of list.body) {
      const { tag } = status;
      expect(decided.get(id) ?? tag, 'a decision that changed').toBe(tag);
      if (tag === 'Goedgekeurd' || tag === 'Afgewezen') decided.set(id, tag);
    }
    const running = list.body.filter(({ status }: Reply['body']) => status.tag === 'InBehandeling');
    return {
      registration,
      tag: registration?.status.tag ?? 'none',
      eligible: decisions.eligibleForHerregistratie,
      running,
    };
  }

  return {
    look,
    async on(day: string) {
      today = day;
      expect((await api.post('/clock', { set: day })).status).toBe(200);
      return look();
    },
    /** The effective UHD of the registration that the dashboard shows; null without one. The clock stays as it is. */
    async deadline(): Promise<string | null> {
      const { status, body } = await api.post('/clock', { deadline: who });
      await api.post('/clock', { set: today });
      return status === 200 ? body.clock.today : null;
    },
    decide: (referentie: string, besluit: object) => api.put(`/zaken/${referentie}/besluit`, besluit),
    ask: (path: string, json: unknown) => service.post(`/api/v1${path}`, as, json),
  };
}
type Life = ReturnType<typeof lifeOf>;

/** Applies for a registration and checks that it is granted; after a disciplinary measure or a death, that it is refused. */
async function comeBack(life: Life, day: string): Promise<void> {
  const before = await life.on(day);
  const documents = byPost('diploma-gewaarmerkt', 'identiteitsbewijs');
  const isDead = before.registration?.status.reden === 'Overlijden';
  const byDuo = await life.ask('/registrations', { diplomaHerkomst: 'duo' });
  const { status, body } =
    byDuo.body.code === 'geen-duo-diploma'
      ? await life.ask('/registrations', { diplomaHerkomst: 'handmatig', documents })
      : byDuo;
  if (before.registration?.status.reden === 'Tuchtmaatregel') {
    expect([status, body.code]).toEqual([422, 'herinschrijving-niet-mogelijk']);
    return;
  }
  if (isDead) {
    expect([status, body.errors[0].code]).toEqual([422, 'aanvrager-overleden']);
    return;
  }
  expect([status, body.code]).toEqual([200, undefined]);
  const [{ status: request }] = (await life.look()).running;
  const again = before.registration !== null;
  expect(request.manual || !again, 'somebody who was struck off is registered again without a person').toBe(true);
  const decision = plusDays(day, request.manual ? BY_HAND : BY_ITSELF);
  expect((await life.on(decision)).tag).toBe(request.manual ? before.tag : 'Geregistreerd');
  if (request.manual) {
    const granted = await life.decide(body.referentie, { uitkomst: 'goedgekeurd' });
    // Nothing tells the profession of somebody who held one that no longer exists.
    if (granted.status !== 200) {
      expect(granted.body.code).toBe('beroep-nodig');
      await life.decide(body.referentie, { uitkomst: 'goedgekeurd', beroep: 'verpleegkundige' });
    }
  }
  const { registration } = await life.look();
  expect(registration).toMatchObject({ registratiedatum: decision, status: { tag: 'Geregistreerd' } });
  expect(registration.status.herregistratieDatum > decision, 'a term that is over when it begins').toBe(true);
}

/**
 * Lets the deadline pass without an application; a request in progress is refused after it. Returns the day of the
 * doorhaling, or today without a valid registration.
 */
async function doNothing(life: Life): Promise<string> {
  const first = await life.look();
  const until = await life.deadline();
  if (first.registration === null || first.tag === 'Doorgehaald' || until === null) return TODAY;
  const opens = plusMonths(until, -6);
  if (opens > TODAY) {
    expect((await life.on(plusDays(opens, -1))).eligible, 'the day before the window').toBe(false);
    expect((await life.on(opens)).eligible, 'the first day of the window').toBe(true);
  }
  const [running] = first.running.filter(({ type }: Reply['body']) => type === 'herregistratie');
  const dayAfter = plusDays(until, 1);
  if (until >= TODAY) expect((await life.on(until)).eligible, 'the last day').toBe(running === undefined);
  if (running === undefined) {
    expect((await life.on(dayAfter)).registration.status).toMatchObject({ doorgehaaldOp: dayAfter });
    return dayAfter;
  }
  const decision = plusDays(until > TODAY ? until : TODAY, BY_HAND);
  expect((await life.on(plusDays(decision, -1))).tag).not.toBe('Doorgehaald');
  await life.on(decision);
  await life.decide(running.status.referentie, { uitkomst: 'afgewezen' });
  expect((await life.look()).registration.status).toMatchObject({ doorgehaaldOp: decision });
  return decision;
}

/** Applies on the last day, and checks the new term after an approval or the doorhaling on the day of a refusal. */
async function askInTime(life: Life, uitkomst: 'goedgekeurd' | 'afgewezen'): Promise<'decided' | 'not eligible'> {
  const until = await life.deadline();
  if (until === null || !(await life.on(until)).eligible) return 'not eligible';
  const { body } = await life.ask('/herregistraties', { uren: 4_000 });
  const [{ status: request }] = (await life.look()).running;
  const decision = plusDays(until, request.manual ? BY_HAND : 1);
  const waiting = await life.on(decision);
  expect(waiting.tag, 'struck off while the request ran').not.toBe('Doorgehaald');
  expect((await life.ask('/herregistraties', { uren: 4_000 })).body.code).toBe('lopende-aanvraag');
  await life.decide(body.referentie, { uitkomst });
  expect((await life.look()).registration.status).toMatchObject(
    uitkomst === 'goedgekeurd'
      ? { doorgehaaldOp: null, herregistratieDatum: plusYears(decision, 5) }
      : { doorgehaaldOp: decision, reden: 'Niet geherregistreerd' },
  );
  await life.on(plusDays(decision, BY_HAND));
  return 'decided';
}

/** Returns the kind of situation of a generated person, to select one person for each kind. */
function situationOf(slug: string): string {
  const { registraties: [registratie] = [], aanvragen = [] } = burger(slug, '2026-06-01') ?? {};
  if (registratie === undefined) return 'none';
  const { status, specialistTot, uhd } = registratie;
  return status?.reden ?? (specialistTot ? 'specialist' : aanvragen.length > 0 ? 'running' : String(uhd !== null));
}

/** The first generated person in each situation. */
const SAMPLE = [
  ...Array.from({ length: 600 }, (_, n) => `burger-${n + 1}`)
    .reduceRight((first, slug) => first.set(situationOf(slug), slug), new Map<string, string>())
    .values(),
];
/** Personas with at most one registration: of two, the dashboard shows the other one once the first has ended. */
const OURS = PERSONAS.flatMap((persona) =>
  persona.kind === 'professional' && persona.person.registraties.length < 2 ? [persona.slug] : [],
);
const RENEWING = ['sanne-de-wit', 'amira-el-idrissi', 'pieter-hoekstra', 'fatima-yilmaz'];

describe('the registration of', () => {
  it.each(casesOf([...OURS, ...SAMPLE], 10))(
    '%s, who does nothing until the deadline, ends with a new registration, or with a refusal after a disciplinary measure or a death',
    async (who) => {
      const life = lifeOf(who, `niets-${who}`);
      await comeBack(life, plusDays(await doNothing(life), 1));
    },
  );

  const decided = RENEWING.flatMap((who) =>
    (['goedgekeurd', 'afgewezen'] as const).map((outcome) => [who, outcome] as const),
  );
  it.each(casesOf(decided, 4))('%s, who applies on the last day, goes on until it is “%s”', async (who, uitkomst) => {
    expect(await askInTime(lifeOf(who, `${uitkomst}-${who}`), uitkomst)).toBe('decided');
  });
});
