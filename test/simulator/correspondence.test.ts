import { beforeAll, describe, expect, it } from 'vitest';
import { PERSONAS } from '../../fixtures/personas/index.ts';
import { channelOf } from '../../simulator/correspondence/addressee.ts';
import { correspondenceOf, type SentLetter } from '../../simulator/correspondence/index.ts';
import { registerOnDay, zakenOn } from '../../simulator/correspondence/register-on-day.ts';
import { letterText } from '../../simulator/letters/text.ts';
import { controlOf } from '../support/control.ts';
import { addRequest, personOn } from '../support/resident.ts';
import { byPost, refusalOf, together, useService } from '../support/service.ts';

interface Summary {
  readonly id: string;
  readonly date: string;
  readonly kind: string;
  readonly channel: string;
  readonly referentie: string | null;
}

const lineOf = ({ date, kind }: Pick<Summary, 'date' | 'kind'>): string => `${date} ${kind}`;

const service = await useService();
const control = controlOf(service);

let worlds = 0;
/** Creates a world that begins on 1 June 2026 with a frozen clock, and returns functions for its letters. */
async function newWorld() {
  worlds += 1;
  const name = `post-${worlds}`;
  const here = control.in(name);
  await here.post('/reset', { begin: '2026-06-01' });
  const list = async (slug: string): Promise<Summary[]> => {
    const answer = await here.get(`/post/${slug}`);
    expect(answer.status).toBe(200);
    return answer.body as Summary[];
  };
  return {
    name,
    here,
    list,
    /** Returns a line `<date> <kind>` for each letter. */
    sent: async (slug: string) => (await list(slug)).map(lineOf),
    clock: (change: object) => here.post('/clock', change),
    ask: async (slug: string, path: string, body: object) => {
      const answer = await service.post(`/api/v1/${path}`, `${slug}@${name}`, body);
      expect(answer.status).toBe(200);
      return (answer.body as { referentie: string }).referentie;
    },
    decide: (referentie: string, uitkomst: string, reden?: string) =>
      here.put(`/zaken/${referentie}/besluit`, { uitkomst, ...(reden && { reden }) }),
    text: async (slug: string, id: string) => String((await here.get(`/post/${slug}/${id}/text`)).body),
    letter: async (slug: string, id: string) =>
      (await here.get(`/post/${slug}/${id}`)).body as Summary & {
        text: string;
        letter: { addressee: string[]; registratienummer: string | null; paragraphs: object[] };
      },
    pdf: async (slug: string, id: string) =>
      Buffer.from(await (await fetch(`${service.url}/_simulator/worlds/${name}/post/${slug}/${id}/pdf`)).arrayBuffer()),
  };
}

const sanneOn = (day: string) => personOn('sanne-de-wit', day);

const UNKNOWN = { soort: 'onbekend' as const };

const SANNE_DOES_NOTHING = [
  '2026-04-01 oproep',
  '2026-07-09 herinnering',
  '2026-08-20 voornemen-doorhaling',
  '2026-10-02 besluit-doorhaling',
];

describe('the letters that are expected', () => {
  it('are those that everybody then gets when the clock moves to that day, and no letter when it moves back', async () => {
    const world = await newWorld();
    await world.ask('sanne-de-wit', 'intakes', { uren: 2_600 });
    const people = (await world.here.get('/personas')).body as { slug: string; kind: string }[];
    const slugs = people.filter(({ kind }) => kind === 'professional').map(({ slug }) => slug);
    const linesOf = async () => {
      const lists = await Promise.all(slugs.map(world.list));
      return lists.flatMap((letters, index) => letters.map(({ date, kind }) => `${date} ${kind} ${slugs[index]}`));
    };
    const before = await linesOf();
    const { status, body } = await world.here.get('/expected/+9months');
    expect(status).toBe(200);
    const { today, until, letters } = body as Record<string, string> & {
      letters: { date: string; kind: string; persona: string; naam: string }[];
    };
    expect([today, until]).toEqual(['2026-06-01', '2027-03-01']);
    expect(letters).toContainEqual(
      expect.objectContaining({ date: '2026-07-09', kind: 'herinnering', naam: 'Sanne de Wit' }),
    );
    expect((await linesOf()).sort()).toEqual(before.sort());

    await world.clock({ move: '+9months' });
    const after = await linesOf();
    const told = letters.map(({ date, kind, persona }) => `${date} ${kind} ${persona}`);
    expect(told.sort()).toEqual(after.filter((line) => !before.includes(line)).sort());
    expect((await world.here.get('/expected/2026-06-01')).body).toMatchObject({ letters: [] });
  });

  it('are refused for what is neither a day nor a duration', async () => {
    const world = await newWorld();
    for (const wrong of ['morgen', '2026-02-30', '+4moons'])
      expect((await world.here.get(`/expected/${wrong}`)).body, wrong).toMatchObject({ code: 'klok-onduidelijk' });
    expect((await world.here.get('/expected/2026-02-28')).status).toBe(200);
  });
});

describe('the letters about a term of registration', () => {
  it('each have their own date after the clock moves five years at once', async () => {
    const world = await newWorld();
    expect(await world.sent('sanne-de-wit')).toEqual(SANNE_DOES_NOTHING.slice(0, 1));
    await world.clock({ move: '+5years' });
    expect(await world.sent('sanne-de-wit')).toEqual(SANNE_DOES_NOTHING);
  });

  it('appear on their own date and not the day before', async () => {
    const world = await newWorld();
    for (const [index, line] of SANNE_DOES_NOTHING.entries()) {
      const [day = ''] = line.split(' ');
      if (day < '2026-06-01') continue;
      await world.clock({ set: day });
      expect(await world.sent('sanne-de-wit')).toEqual(SANNE_DOES_NOTHING.slice(0, index + 1));
      await world.clock({ move: '-1day' });
      expect(await world.sent('sanne-de-wit')).toEqual(SANNE_DOES_NOTHING.slice(0, index));
    }
  });

  it('start again in the new term after a granted herregistratie', async () => {
    const world = await newWorld();
    const referentie = await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_600 });
    await world.clock({ move: '+4years' });
    const first = ['2026-04-01 oproep', '2026-06-01 ontvangstbevestiging', '2026-06-03 besluit'];
    expect(await world.sent('sanne-de-wit')).toEqual(first);
    await world.clock({ move: '+1year' });
    const expected = [...first, '2030-12-03 oproep', '2031-03-11 herinnering', '2031-04-22 voornemen-doorhaling'];
    expect(await world.sent('sanne-de-wit')).toEqual(expected);
    // In the new term she asks again: a request that runs holds the decision to strike off back.
    await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_600 });
    await world.clock({ move: '+1year' });
    const added = (await world.sent('sanne-de-wit')).slice(6);
    expect(added).toEqual(['2031-06-01 ontvangstbevestiging', '2031-06-03 besluit']);
    expect(await world.text('sanne-de-wit', `besluit-${referentie}`)).toContain(
      'uiterste herregistratiedatum is 3 juni 2031',
    );
  });

  it('stay when a herregistratie is granted on the day of its receipt', async () => {
    const world = await newWorld();
    await world.decide(await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_600 }), 'goedgekeurd');
    const expected = ['2026-04-01 oproep', '2026-06-01 ontvangstbevestiging', '2026-06-01 besluit'];
    expect(await world.sent('sanne-de-wit')).toEqual(expected);
  });

  it.each([
    ['2026-07-08', null, ['2026-07-08 ontvangstbevestiging']],
    ['2026-07-09', null, ['2026-07-09 ontvangstbevestiging', '2026-07-09 herinnering']],
    ['2026-07-09', 'goedgekeurd', ['2026-07-09 ontvangstbevestiging', '2026-07-09 besluit', '2026-07-09 herinnering']],
    ['2026-07-09', 'afgewezen', ['2026-07-09 ontvangstbevestiging', '2026-07-09 besluit', '2026-07-09 herinnering']],
    ['2026-07-10', null, ['2026-07-09 herinnering', '2026-07-10 ontvangstbevestiging']],
  ])(
    'stay, unchanged, when a request comes on the day of a letter: %s, decided: %s',
    async (day, uitkomst, expected) => {
      const world = await newWorld();
      await world.clock({ set: day });
      const before = await world.list('sanne-de-wit');
      const text = await world.text('sanne-de-wit', before.at(-1)?.id ?? '');
      const referentie = await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_600 });
      if (uitkomst)
        await world.decide(referentie, uitkomst, uitkomst === 'afgewezen' ? 'Te weinig bewijs.' : undefined);
      expect((await world.sent('sanne-de-wit')).slice(1)).toEqual(expected);
      expect(await world.text('sanne-de-wit', before.at(-1)?.id ?? '')).toBe(text);
    },
  );

  it('are sent on the day of the refusal when a pending request delayed them', async () => {
    const world = await newWorld();
    await world.clock({ set: '2026-07-20' });
    const before = await world.sent('lotte-van-dijk');
    expect(before).toEqual(['2026-02-13 oproep', '2026-05-20 ontvangstbevestiging', '2026-07-16 bericht-vertraging']);
    await world.decide('HER-2026-000118', 'afgewezen', 'Uw uren zijn niet aangetoond.');
    const after = [...before, '2026-07-20 besluit', '2026-07-20 voornemen-doorhaling'];
    expect(await world.sent('lotte-van-dijk')).toEqual(after);
    const besluit = await world.text('lotte-van-dijk', 'besluit-HER-2026-000118');
    // The reason comes first, and why the person was not heard after it.
    expect(besluit).toMatch(/besloten\?\s+Uw uren zijn niet aangetoond\.\n[\s\S]+Daarom hebben wij u niet eerst/);
    expect(besluit).toContain('U blijft geregistreerd tot en met 13 augustus 2026.');
    expect(await world.text('lotte-van-dijk', 'voornemen-doorhaling-30-2026-07-20')).toContain(
      'uiterlijk op 13 augustus 2026 weten. Dat heet een zienswijze',
    );
  });

  it('ask for a reaction until a workday', async () => {
    const world = await newWorld();
    await world.clock({ set: '2026-06-20' });
    expect(await world.text('joost-van-buren', 'voornemen-doorhaling-04-2026-06-19')).toContain(
      'uiterlijk op 17 juli 2026 weten. Dat heet een zienswijze',
    );
  });

  it('end with a decision to strike off on the day on which a late request is refused', async () => {
    const world = await newWorld();
    await world.clock({ move: '+1month' });
    expect(await world.sent('ingrid-visser')).toEqual([
      '2025-11-28 oproep',
      '2026-03-06 herinnering',
      '2026-04-17 voornemen-doorhaling',
      '2026-04-24 ontvangstbevestiging',
      '2026-06-22 bericht-vertraging',
    ]);
    await world.decide('HER-2026-000097', 'afgewezen', 'U hebt te weinig uren gewerkt.');
    const added = (await world.sent('ingrid-visser')).slice(5);
    expect(added).toEqual(['2026-07-01 besluit', '2026-07-01 besluit-doorhaling']);
    const last = (await world.list('ingrid-visser')).at(-1);
    expect(await world.text('ingrid-visser', last?.id ?? '')).toContain(
      'Uw aanvraag met kenmerk HER-2026-000097 hebben wij niet toegewezen.',
    );
  });

  it('are not sent to a specialist until the specialist registration nears its end', async () => {
    const world = await newWorld();
    await world.clock({ set: '2029-01-04' });
    expect(await world.sent('amira-el-idrissi')).toEqual([]);
    await world.clock({ set: '2029-01-05' });
    expect(await world.sent('amira-el-idrissi')).toEqual(['2029-01-05 oproep']);
    const [oproep] = await world.list('amira-el-idrissi');
    expect(await world.text('amira-el-idrissi', oproep?.id ?? '')).toContain('ook geregistreerd als specialist');
  });

  it('include letters from before the first day of the world, and are absent for a person who is not registered', async () => {
    const world = await newWorld();
    expect((await world.sent('wilma-dekker')).at(-1)).toBe('2025-10-01 besluit-doorhaling');
    expect(await world.sent('noor-bakker')).toEqual([]);
  });

  it.each([
    ['Op eigen verzoek', 'besluit-doorhaling', ['artikel 7 van de Wet', 'omdat u zelf om de', 'bezwaar maken']],
    [
      'Tuchtmaatregel',
      'besluit-doorhaling',
      ['tuchtrechter', 'artikel 48', 'koninklijk besluit', 'artikel 50 van de Wet BIG', 'bezwaar maken'],
    ],
    ['Registratie van rechtswege vervallen', 'bericht-vervallen', ['artikel 10', 'artikel 36a', 'bezwaar maken']],
    ['Overlijden', null, []],
  ] as const)('explain a striking off with the reason “%s” by the letter %s', (reden, kind, words) => {
    const { world, found } = sanneOn('2026-09-01');
    const [registratie] = found.resident.registraties;
    if (registratie === undefined) throw new Error('no registration');
    const status = { soort: 'doorgehaald', op: '2026-07-20', tot: null, reden } as const;
    const resident = { ...found.resident, registraties: [{ ...registratie, status }] };
    const letters = correspondenceOf(world, { ...found, resident });
    expect(letters.map(lineOf)).toEqual([
      '2026-04-01 oproep',
      '2026-07-09 herinnering',
      ...(kind === null ? [] : [`2026-07-20 ${kind}`]),
    ]);
    const text = letterText((letters.at(-1) as SentLetter).letter);
    for (const expected of words) expect(text).toContain(expected);
    if (kind !== null) expect(text).not.toContain('niet praktiserend');
  });

  it.each([
    ['verpleegkundige', ['30'], 'mocht u die handelingen in opdracht doen'],
    ['arts', ['01'], 'Als arts mocht u die handelingen zelfstandig doen.'],
    ['apotheker', ['17'], null],
    ['verpleegkundige, still physician assistant', ['30', '81'], 'U blijft geregistreerd als physician assistant. De'],
    ['physician assistant, still verpleegkundige', ['81', '30'], 'De handelingen mag u nog wel in opdracht doen.'],
    ['arts who is still a psychotherapeut', ['01', '16'], 'Als arts mocht u die handelingen zelfstandig doen.'],
    [
      'physician assistant who is suspended as a verpleegkundige',
      ['81', '30'],
      'Als verpleegkundige bent u nu geschorst. Zolang dat duurt, mag u de handelingen ook in dat beroep niet doen.',
    ],
  ])('say which right to do reserved medical acts is lost (%s)', (who, codes, expected) => {
    const { world, found } = sanneOn('2026-09-01');
    const suspended = { soort: 'geschorst', op: '2026-07-01', tot: null, reden: 'Schorsing' } as const;
    const other = who.includes('suspended') ? suspended : null;
    const status = { soort: 'doorgehaald', op: '2026-07-20', tot: null, reden: 'Op eigen verzoek' } as const;
    const registraties = codes.flatMap((beroepCode, index) =>
      found.resident.registraties.map((one) => ({
        ...one,
        beroepCode,
        nummer: `900000101${beroepCode}`,
        status: index === 0 ? status : other,
      })),
    );
    const letters = correspondenceOf(world, { ...found, resident: { ...found.resident, registraties } });
    const decision = letters.find(({ kind }) => kind === 'besluit-doorhaling') as SentLetter;
    const text = letterText(decision.letter);
    if (expected === null) expect(text).not.toContain('handelingen');
    else expect(text).toContain(expected);
    expect(text.includes('nu geschorst'), 'only who is suspended').toBe(other !== null);
    if (other !== null) expect(text).not.toContain('U blijft geregistreerd als verpleegkundige');
  });

  it('name the profession without a request while one about another profession is in progress', async () => {
    const world = await newWorld();
    await world.ask('mila-jansen', 'herregistraties', { uren: 2_600 });
    await world.clock({ set: '2028-12-31' });
    const last = (await world.list('mila-jansen')).at(-1)?.id ?? '';
    expect(last).toContain('voornemen-doorhaling-81');
    expect(await world.text('mila-jansen', last)).toContain(
      'Wij hebben nu geen aanvraag van u om herregistratie als physician assistant.',
    );
  });

  /** Returns the letters about a registration that was requested on 1 June 2026, on a later day. */
  function asked(diplomaHerkomst: string, channel: string, day: string, isAsked = false) {
    const { world, found } = personOn('elena-marin', day);
    const documenten = [{ categoryId: 'diploma-gewaarmerkt', channel }];
    const gegevens = { beroep: 'verpleegkundige', diplomaHerkomst, documenten };
    const referentie = addRequest(world.state, 'elena-marin', 'registratie', '2026-06-01', gegevens);
    const verzoek = { templateId: 'aanvulling-gevraagd', waarover: 'uw diploma', reactieTot: '2026-07-14' };
    const brief = { world: 'default', sleutel: 'v', referentie, kanaal: 'post', tekst: '', uitkomst: null };
    if (isAsked) world.state.addVerzending({ ...brief, inhoud: { secties: [], verzoek }, verzondenOp: '2026-06-02' });
    return {
      letters: () => correspondenceOf(world, found),
      grant: () =>
        world.state.storeBesluit('default', referentie, { uitkomst: 'goedgekeurd', reden: null, datum: '2026-06-20' }),
    };
  }

  const fromAbroad = (channel: string, day: string, isAsked = false) => asked('buitenland', channel, day, isAsked);

  it.each([
    ['handmatig', 'post', /stuurt u ons per post: een gewaarmerkte kopie van uw diploma\. .* stuur het .* Postbus 100/],
    ['handmatig', 'digital', /\n\nU hoeft niets te doen\.\n/],
    // The register has all documents: that was when the term began.
    ['buitenland', 'post', /\n\nU hoeft niets te doen\.\n/],
  ])(
    'say when a decision is late which documents by post may still have to come: diploma %s, by %s',
    (diplomaHerkomst, channel, text) => {
      const last = asked(diplomaHerkomst, channel, '2026-12-31').letters().at(-1) as SentLetter;
      expect(last.kind).toBe('bericht-vertraging');
      expect(letterText(last.letter)).toMatch(text);
      expect(letterText(last.letter).match(/niets te doen/g)).toHaveLength(1);
    },
  );

  it.each([
    ['post', '2026-09-08', [], ''],
    [
      'post',
      '2026-09-09',
      ['2026-09-09 bericht-vertraging'],
      'binnen drie maanden nadat wij alles van u hadden. Dat was op 8 juni 2026. De drie maanden waren voorbij op 8 september 2026.',
    ],
    ['digital', '2026-09-01', [], ''],
    ['digital', '2026-09-02', ['2026-09-02 bericht-vertraging'], 'uiterlijk op 1 september 2026 iets laten weten'],
  ])(
    'say that the decision about a diploma from abroad is late, with documents by %s (%s)',
    (channel, day, late, words) => {
      const letters = fromAbroad(channel, day).letters();
      expect(letters.slice(1).map(lineOf)).toEqual(late);
      expect(letterText((letters.at(-1) as SentLetter).letter)).toContain(words);
    },
  );

  it('say no decision is late while the register awaits documents by post that it asked for', () => {
    const kinds = fromAbroad('post', '2026-12-31', true)
      .letters()
      .map(({ kind }) => kind);
    expect(kinds).toEqual(['ontvangstbevestiging', 'brief']);
    const counted = fromAbroad('digital', '2026-12-31', true).letters();
    expect(counted.at(-1)).toMatchObject({ kind: 'bericht-vertraging', date: '2026-10-14' });
    expect(letterText((counted.at(-1) as SentLetter).letter)).toContain('In die datum is de tijd meegeteld');
  });

  it('grant a registration with a diploma that the EU recognises automatically on its own ground', () => {
    const elena = fromAbroad('digital', '2026-06-30');
    elena.grant();
    const text = letterText((elena.letters().at(-1) as SentLetter).letter);
    expect(text).toContain('op grond van Richtlijn 2005/36/EG en van artikel 41');
    expect(text).toContain('Wij erkennen uw diploma uit de Europese Unie automatisch.');
  });

  it.each([
    ['2026-07-15', ['2026-07-15 besluit', '2026-07-15 voornemen-doorhaling']],
    ['2026-07-16', ['2026-07-16 bericht-vertraging', '2026-07-16 besluit', '2026-07-16 voornemen-doorhaling']],
  ])('say that a decision of %s is late, when that was sent before the decision', async (day, expected) => {
    const world = await newWorld();
    await world.clock({ set: day });
    const before = await world.sent('lotte-van-dijk');
    await world.decide('HER-2026-000118', 'afgewezen', 'Uw uren zijn niet aangetoond.');
    const after = await world.sent('lotte-van-dijk');
    expect(after.slice(2)).toEqual(expected);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  it('confirm the receipt of a request with the number of the registration that it is about', async () => {
    const world = await newWorld();
    const numberIn = async () => {
      const referentie = await world.ask('mila-jansen', 'herregistraties', { uren: 2_600 });
      const { letter } = await world.letter('mila-jansen', `ontvangstbevestiging-${referentie}`);
      await world.decide(referentie, 'goedgekeurd');
      return letter.registratienummer;
    };
    expect(await numberIn()).toBe('90000020130');
    await world.clock({ set: '2028-12-29' });
    expect(await numberIn()).toBe('90000020281');
  });

  it.each([
    ['2026-03-31', '2026-04-10', '2026-08-20 voornemen-doorhaling', 'U hebt uiterlijk op die datum geen'],
    ['2026-04-01', '2026-04-10', '2026-08-20 voornemen-doorhaling', 'hebben wij niet toegewezen. Daarna'],
    ['2026-07-01', '2026-10-01', '2026-10-01 voornemen-doorhaling', 'hebben wij niet toegewezen. Daarna'],
    ['2026-07-01', '2026-10-02', '2026-10-02 besluit', 'hebben wij niet toegewezen. De reden'],
  ])(
    'after a request of %s that was refused on %s end with %s and the reason of the striking off',
    (received, refused, before, words) => {
      const { world, found } = sanneOn('2026-10-05');
      const referentie = addRequest(world.state, 'sanne-de-wit', 'herregistratie', received);
      world.state.storeBesluit('default', referentie, { uitkomst: 'afgewezen', reden: 'Nee.', datum: refused });
      const letters = correspondenceOf(world, found);
      expect(letters.slice(-2).map(lineOf)).toEqual([before, '2026-10-02 besluit-doorhaling']);
      expect(letterText((letters.at(-1) as SentLetter).letter)).toContain(words);
      const { letter } = letters.find(({ kind }) => kind === 'besluit') as SentLetter;
      const isInTime = refused <= '2026-10-01';
      expect(letterText(letter).includes('U blijft geregistreerd tot en met 1 oktober 2026.')).toBe(isInTime);
    },
  );

  it('say nothing of a specialist registration that ends before the deadline', () => {
    const { world, found } = sanneOn('2026-04-01');
    const registraties = found.resident.registraties.map((one) => ({ ...one, specialistTot: '2026-09-30' }));
    const [oproep] = correspondenceOf(world, { ...found, resident: { ...found.resident, registraties } });
    expect(oproep?.kind).toBe('oproep');
    expect(letterText((oproep as SentLetter).letter)).not.toContain('als specialist');
  });

  it.each([
    ['oproep', 'hbo-v-diploma'],
    ['herinnering', 'hbo-v-diploma'],
    ['herinnering', 'in opleiding tot specialist'],
    ['herinnering', 'Periodiek Registratie Certificaat'],
    ['oproep', 'zijn geen kosten verbonden'],
    ['oproep', 'in de vijf jaar vóór de dag van uw aanvraag'],
    ['oproep', 'Wij nemen uw aanvraag in behandeling vanaf 1 april 2026.'],
  ])('name in the %s: %s', (kind, words) => {
    const { world, found } = sanneOn('2026-09-01');
    const { letter } = correspondenceOf(world, found).find((one) => one.kind === kind) as SentLetter;
    expect(letterText(letter)).toContain(words);
  });

  it('do not name a diploma of nurses to another profession', () => {
    const { world, found } = personOn('joost-van-buren', '2026-07-01');
    for (const { letter } of correspondenceOf(world, found)) expect(letterText(letter)).not.toContain('hbo-v');
  });

  it('do not offer the title with an addition to somebody who is suspended', () => {
    const { world, found } = personOn('pieter-hoekstra', '2026-10-01');
    const letters = correspondenceOf(world, found).filter(({ date }) => date >= '2026-06-01');
    expect(letters.map(({ kind }) => kind)).toContain('besluit-doorhaling');
    for (const { letter } of letters) expect(letterText(letter)).not.toContain('niet praktiserend');
  });

  it.each([
    ['goedgekeurd', 'pieter-hoekstra', true],
    ['afgewezen', 'pieter-hoekstra', true],
    ['goedgekeurd', 'sanne-de-wit', false],
    ['afgewezen', 'sanne-de-wit', false],
  ] as const)('say in a decision (%s) to %s whether a suspension goes on: %s', (uitkomst, slug, expected) => {
    const { world, found } = personOn(slug, '2026-06-03');
    const referentie = addRequest(world.state, slug, 'herregistratie', '2026-06-01', { uren: 2_600 });
    world.state.storeBesluit('default', referentie, { uitkomst, reden: null, datum: '2026-06-03' });
    const besluit = correspondenceOf(world, found).find(({ kind }) => kind === 'besluit') as SentLetter;
    expect(letterText(besluit.letter).includes('U bent nu geschorst. Dat verandert niet door dit besluit.')).toBe(
      expected,
    );
  });

  it.each([
    ['on Wednesday', '2021-08-10', '2026-06-03', ['2026-06-29 voornemen-doorhaling', '2026-08-11 besluit-doorhaling']],
    ['on Friday, before a call that is due in the weekend', '2021-12-06', '2026-06-05', []],
  ])(
    'call somebody whose first term is about six months or shorter on the day of the grant, %s',
    (_, diplomaDatum, datum, later) => {
      const { world, found } = personOn('noor-bakker', '2026-08-20');
      const gegevens = { beroep: 'verpleegkundige', diplomaHerkomst: 'duo', diplomaDatum };
      const referentie = addRequest(world.state, 'noor-bakker', 'registratie', '2026-06-01', gegevens);
      world.state.storeBesluit('default', referentie, { uitkomst: 'goedgekeurd', reden: null, datum });
      const letters = correspondenceOf(world, found);
      expect(letters.map(lineOf)).toEqual([
        '2026-06-01 ontvangstbevestiging',
        `${datum} besluit`,
        `${datum} oproep`,
        ...later,
      ]);
      expect(letterText((letters[1] as SentLetter).letter)).toContain('Daarom sturen wij u de oproep vandaag ook.');
    },
  );

  it('stop when the person dies', () => {
    const { world, found } = sanneOn('2026-09-01');
    const kinds = (overledenOp: string | null) =>
      correspondenceOf(world, { ...found, resident: { ...found.resident, overledenOp } }).map(({ kind }) => kind);
    expect(kinds(null)).toEqual(['oproep', 'herinnering', 'voornemen-doorhaling']);
    expect(kinds('2026-08-20')).toEqual(['oproep', 'herinnering']);
  });

  it.each([
    ['by post, while there is no address', { verblijfplaats: UNKNOWN }, false, []],
    ['by post, from the day on which nobody lives there', { nietOpAdresOp: '2026-07-09' }, false, ['oproep']],
    ['never in the Berichtenbox', { verblijfplaats: UNKNOWN }, true, ['oproep', 'herinnering']],
  ])('stop %s, until there is a correspondence address', (_, facts, berichtenbox, before) => {
    const { world, found } = personOn('joost-van-buren', '2026-07-20');
    const person = { ...found.resident.person, ...(berichtenbox && { berichtenbox }) };
    const resident = { ...found.resident, ...facts, person };
    const registraties = resident.registraties.map((one) => ({ ...one, uhd: '2026-10-01' }));
    const there = { ...found, resident: { ...resident, registraties } };
    const letters = () => correspondenceOf(world, there).map(({ kind }) => kind);
    expect(letters()).toEqual(before);
    const gegevens = { straat: 'Spui 7', postcode: '2511 BL', woonplaats: 'Den Haag' };
    const referentie = addRequest(world.state, 'joost-van-buren', 'adreswijziging', '2026-07-13', gegevens);
    world.state.storeBesluit('default', referentie, { uitkomst: 'goedgekeurd', reden: null, datum: '2026-07-14' });
    expect(letters()).toEqual([
      ...before,
      ...(before.length < 2 ? ['besluit', 'herinnering'] : ['ontvangstbevestiging', 'besluit']),
    ]);
  });
});

it.each([
  ['does not have a request of the next day', '2026-02-28', []],
  ['has a request of that day', '2026-03-01', [null]],
  ['has no decision of the next workday', '2026-03-08', [null]],
  ['has the decision of that workday', '2026-03-09', [expect.objectContaining({ datum: '2026-03-09' })]],
])('the register on an earlier day %s (%s)', (_, day, besluiten) => {
  const { world, found } = personOn('ruben-smit', '2026-06-01');
  expect(zakenOn(registerOnDay(world, found, day)).map(({ besluit }) => besluit)).toEqual(besluiten);
});

describe('the letters about a request', () => {
  it('confirm the receipt, and state the decision with the new registration', async () => {
    const world = await newWorld();
    const referentie = await world.ask('noor-bakker', 'registrations', { diplomaHerkomst: 'duo' });
    await world.clock({ move: '+3days' });
    expect(await world.sent('noor-bakker')).toEqual(['2026-06-01 ontvangstbevestiging', '2026-06-03 besluit']);
    expect(await world.text('noor-bakker', `ontvangstbevestiging-${referentie}`)).toContain(
      'Wij besluiten uiterlijk op 27 juli 2026.',
    );
    const besluit = await world.text('noor-bakker', `besluit-${referentie}`);
    expect(besluit).toMatch(
      /Vanaf 3 juni 2026 staat u in het register als [a-z ]+\. Uw registratienummer is 90\d{9}\./,
    );
  });

  it.each([
    [
      '2026-10-30',
      'noor-bakker',
      'registrations',
      { diplomaHerkomst: 'duo' },
      'Wij besluiten uiterlijk op 28 december',
    ],
    ['2027-01-29', 'noor-bakker', 'registrations', { diplomaHerkomst: 'duo' }, 'Wij besluiten uiterlijk op 30 maart'],
    ['2027-03-10', 'noor-bakker', 'registrations', { diplomaHerkomst: 'duo' }, 'Wij besluiten uiterlijk op 7 mei'],
    ['2026-06-06', 'sanne-de-wit', 'herregistraties', { uren: 2_600 }, 'bel ons dan uiterlijk op 6 juli'],
    ['2026-06-06', 'joost-van-buren', 'intakes', { uren: 2_600 }, 'Datum: 8 juni 2026'],
  ])(
    'received on %s name a workday as the last day of a term, and as their date on paper (%s)',
    async (day, slug, path, body, expected) => {
      const world = await newWorld();
      await world.clock({ set: day });
      const referentie = await world.ask(slug, path, body);
      await world.clock({ move: '+2days' });
      expect(await world.text(slug, `ontvangstbevestiging-${referentie}`)).toContain(expected);
    },
  );

  it('each name the registration of their own request when two were granted on one day', async () => {
    const world = await newWorld();
    const documents = byPost('diploma-gewaarmerkt', 'identiteitsbewijs');
    const letters: [string, string][] = [];
    for (const beroep of ['tandarts', 'verloskundige']) {
      const body = { diplomaHerkomst: 'handmatig', documents };
      const referentie = await world.ask('rosa-silva', 'registrations', body);
      await world.here.put(`/zaken/${referentie}/besluit`, { uitkomst: 'goedgekeurd', beroep });
      letters.push([`besluit-${referentie}`, beroep]);
    }
    for (const [id, beroep] of letters)
      expect(await world.text('rosa-silva', id)).toContain(`staat u in het register als ${beroep}.`);
  });

  it.each([
    ['noor-bakker', 'duo', [], /^Uw diploma is van \d+ mei 2026\. /m],
    [
      'gerda-postma',
      'handmatig',
      ['diploma-gewaarmerkt', 'identiteitsbewijs'],
      /^Op de kopie van uw diploma staat de datum \d+ \w+ 1999\. /m,
    ],
  ])('name the date of the diploma, and that it is from the copy: %s', async (slug, diplomaHerkomst, sent, date) => {
    const world = await newWorld();
    const documents = byPost(...sent);
    const referentie = await world.ask(slug, 'registrations', { diplomaHerkomst, documents });
    await world.decide(referentie, 'goedgekeurd');
    expect(await world.text(slug, `besluit-${referentie}`)).toMatch(date);
  });

  it('state why a request was not considered, and the term for an objection', async () => {
    const world = await newWorld();
    await world.here.put('/brief', { tag: 'sent', templateId: 'aanvulling-gevraagd' });
    await world.clock({ set: '2026-07-15' });
    await world.decide('HER-2026-000118', 'afgewezen', 'Buiten behandeling gesteld: bewijs van uw uren ontbreekt.');
    const text = await world.text('lotte-van-dijk', 'besluit-HER-2026-000118');
    expect(text).toContain(
      'Wij behandelen uw aanvraag van 20 mei 2026 niet verder. Dat heet: wij stellen uw aanvraag buiten behandeling.',
    );
    expect(text).toContain('\n\nBewijs van uw uren ontbreekt.\n');
    expect(text).toContain('U hebt daarvoor zes weken de tijd.');
  });

  it('state a reason as a paragraph, also one that begins as a heading of a template does', async () => {
    const world = await newWorld();
    await world.decide('HER-2026-000118', 'afgewezen', '## te weinig uren');
    const { letter } = await world.letter('lotte-van-dijk', 'besluit-HER-2026-000118');
    expect(letter.paragraphs).toContainEqual({ list: null, spans: [{ text: '## te weinig uren.' }] });
  });

  it.each([
    ['the day before', 'bewijsstukken', '2026-06-19', 'Op 19 juni 2026 hebben wij u gevraagd'],
    ['the day of the decision', 'bewijsstukken', '2026-06-20', 'Op 20 juni 2026 hebben wij u gevraagd'],
    ['the day after', 'bewijsstukken', '2026-06-21', null],
  ])(
    'name the letter that asked to complete a request that is not considered on 20 June: a letter of %s',
    (_, sleutel, verzondenOp, says) => {
      const { world, found } = sanneOn('2026-06-30');
      const [first = '', second = ''] = ['k1', 'k2'].map((key) =>
        addRequest(world.state, 'sanne-de-wit', 'herregistratie', '2026-06-02', {}, key),
      );
      for (const [referentie, day] of [
        [first, '2026-06-03'],
        [second, verzondenOp],
      ] as const)
        world.state.addVerzending({
          ...{ world: 'default', sleutel: referentie, referentie, kanaal: 'post', tekst: '', uitkomst: null },
          inhoud: {
            verzoek: { templateId: 'aanvulling-gevraagd', reactieTot: '2026-06-19', waarover: 'uw uren' },
            secties: [{ sleutel, titel: '', alineas: [] }],
          },
          verzondenOp: day,
        });
      const besluit = { uitkomst: 'buiten-behandeling', reden: 'Nee.', datum: '2026-06-20' } as const;
      world.state.storeBesluit('default', second, besluit);
      const { letter } = correspondenceOf(world, found).find(({ kind }) => kind === 'besluit') as SentLetter;
      const text = letterText(letter);
      if (says === null) expect(text).not.toContain('hebben wij u gevraagd');
      else expect(text).toContain(`${says} om uw aanvraag compleet te maken.`);
    },
  );

  it('say that the registration ends on the day of the decision when it is refused late, and invite a reaction', async () => {
    const world = await newWorld();
    const text = await world.text('ingrid-visser', 'ontvangstbevestiging-HER-2026-000097');
    expect(text).toContain('Dan halen wij uw registratie door op de dag van ons besluit.');
    expect(text).toContain('uiterlijk op 22 mei 2026. Dat heet een zienswijze (artikel 4:8 van de');
  });

  it('state the hours and the norm when herregistratie is granted', async () => {
    const world = await newWorld();
    const referentie = await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_080 });
    await world.decide(referentie, 'goedgekeurd');
    const text = await world.text('sanne-de-wit', `besluit-${referentie}`);
    expect(text).toContain('De norm is 2.080 uur in de vijf jaar vóór uw aanvraag.');
    expect(text).toContain('U hebt opgegeven dat u 2.080 uur hebt gewerkt. U haalt de norm.');
  });

  it('name the refused request in the later decision to strike off, and have the address as the BRP writes it', async () => {
    const world = await newWorld();
    const referentie = await world.ask('joost-van-buren', 'herregistraties', { uren: 2_200 });
    await world.decide(referentie, 'afgewezen', 'Uw uren zijn niet aangetoond');
    const text = await world.text('joost-van-buren', `besluit-${referentie}`);
    expect(text).toContain('\n\nUw uren zijn niet aangetoond.\n');
    expect(text).toContain('artikel 4:7 van de Algemene wet bestuursrecht');
    await world.clock({ move: '+3months' });
    const last = (await world.list('joost-van-buren')).at(-1);
    expect(await world.text('joost-van-buren', last?.id ?? '')).toContain(
      `Uw aanvraag met kenmerk ${referentie} hebben wij niet toegewezen. Daarna hebt u uiterlijk op die datum geen nieuwe aanvraag gedaan.`,
    );
    expect((await world.letter('lotte-van-dijk', 'oproep-30-2026-02-13')).letter.addressee[1]).toBe(
      'Kleine Houtweg 27 RD',
    );
  });

  it.each([
    ['gerda-postma', 'verpleegkundige niet gebruiken.'],
    [
      'wilma-dekker',
      'verloskundige na de doorhaling alleen nog gebruiken met de woorden ‘niet praktiserend’ erachter.',
    ],
  ])('say how the title may be used when they refuse a registration to %s', async (slug, expected) => {
    const world = await newWorld();
    const documents = byPost('diploma-gewaarmerkt', 'identiteitsbewijs');
    const referentie = await world.ask(slug, 'registrations', { diplomaHerkomst: 'handmatig', documents });
    await world.decide(referentie, 'afgewezen', 'Uw diploma is niet geldig.');
    expect(await world.text(slug, `besluit-${referentie}`)).toContain(`U mag de titel ${expected}`);
  });

  it('have the new address from the day on which the change of address is granted', async () => {
    const world = await newWorld();
    const change = { straat: 'Lindelaan 12 A', postcode: '3511 AB', woonplaats: 'Utrecht' };
    const referentie = await world.ask('sanne-de-wit', 'change-requests', change);
    await world.clock({ move: '+2months' });
    const lines = async (id: string) => (await world.letter('sanne-de-wit', id)).letter.addressee;
    const old = ['S. de Wit', 'Merelstraat 18', '3514 CN  UTRECHT'];
    expect(await lines('oproep-30-2026-04-01')).toEqual(old);
    expect(await lines(`ontvangstbevestiging-${referentie}`)).toEqual(old);
    expect(await world.text('sanne-de-wit', `ontvangstbevestiging-${referentie}`)).toContain(
      'Wij besluiten uiterlijk op 1 juli 2026. Die termijn staat in artikel 12 van de Algemene verordening',
    );
    // The confirmation goes to the old address too.
    expect(await lines(`besluit-${referentie}-oud-adres`)).toEqual(old);
    expect(await world.text('sanne-de-wit', `besluit-${referentie}-oud-adres`)).toContain('Bel ons dan meteen');
    const moved = ['S. de Wit', 'Lindelaan 12 A', '3511 AB Utrecht'];
    expect(await lines(`besluit-${referentie}`)).toEqual(moved);
    expect(await lines('herinnering-30-2026-07-09')).toEqual(moved);
    const again = await world.ask('sanne-de-wit', 'change-requests', { ...change, straat: 'Lindelaan 14' });
    await world.decide(again, 'goedgekeurd');
    await world.clock({ move: '+3days' });
    const later = await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_600 });
    expect(await lines(`ontvangstbevestiging-${later}`)).toEqual(['S. de Wit', 'Lindelaan 14', '3511 AB Utrecht']);
  });

  it('have each its own address when two changes of address are granted on one day', async () => {
    const world = await newWorld();
    const change = { straat: 'Lindelaan 12', postcode: '3511 AB', woonplaats: 'Utrecht' };
    const first = await world.ask('sanne-de-wit', 'change-requests', change);
    await world.decide(first, 'goedgekeurd');
    const second = await world.ask('sanne-de-wit', 'change-requests', { ...change, straat: 'Lindelaan 14' });
    await world.decide(second, 'goedgekeurd');
    const street = async (id: string) => (await world.letter('sanne-de-wit', id)).letter.addressee[1];
    expect(await street(`besluit-${first}`)).toBe('Lindelaan 12');
    expect(await street(`besluit-${first}-oud-adres`)).toBe('Merelstraat 18');
    expect(await street(`besluit-${second}`)).toBe('Lindelaan 14');
    expect(await street(`besluit-${second}-oud-adres`)).toBe('Lindelaan 12');
  });

  it.each([
    ['29001', 'Malaga', ['Dam 5', '29001 Malaga', 'Spanje']],
    ['1012JS', 'Amsterdam', ['Dam 5', '1012 JS Amsterdam']],
  ])('to somebody in Spain with the new postcode %s name its country', async (postcode, woonplaats, to) => {
    const world = await newWorld();
    const referentie = await world.ask('jan-kuipers', 'change-requests', { straat: 'Dam 5', postcode, woonplaats });
    await world.decide(referentie, 'goedgekeurd');
    expect((await world.letter('jan-kuipers', `besluit-${referentie}`)).letter.addressee.slice(1)).toEqual(to);
  });

  it.each([
    ['sanne-de-wit', 'herregistraties', { uren: 2_600 }],
    ['noor-bakker', 'registrations', { diplomaHerkomst: 'duo' }],
    ['jan-kuipers', 'change-requests', { straat: 'Calle Nueva 5', postcode: '29001', woonplaats: 'Malaga' }],
  ])('of %s confirm the receipt in the same words after a grant on that day (%s)', async (slug, path, body) => {
    const world = await newWorld();
    const referentie = await world.ask(slug, path, body);
    const sent = await world.text(slug, `ontvangstbevestiging-${referentie}`);
    await world.decide(referentie, 'goedgekeurd');
    expect(await world.text(slug, `ontvangstbevestiging-${referentie}`)).toBe(sent);
  });

  it('are replaced by the letter that the case handlers sent', async () => {
    const world = await newWorld();
    await world.here.put('/brief', { tag: 'sent' });
    const [brief, ...others] = (await world.list('lotte-van-dijk')).filter(({ date }) => date === '2026-06-01');
    expect(brief).toMatchObject({ kind: 'brief', referentie: 'HER-2026-000118', channel: 'berichtenbox' });
    expect(others).toEqual([]);
    expect(await world.text('lotte-van-dijk', brief?.id ?? '')).toContain('Wij wijzen uw aanvraag toe.');
  });

  it('include the decision that corrects the outcome of such a letter on the same day', async () => {
    const world = await newWorld();
    const ofToday = async () =>
      (await world.list('lotte-van-dijk')).filter(({ date }) => date === '2026-06-01').map(({ kind }) => kind);
    await world.here.put('/brief', { tag: 'sent' });
    await world.decide('HER-2026-000118', 'goedgekeurd');
    expect(await ofToday()).toEqual(['brief']);
    await world.decide('HER-2026-000118', 'afgewezen', 'De uren zijn verkeerd geteld.');
    expect(await ofToday()).toEqual(['brief', 'besluit', 'herinnering']);
    const besluit = await world.text('lotte-van-dijk', 'besluit-HER-2026-000118');
    expect(besluit).toContain('\n\nDe uren zijn verkeerd geteld.\n');
  });

  it('have the acknowledgement before the letter of the case handlers of the same day', async () => {
    const world = await newWorld();
    const referentie = await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_600 });
    await world.here.put('/brief', { tag: 'sent', referentie });
    const kinds = (await world.list('sanne-de-wit')).map(({ kind }) => kind);
    expect(kinds.slice(-2)).toEqual(['ontvangstbevestiging', 'brief']);
  });

  it('have no letter of the case handlers of a day after the decision, which was taken after the clock was set back', async () => {
    const world = await newWorld();
    await world.clock({ set: '2026-06-10' });
    await world.here.put('/brief', { tag: 'sent', templateId: 'aanvulling-gevraagd' });
    const about = async () =>
      (await world.list('lotte-van-dijk')).filter(({ referentie }) => referentie !== null).map(({ kind }) => kind);
    expect(await about()).toEqual(['ontvangstbevestiging', 'brief']);
    await world.clock({ set: '2026-06-01' });
    await world.decide('HER-2026-000118', 'goedgekeurd');
    await world.clock({ set: '2026-06-10' });
    expect(await about()).toEqual(['ontvangstbevestiging', 'besluit']);
  });

  it('disappear when the clock is set to a day before the request', async () => {
    const world = await newWorld();
    await world.clock({ set: '2026-06-20' });
    await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_600 });
    await world.clock({ set: '2026-08-25' });
    const expected = ['2026-04-01 oproep', '2026-06-20 ontvangstbevestiging', '2026-06-22 besluit'];
    expect(await world.sent('sanne-de-wit')).toEqual(expected);
    await world.clock({ set: '2026-06-19' });
    expect(await world.sent('sanne-de-wit')).toEqual(['2026-04-01 oproep']);
  });
});

describe('a mailbox', () => {
  it('has letters in the Berichtenbox when the person has activated it, and otherwise on paper, also abroad', async () => {
    const world = await newWorld();
    await world.clock({ move: '+5years' });
    const channels = async (slug: string) => [...new Set((await world.list(slug)).map(({ channel }) => channel))];
    expect(await channels('sanne-de-wit')).toEqual(['berichtenbox']);
    expect(await channels('joost-van-buren')).toEqual(['post']);
    expect(await channels('tomasz-wolski')).toEqual(['post']);
    const [oproep] = await world.list('tomasz-wolski');
    const { addressee } = (await world.letter('tomasz-wolski', oproep?.id ?? '')).letter;
    expect(addressee).toEqual(['T. Wolski', 'Lange Lozanastraat 114', '2018 Antwerpen', 'België']);
    const burgers = await together(30, (n) => channels(`burger-${n + 1}`));
    expect(new Set(burgers.flat())).toEqual(new Set(['berichtenbox', 'post']));
  });

  it('has letters on paper when the person has activated the Berichtenbox and has no burgerservicenummer', () => {
    const sanne = PERSONAS.find((one) => one.kind === 'professional' && one.slug === 'sanne-de-wit');
    const { person } = sanne as Extract<typeof sanne, { kind: 'professional' }>;
    expect([person.bsn, null].map((bsn) => channelOf({ bsn, person }))).toEqual(['berichtenbox', 'post']);
  });

  it('has letters with the name of the partner, in the address and in the salutation, when the person uses it', async () => {
    const world = await newWorld();
    await world.clock({ move: '+3years' });
    const [oproep] = await world.list('maria-de-graaf');
    const { letter, text } = await world.letter('maria-de-graaf', oproep?.id ?? '');
    expect(letter.addressee[0]).toBe('M. van Loon-de Graaf');
    expect(text).toContain('Geachte mevrouw Van Loon-de Graaf,');
  });

  it('has letters to the home in the Netherlands from before an emigration to Spain', async () => {
    const world = await newWorld();
    const [oproep] = await world.list('burger-2329');
    expect((await world.letter('burger-2329', oproep?.id ?? '')).letter.addressee.at(-1)).toBe('6543 CK  NIJMEGEN');
    const homeOn = async (day: string) => {
      await world.clock({ set: day });
      return (await service.get('/api/v1/brp/address', { as: `burger-2329@${world.name}` })).body.adres;
    };
    const home = { postcode: '6543 CK', woonplaats: 'Nijmegen' };
    expect(await homeOn(oproep?.date ?? '')).toMatchObject(home);
    expect(await homeOn('2025-03-01')).toMatchObject(home);
    expect(await homeOn('2025-03-02')).not.toMatchObject(home);
  });

  it('has the same bytes in two worlds, as text and as PDF', async () => {
    const told = async () => {
      const world = await newWorld();
      await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_600 });
      await world.clock({ move: '+5years' });
      const letters = await world.list('sanne-de-wit');
      const texts = await Promise.all(letters.map(({ id }) => world.text('sanne-de-wit', id)));
      const bytes = await world.pdf('sanne-de-wit', letters[2]?.id ?? '');
      return JSON.stringify([letters, texts, bytes.toString('base64')]);
    };
    const [one, other] = [await told(), await told()];
    expect(one).toBe(other);
    expect(one).toContain(Buffer.from('%PDF-1.7').toString('base64').slice(0, 8));
  });

  it('is the same after a snapshot is restored in another world; an invalid snapshot is refused with 400', async () => {
    const world = await newWorld();
    await world.ask('sanne-de-wit', 'herregistraties', { uren: 2_600 });
    await world.here.put('/brief', { tag: 'sent' });
    await world.clock({ move: '+5years' });
    await world.here.put(`/snapshots/${world.name}`);
    const file = (await control.call('GET', `/snapshots/${world.name}`)).body;
    expect((await control.call('PUT', '/snapshots/same', file)).status).toBe(204);
    Object.assign(file.sources.verzendingen[0], { inhoud: '{"secties":[{"alineas":1}]}' });
    expect((await control.call('PUT', '/snapshots/broken', file)).status).toBe(400);
    const other = await newWorld();
    await other.here.post(`/snapshots/${world.name}/restore`);
    for (const slug of ['sanne-de-wit', 'lotte-van-dijk']) {
      const letters = await world.list(slug);
      expect(letters.length).toBeGreaterThan(2);
      expect(await other.list(slug)).toEqual(letters);
      for (const { id } of letters) expect(await other.text(slug, id)).toBe(await world.text(slug, id));
    }
  });

  it('answers 404 for staff, for an unknown persona and for an unknown letter, with suggestions', async () => {
    const world = await newWorld();
    expect(await refusalOf(world.here.get('/post/behandelaar-bas'))).toEqual([404, 'persona-zonder-post']);
    expect((await world.here.get('/post/sane-de-wit')).body.detail).toContain('sanne-de-wit');
    expect((await world.here.get('/post/sanne-de-wit/oproep')).body).toMatchObject({
      code: 'brief-onbekend',
      detail: 'Die brief is er vandaag niet. Er zijn: oproep-30-2026-04-01.',
    });
  });
});

describe('every letter of the register', () => {
  let letters: Awaited<ReturnType<Awaited<ReturnType<typeof newWorld>>['letter']>>[];
  beforeAll(async () => {
    const world = await newWorld();
    for (const [path, body] of [
      ['herregistraties', { uren: 2_600 }],
      ['intakes', { uren: 2_600 }],
      ['change-requests', { straat: 'Lindelaan 12', postcode: '3511 AB', woonplaats: 'Utrecht' }],
    ] as const) {
      await world.ask('sanne-de-wit', path, body);
      const referentie = await world.ask('joost-van-buren', path, body);
      await world.decide(referentie, 'afgewezen', 'Uw gegevens kloppen niet.');
    }
    const noor = await world.ask('noor-bakker', 'registrations', { diplomaHerkomst: 'duo' });
    await world.decide(noor, 'afgewezen', 'Uw diploma geeft geen recht op registratie.');
    await world.clock({ move: '+6years' });
    const people = ['sanne-de-wit', 'joost-van-buren', 'noor-bakker', 'wilma-dekker', 'ruben-smit', 'pieter-hoekstra'];
    const theirs = await Promise.all(
      people.map(async (slug) => Promise.all((await world.list(slug)).map(async ({ id }) => world.letter(slug, id)))),
    );
    letters = theirs.flat();
  });

  it('has a sender, date, reference, subject, salutation and signature, and no empty placeholder', () => {
    expect(new Set(letters.map(({ kind }) => kind)).size).toBe(6);
    for (const { text } of letters) {
      expect(text).toMatch(/^Zorgregister\nPostbus 100\n2500 AA ’s‑Gravenhage\n/);
      expect(text).toMatch(/\nDatum: \d+ [a-z]+ \d{4}\nOns kenmerk: \S+\n/);
      expect(text).toMatch(/\nOnderwerp: \S/);
      expect(text).toMatch(/\n\nGeachte (mevrouw|heer) /);
      expect(text).toContain('De minister van Volksgezondheid, Welzijn en Sport,\nnamens deze,\n');
      expect(text).not.toMatch(/\{\{|\}\}|undefined|null|NaN/);
    }
  });

  it('explains bezwaar when it is a decision, and only then', () => {
    for (const { kind, text, id } of letters) {
      const isDecision = /^Onderwerp: Besluit/m.test(text);
      if (kind === 'besluit-doorhaling') expect(isDecision, id).toBe(true);
      const howTo = [
        'zes weken de tijd. Die zes weken beginnen op de dag nadat wij deze brief hebben verzonden',
        'afdeling Bezwaar, Postbus 100',
        'uw handtekening',
        'voorlopige voorziening',
      ];
      for (const words of howTo) expect(text.includes(words), `${id}: ${words}`).toBe(isDecision);
      if (kind === 'voornemen-doorhaling') expect(text).toContain('artikel 4:8 van de Algemene wet bestuursrecht');
      if (/doorhaling|oproep|herinnering/.test(kind)) expect(text).toContain('artikel 8 van de Wet op de beroepen');
    }
  });
});
