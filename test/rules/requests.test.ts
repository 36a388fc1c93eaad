import { describe, expect, it } from 'vitest';
import {
  answersIn,
  applicationConflict,
  demandAlive,
  demandApplicationVersion,
  demandDraftContent,
  demandSending,
  isDraftType,
  scholingAnswer,
} from '../../src/applications/rules.ts';
import type { Registratie } from '../../src/ports/register.ts';
import type { FieldFault, Problem, ProblemFault } from '../../src/problem.ts';
import type { ProblemCode } from '../../src/problem-codes.ts';
import {
  checkChange,
  checkHerregistratieRequest,
  checkIntake,
  checkRegistratie,
  demandScholing,
  type RequestFacts,
  type RequestRule,
  requestedProfession,
} from '../../src/requests/rules.ts';
import { checkDocuments, digitalOf } from '../../src/uploads/rules.ts';
import { registratie } from '../support/registration.ts';

const facts = (over: Partial<RequestFacts> = {}): RequestFacts => ({
  asked: {},
  today: '2026-06-01',
  registraties: [registratie()],
  diplomas: [],
  adres: { straat: 'Lindelaan 12', postcode: '3511 AB', woonplaats: 'Utrecht' },
  deceased: false,
  abroad: false,
  correspondentieadres: null,
  running: null,
  documents: [],
  ...over,
});
const diploma = (beroep: Registratie['beroep'] | null, behaaldOp = '2020-01-01') =>
  ({ id: 'd', naam: 'Opleiding', instelling: 'School', behaaldOp, beroep, taal: 'nl' }) as const;
const struckOff = (reden: string) => ({ tag: 'Doorgehaald', op: '2020-01-01', reden }) as const;
const caught = (run: () => unknown): Problem | null => {
  try {
    run();
    return null;
  } catch (error) {
    return error as Problem;
  }
};
const short = (faults: readonly FieldFault[]) => faults.map(({ code, pointer }) => `${code} ${pointer}`.trim());
const by = (categoryId: string, channel = 'post', documentId: string | null = null) => ({
  categoryId,
  channel,
  documentId,
});

/** A request with a diploma of DUO for this profession, by a person with these registrations. */
const duo = (beroep: Parameters<typeof diploma>[0], ...registraties: Registratie[]): Partial<RequestFacts> => ({
  asked: { diplomaHerkomst: 'duo' },
  diplomas: [diploma(beroep)],
  ...(registraties.length > 0 && { registraties }),
});
const BY_WISH = registratie({ status: struckOff('Op eigen verzoek') });
const BY_COURT = registratie({ status: struckOff('Tuchtmaatregel') });
/** A request with these hours and these documents by post. */
const hours = (uren: number, ...documents: string[]): Partial<RequestFacts> => ({
  asked: { uren, documents: documents.map((one) => by(one)) },
});
const handmatig = (over: object, ...documents: string[]) => ({
  asked: { diplomaHerkomst: 'handmatig', ...over, documents: documents.map((one) => by(one)) },
});

const REGISTRATION: readonly [string, Partial<RequestFacts>, string[]][] = [
  ['without a source of the diploma', { asked: {} }, ['diplomaherkomst-ongeldig /diplomaHerkomst']],
  ['with an unknown source', { asked: { diplomaHerkomst: 'DUO' } }, ['diplomaherkomst-ongeldig /diplomaHerkomst']],
  ['from DUO without a diploma', { asked: { diplomaHerkomst: 'duo' } }, ['geen-duo-diploma /diplomaHerkomst']],
  ['from DUO with a diploma for another register', duo(null), ['geen-duo-diploma /diplomaHerkomst']],
  ['from DUO with a diploma', duo('arts'), []],
  ['in a profession in which the person is registered', duo('verpleegkundige'), ['al-geregistreerd']],
  ['in a profession in which the person was struck off by their own wish', duo('verpleegkundige', BY_WISH), []],
  ['in a profession that the court ended', duo('verpleegkundige', BY_COURT), ['herinschrijving-niet-mogelijk']],
  ['in another profession than that in which the court struck the person off', duo('arts', BY_COURT), []],
  [
    'in the profession of the court, after which the person was registered again',
    duo('verpleegkundige', BY_COURT, { ...BY_WISH, id: 'r2', registratiedatum: '2022-01-01' }),
    [],
  ],
  [
    'in the profession of the court, when the person was registered again on the same day or in another profession',
    duo(
      'verpleegkundige',
      BY_COURT,
      { ...BY_WISH, id: 'r2' },
      registratie({ id: 'r3', beroep: 'arts', registratiedatum: '2022-01-01' }),
    ),
    ['herinschrijving-niet-mogelijk'],
  ],
  [
    'from abroad without documents and without a profession, by a person whom the court struck off',
    { asked: { diplomaHerkomst: 'buitenland', taalvaardigheid: 'taaltoets' }, registraties: [BY_COURT] },
    ['herinschrijving-niet-mogelijk', ...Array(6).fill('documenten-ongeldig /documents')],
  ],
  [
    'by hand with documents, in a profession in which the person is registered, while a request runs',
    {
      ...handmatig({ beroep: 'verpleegkundige' }, 'diploma-gewaarmerkt', 'identiteitsbewijs'),
      running: 'REG-2026-000001',
    },
    ['al-geregistreerd', 'lopende-aanvraag'],
  ],
  [
    'in a profession in which the person is suspended, with the reason of the court',
    duo('verpleegkundige', registratie({ status: { tag: 'Geschorst', tot: null, reden: 'Tuchtmaatregel' } })),
    ['al-geregistreerd'],
  ],
  [
    'by hand with documents of a school for the language',
    handmatig({ taalvaardigheid: 'vooropleiding' }, 'diploma-gewaarmerkt', 'identiteitsbewijs', 'schooldiplomas'),
    [],
  ],
];

describe('a request for registration', () => {
  it.each(REGISTRATION)('%s has the faults of domain.md 4.7', (_, over, expected) => {
    expect(short(checkRegistratie(facts(over)))).toEqual(expected);
  });

  const nurse = registratie();
  const arts = registratie({ id: 'r2', beroep: 'arts' });
  const [OLD_ARTS, ARTS, OLD_NURSE, NURSE] = [
    ...[diploma('arts', '2010-01-01'), diploma('arts')],
    ...[diploma('verpleegkundige', '2010-01-01'), diploma('verpleegkundige')],
  ] as const;
  it.each<[string, Registratie[], ReturnType<typeof diploma>[], Registratie['beroep'] | null]>([
    ['no diploma', [], [], null],
    ['two diplomas', [], [OLD_ARTS, NURSE], 'verpleegkundige'],
    ['a newer one for a profession that is held', [nurse], [OLD_ARTS, NURSE], 'arts'],
    ['a newer one for a profession that they left', [BY_WISH], [OLD_ARTS, NURSE], 'verpleegkundige'],
    ['a newer one for a profession that the court forbids', [BY_COURT], [OLD_ARTS, NURSE], 'arts'],
    ['one that the court forbids, and one that is held', [BY_COURT, arts], [OLD_NURSE, ARTS], 'verpleegkundige'],
    ['two for professions that are held', [nurse, arts], [OLD_ARTS, NURSE], 'verpleegkundige'],
    ['a diploma of today', [], [diploma('arts', '2026-06-01')], 'arts'],
    ['a diploma of tomorrow', [], [diploma('arts', '2026-06-02')], null],
  ])('from DUO with %s is for the profession of domain.md 4.7', (_, registraties, diplomas, beroep) => {
    const asked = { diplomaHerkomst: 'duo', beroep: 'tandarts' };
    const found = requestedProfession(facts({ asked, registraties, diplomas }));
    expect([found.beroep, found.diploma?.beroep ?? null]).toEqual([beroep, beroep]);
  });

  it.each([
    ['arts', 'arts'],
    ['Arts', null],
    [undefined, null],
  ])('by hand with the profession %s in its draft is for %s', (beroep, expected) => {
    const asked = { diplomaHerkomst: 'handmatig', beroep };
    expect(requestedProfession(facts({ asked, diplomas: [ARTS] }))).toEqual({ beroep: expected, diploma: null });
  });
});

const DAM = { straat: 'Dam 1', postcode: '1012 JS', woonplaats: 'Amsterdam' };
const NEW = { ...DAM, postcode: '1012js' };
/** As the register and as the BRP say it. */
const DEAD = [
  { registraties: [BY_WISH, registratie({ id: 'r3', status: struckOff('Overlijden') })] },
  { registraties: [], deceased: true },
];

describe('somebody who has died', () => {
  const byHand = handmatig({ beroep: 'arts' }, 'diploma-gewaarmerkt', 'identiteitsbewijs');
  it.each<[string, RequestRule, Partial<RequestFacts>, string]>([
    ['registration', checkRegistratie, byHand, 'aanvrager-overleden'],
    ['herregistratie', checkHerregistratieRequest, { asked: { uren: 2_080 } }, 'niet-herregistreerbaar'],
    ['an intake', checkIntake, { asked: { uren: 100 } }, 'aanvrager-overleden'],
    ['a change of address', checkChange, { asked: NEW }, 'aanvrager-overleden'],
  ])('cannot ask for %s, whether the register or the BRP says so', (_, check, over, code) => {
    for (const died of DEAD) expect(short(check(facts({ ...over, ...died })))).toEqual([code]);
    expect(short(check(facts(over)))).toEqual([]);
  });

  it('cannot begin an application: 409 aanvrager-overleden', () => {
    const error = { status: 409, code: 'aanvrager-overleden', extras: { errors: [{ code: 'aanvrager-overleden' }] } };
    for (const died of DEAD) expect(caught(() => demandAlive(facts(died)))).toMatchObject(error);
    expect(caught(() => demandAlive(facts({ registraties: [BY_WISH, BY_COURT] })))).toBeNull();
    expect(caught(() => demandAlive({ registraties: 'geen antwoord', deceased: false }))).toBeNull();
  });
});

const HERREGISTRATIE: readonly [string, Partial<RequestFacts>, string[]][] = [
  ['without hours', { asked: {} }, ['uren-ongeldig /uren']],
  ['with the hours null', { asked: { uren: null } }, ['uren-ongeldig /uren']],
  ['of -1 hours', { asked: { uren: -1 } }, ['uren-ongeldig /uren']],
  ['of 43,801 hours', { asked: { uren: 43_801 } }, ['uren-ongeldig /uren']],
  ['of 43,800 hours', { asked: { uren: 43_800 } }, []],
  ['of 0 hours', { asked: { uren: 0 } }, ['urennorm-niet-gehaald /uren']],
  ['of 2,079 hours', { asked: { uren: 2_079 } }, ['urennorm-niet-gehaald /uren']],
  ['of 2,080 hours', { asked: { uren: 2_080 } }, []],
  ['of 2,079 hours with a proof of work, such as of a training for a specialism', hours(2_079, 'werkervaring'), []],
  ['of 2,079 hours with a proof of training', hours(2_079, 'scholingsbewijs'), []],
  ['of 2,079 hours with proof of training among other documents', hours(2_079, 'werkervaring', 'scholingsbewijs'), []],
  [
    'of 2,079 hours with a proof of training beside a document of another wizard',
    hours(2_079, 'cv', 'scholingsbewijs'),
    ['documenten-ongeldig /documents/0/categoryId'],
  ],
  [
    'of 3,119 hours in a profession with the higher norm',
    { asked: { uren: 3_119 }, registraties: [registratie({ beroep: 'psychotherapeut' })] },
    ['urennorm-niet-gehaald /uren'],
  ],
  ['without a registration', { asked: { uren: 2_080 }, registraties: [] }, ['niet-herregistreerbaar']],
  ['on the day after the term', { asked: { uren: 2_080 }, today: '2026-10-01' }, ['niet-herregistreerbaar']],
  [
    'while a request of this service runs, after the term',
    { asked: { uren: 2_080 }, running: 'HER-2026-000001', today: '2026-10-01' },
    ['lopende-aanvraag'],
  ],
  ['while one runs, of a dead person', { ...DEAD[0], asked: { uren: 2_080 }, running: '' }, ['niet-herregistreerbaar']],
  [
    'while the register has a request that runs',
    { asked: { uren: 2_080 }, registraties: [registratie({ lopendeHerregistratie: { referentie: 'HER-2026-1' } })] },
    ['lopende-aanvraag'],
  ],
  ['with a document of another wizard', hours(2_080, 'cv'), ['documenten-ongeldig /documents/0/categoryId']],
];

describe('a request for herregistratie', () => {
  it.each(HERREGISTRATIE)('%s has the faults of domain.md 4.7', (_, over, expected) => {
    expect(short(checkHerregistratieRequest(facts(over)))).toEqual(expected);
  });

  it.each([null, undefined])('with the hours %s has a fault that asks for the hours', (uren) => {
    const detail = 'Vul in hoeveel uren u in vijf jaar hebt gewerkt.';
    expect(checkHerregistratieRequest(facts({ asked: { uren } }))).toMatchObject([{ detail }]);
  });

  it.each([
    ['', 'Uw vorige aanvraag is nog onderweg.'],
    ['HER-2026-000001', 'Uw aanvraag HER-2026-000001 loopt nog.'],
  ])('while the request "%s" is in progress has the fault: %s', (running, detail) => {
    expect(checkHerregistratieRequest(facts({ asked: { uren: 2_080 }, running }))).toMatchObject([{ detail }]);
  });

  it.each([
    ['verpleegkundige', true],
    ['fysiotherapeut', false],
  ] as const)(
    'with fewer hours than the norm names training as a specialist only to a profession that has specialists: %s',
    (beroep, isNamed) => {
      const [fault] = checkHerregistratieRequest(
        facts({ asked: { uren: 1 }, registraties: facts({}).registraties.map((one) => ({ ...one, beroep })) }),
      );
      expect(fault?.detail.includes('opleiding tot specialist')).toBe(isNamed);
    },
  );

  it('with fewer hours than the norm has a fault that names the norm, after the fault that herregistratie is not possible', () => {
    expect(checkHerregistratieRequest(facts({ asked: { uren: 1 }, registraties: [] }))).toMatchObject([
      { detail: 'U hebt geen registratie.' },
      { detail: expect.stringContaining('De norm is 2.080 uur in vijf jaar. Voeg een bewijs van scholing toe.') },
    ]);
  });
});

describe('an intake', () => {
  it.each([
    [{ asked: { uren: 100 } }, []],
    [{ asked: { uren: -1 }, running: '' }, ['uren-ongeldig /uren', 'lopende-aanvraag']],
    [{ asked: { uren: 100, documents: [by('scholingsbewijs')] } }, ['documenten-ongeldig /documents/0/channel']],
  ])('with %j has the faults %j', (over, expected) => {
    expect(short(checkIntake(facts(over)))).toEqual(expected);
  });

  const [MISSING, WRONG] = ['antwoord-vereist /scholing', 'antwoord-ongeldig /scholing'];
  const [NO_TRAINING, POINTS] = ['punten-zonder-scholing /punten', 'punten-ongeldig /punten'];
  it.each<[number | null, unknown, unknown, string[]]>([
    [2_079, undefined, undefined, [MISSING]],
    [2_079, null, null, [MISSING]],
    [2_080, undefined, undefined, []],
    [0, 'nee', null, []],
    [0, 'ja', null, []],
    [0, 'ja', 1, []],
    [2_080, 'ja', 2_147_483_647, []],
    [2_080, 'nee', undefined, []],
    [2_079, 'Ja', null, [WRONG]],
    [2_080, '', null, [WRONG]],
    [2_080, true, null, [WRONG]],
    [2_079, null, 4, [MISSING, NO_TRAINING]],
    [2_080, null, 4, [NO_TRAINING]],
    [2_080, 'nee', 4, [NO_TRAINING]],
    [2_080, 'nee', 0, [NO_TRAINING, POINTS]],
    [2_080, 'misschien', 4, [WRONG, NO_TRAINING]],
    [null, 'nee', 4, [NO_TRAINING]],
    [0, 'ja', 0, [POINTS]],
    [0, 'ja', -1, [POINTS]],
    [0, 'ja', 1.5, [POINTS]],
    [0, 'ja', '4', [POINTS]],
    [0, 'ja', 2_147_483_648, [POINTS]],
    // `checkIntake` refuses these hours.
    [null, null, null, []],
    [-1, null, 4, []],
    [43_801, 'Ja', 0, []],
    [43_800, 'Ja', null, [WRONG]],
  ])('of %j hours with the answer %j and %j points breaks the rules %j', (uren, scholing, punten, expected) => {
    const problem = caught(() => demandScholing({ uren, scholing, punten }, [], undefined));
    expect(short(problem?.extras.errors ?? [])).toEqual(expected);
    const [regel] = expected[0]?.split(' ') ?? [];
    if (regel) expect(problem).toMatchObject({ status: 400, code: 'scholing-regel', extras: { members: { regel } } });
    else expect(problem).toBeNull();
  });

  it.each<[number, Partial<Registratie>, string | null]>([
    [3_119, { beroep: 'psychotherapeut' }, '3.120'],
    [3_120, { beroep: 'psychotherapeut' }, null],
    [3_119, { beroep: 'gezondheidszorgpsycholoog', status: struckOff('Op eigen verzoek') }, '3.120'],
    [2_079, { beroep: 'arts' }, '2.080'],
    [2_080, { beroep: 'arts' }, null],
  ])('of %i hours by a person with the registration %j needs an answer below %s hours', (uren, over, threshold) => {
    const told = caught(() => demandScholing({ uren, scholing: null, punten: null }, [registratie(over)], undefined));
    const detail = `Onder de ${threshold} uur moet u antwoorden of u scholing hebt gevolgd: ja of nee.`;
    expect(told?.detail).toBe(threshold === null ? undefined : detail);
  });
});

const OLD = { straat: 'lindelaan  12', postcode: '3511ab', woonplaats: 'UTRECHT' };

describe('a change of address', () => {
  it.each<[string, Partial<RequestFacts>, string[]]>([
    ['to another address', { asked: NEW }, []],
    ['to the address in the BRP', { asked: OLD }, ['adres-ongewijzigd']],
    ['to the address in the BRP when the register has another', { asked: OLD, correspondentieadres: DAM }, []],
    ['to the address in the register', { asked: NEW, correspondentieadres: DAM }, ['adres-ongewijzigd']],
    [
      'to the address in the register, in another Unicode form and with another space',
      {
        asked: { straat: 'Rene\u0301plein 1', postcode: '1012 JS', woonplaats: 'Amsterdam' },
        correspondentieadres: { straat: 'Ren\u00e9plein 1', postcode: '1012js', woonplaats: 'Amsterdam' },
      },
      ['adres-ongewijzigd'],
    ],
    [
      'to an address that is not valid and is the address in the BRP',
      { asked: { ...NEW, straat: 'Dam' }, adres: { ...DAM, straat: 'Dam' } },
      ['adres-ongeldig /straat'],
    ],
    ['with a foreign postcode', { asked: { ...NEW, postcode: 'SW1A 1AA' } }, ['adres-ongeldig /postcode']],
    ['with a foreign postcode, abroad', { asked: { ...NEW, postcode: 'SW1A 1AA' }, adres: null, abroad: true }, []],
    [
      'with a foreign postcode, from a houseboat without an address in the BRP',
      { asked: { ...NEW, postcode: 'SW1A 1AA' }, adres: null },
      ['adres-ongeldig /postcode'],
    ],
    [
      'without anything, while a request runs',
      { asked: {}, running: '' },
      ['adres-ongeldig /straat', 'adres-ongeldig /postcode', 'adres-ongeldig /woonplaats', 'lopende-aanvraag'],
    ],
  ])('%s has the faults of domain.md 4.7', (_, over, expected) => {
    expect(short(checkChange(facts(over)))).toEqual(expected);
  });

  it.each([
    ['1234 SS', 'De letters SA, SD en SS'],
    ['0123 AB', 'begint niet met een 0'],
    ['1234  AB', 'ten hoogste één spatie'],
    ['1234-AB', 'een spatie, of niets'],
    ['1234', 'De twee letters van de postcode ontbreken'],
    ['AB 1234', 'vier cijfers en twee letters'],
  ])('with the postcode %s says what is wrong with it', (postcode, said) => {
    const found = checkChange(facts({ asked: { ...NEW, postcode } }));
    expect(found.map(({ detail }) => detail)).toEqual([expect.stringContaining(said)]);
  });
});

const there = (over: object = {}) => ({
  documentId: 'd1',
  state: 'uploaded' as const,
  wizardId: 'herregistratie',
  categoryId: 'werkervaring',
  ...over,
});
const PROOF = by('werkervaring', 'digital', 'd1');
const situation = { wizardId: 'herregistratie', diplomaHerkomst: null, taalvaardigheid: null } as const;

describe('the documents of a request for herregistratie', () => {
  it.each<[string, ReturnType<typeof by>[], ReturnType<typeof there>[], string[]]>([
    ['that were uploaded', [PROOF], [there()], []],
    ['that are unknown', [by('werkervaring', 'digital', 'd9')], [there()], ['/0/documentId: kennen wij niet']],
    ['without an id', [by('werkervaring', 'digital')], [there()], ['/0/documentId: Upload dit']],
    ['by an unknown channel', [by('werkervaring', 'fax')], [], ['/0/channel: Kies of']],
    ['by post with an id', [by('werkervaring', 'post', 'd1')], [there()], ['/0/documentId: per post']],
    ['twice in a category for several', [by('werkervaring'), by('werkervaring')], [], []],
    ['twice in a category for one', [by('scholingsbewijs'), by('scholingsbewijs')], [], ['/1: één genoeg']],
    ['that are the same file twice', [PROOF, PROOF], [there()], ['/1/documentId: staat er al']],
    ['of another wizard', [PROOF], [there({ wizardId: 'intake' })], ['/0/documentId: hoort bij een ander soort']],
    ['of another one', [by('scholingsbewijs', 'digital', 'd1')], [there()], ['/0/documentId: niet ingestuurd als']],
    ['that are being checked', [PROOF], [there({ state: 'pending' })], ['/0/documentId: nog gecontroleerd']],
    ['that were rejected', [PROOF], [there({ state: 'rejected' })], ['/0/documentId: is afgekeurd']],
    ['that are being deleted', [PROOF], [there({ state: 'deleting' })], ['/0/documentId: kennen wij niet']],
    ['of no category', [by('')], [], ['/0/categoryId: niet gevraagd. Wel: Bewijs van werkervaring, ']],
  ])('%s have the faults of domain.md 4.7', (_, documents, uploads, expected) => {
    const faults = checkDocuments(situation, documents, uploads);
    expect(faults.map(({ code }) => code)).toEqual(expected.map(() => 'documenten-ongeldig'));
    expect(faults.map(({ pointer }) => pointer)).toEqual(
      expected.map((one) => `/documents${one.slice(0, one.indexOf(':'))}`),
    );
    for (const [index, one] of expected.entries())
      expect(faults[index]?.detail).toContain(one.slice(one.indexOf(': ') + 2));
  });

  it('of no category of the wizard are refused with the categories that it has', () => {
    expect(checkDocuments(situation, [by('cv')], [])[0]?.english).toContain('from werkervaring, scholingsbewijs.');
  });

  it('that a category takes by upload only are refused by post, and a missing category is named', () => {
    const intake = { ...situation, wizardId: 'intake' } as const;
    expect(short(checkDocuments(intake, [by('scholingsbewijs')], []))).toEqual([
      'documenten-ongeldig /documents/0/channel',
    ]);
    const byHand = { ...situation, wizardId: 'registratie', diplomaHerkomst: 'handmatig' } as const;
    expect(checkDocuments(byHand, [by('identiteitsbewijs')], []).map(({ detail }) => detail)).toEqual([
      'Dit document ontbreekt: Gewaarmerkte kopie van uw diploma.',
    ]);
  });

  it('that are uploaded have their ids listed, those by post not', () => {
    expect(
      digitalOf([by('a', 'digital', 'd1'), by('b', 'digital'), by('c', 'post', 'd2'), by('d', 'digital', 'd3')]),
    ).toEqual(['d1', 'd3']);
  });
});

const refused = (...codes: [ProblemCode, ...ProblemCode[]]) =>
  codes.map((code) => ({ code, pointer: '', detail: `${code}!`, english: '' })) as [ProblemFault, ...ProblemFault[]];

describe('a submit that is refused', () => {
  it.each<[[ProblemCode, ...ProblemCode[]], string, string]>([
    [['uren-ongeldig', 'lopende-aanvraag', 'aanvrager-overleden'], 'aanvrager-overleden', 'aanvrager-overleden!'],
    [['uren-ongeldig', 'lopende-aanvraag'], 'lopende-aanvraag', 'lopende-aanvraag!'],
    [['niet-herregistreerbaar', 'uren-ongeldig'], 'niet-herregistreerbaar', 'niet-herregistreerbaar!'],
    [['geen-duo-diploma', 'al-geregistreerd'], 'aanvraag-onvolledig', 'al-geregistreerd!'],
    [['geen-duo-diploma', 'herinschrijving-niet-mogelijk'], 'aanvraag-onvolledig', 'herinschrijving-niet-mogelijk!'],
    [['uren-ongeldig'], 'aanvraag-onvolledig', 'uren-ongeldig!'],
    [['uren-ongeldig', 'documenten-ongeldig'], 'aanvraag-onvolledig', 'uren-ongeldig! En nog 1 punt.'],
  ])('with the faults %j is 409 %s: %s', (codes, code, detail) => {
    const problem = applicationConflict(refused(...codes));
    expect(problem).toMatchObject({ status: 409, code, detail });
    expect(problem.extras.errors).toEqual(refused(...codes));
  });

  it.each([
    ['overtaken', 'lopende-aanvraag'],
    ['document-gone', 'aanvraag-onvolledig'],
  ] as const)('because it is %s is 409 %s', (outcome, code) => {
    const sending = { id: 'a', type: 'intake', documentIds: [], open: [] } as const;
    expect(() => demandSending({ ...sending, outcome })).toThrow(expect.objectContaining({ code }));
    expect(() => demandSending({ ...sending, outcome: 'sending' })).not.toThrow();
  });
});

describe('a draft', () => {
  it.each<[number, number, string[]]>([
    [0, 0, []],
    [3, 3, []],
    [4, 3, ['buiten-bereik /stepIndex']],
    [1, 0, ['buiten-bereik /stepIndex']],
    [-1, 3, ['buiten-bereik /stepIndex']],
    [0, -1, ['buiten-bereik /stepCount']],
    [-1, -1, ['buiten-bereik /stepCount', 'buiten-bereik /stepIndex']],
  ])('at step %i of %i has the faults %j', (stepIndex, stepCount, expected) => {
    const problem = caught(() => demandDraftContent({ stepIndex, stepCount, documentIds: [], mine: [] }));
    expect(short(problem?.extras.errors ?? [])).toEqual(expected);
    if (expected.length > 0) expect(problem).toMatchObject({ status: 400, code: 'ongeldig-verzoek' });
  });

  it('with a document that the person does not have is refused with 400, which says where it is in the list', () => {
    const facts = { stepIndex: 0, stepCount: 0, documentIds: ['d1', 'd2'], mine: ['d1'] };
    const errors = [{ code: 'onbekend', pointer: '/documentIds/1' }];
    expect(() => demandDraftContent(facts)).toThrow(
      expect.objectContaining({ extras: { errors: [expect.objectContaining(errors[0])] } }),
    );
    expect(() => demandDraftContent({ ...facts, mine: ['d2', 'd1'] })).not.toThrow();
  });

  it('of another version than expected is refused with 412 versie-verouderd', () => {
    const version = { id: 'a', expected: [1] };
    for (const [expected, detail] of [
      [[1], /Lees het opnieuw/],
      [[], /If-Match/],
      [null, /Lees het opnieuw/],
    ] as const)
      expect(() => demandApplicationVersion({ ...version, expected, found: 'stale' })).toThrow(
        expect.objectContaining({ status: 412, code: 'versie-verouderd', detail: expect.stringMatching(detail) }),
      );
    for (const found of [2, 'absent']) expect(() => demandApplicationVersion({ ...version, found })).not.toThrow();
  });

  it('is possible for a registratie, a herregistratie and an intake', () => {
    const types = ['registratie', 'herregistratie', 'intake', 'adreswijziging', 'toString', null];
    expect(types.filter(isDraftType)).toEqual(['registratie', 'herregistratie', 'intake']);
  });

  it.each<[unknown, string | null, unknown]>([
    [true, '{"scholing":false}', true],
    [false, '{"scholing":true}', false],
    [null, '{"scholing":false}', false],
    [undefined, '{"scholing":false}', false],
    [null, '{"stap":{"scholing":true}}', null],
    [null, '{}', null],
    [null, '"scholing"', null],
    [null, 'null', null],
    [null, null, null],
  ])('with the answer %j in the request and the draft %s has the answer %j', (body, draft, expected) => {
    expect(scholingAnswer({ scholing: body }, answersIn(draft)).scholing).toBe(expected);
  });

  it.each<[object, object, object]>([
    [{ scholing: 'nee' }, { scholing: 'ja', punten: 4 }, { scholing: 'nee', punten: null }],
    [{ scholing: 'ja' }, { scholing: 'ja', punten: 4 }, { scholing: 'ja', punten: null }],
    [
      { scholing: 'ja', punten: 5 },
      { scholing: 'nee', punten: 4 },
      { scholing: 'ja', punten: 5 },
    ],
    [{ punten: 5 }, { scholing: 'ja', punten: 4 }, { scholing: 'ja', punten: 5 }],
    [
      { scholing: null, punten: null },
      { scholing: 'ja', punten: 4 },
      { scholing: 'ja', punten: 4 },
    ],
    [{}, { scholing: 'ja', punten: 4 }, { scholing: 'ja', punten: 4 }],
    [{}, {}, { scholing: null, punten: null }],
  ])('with the answer %j about training in the request and the draft %j has the answer %j', (body, draft, expected) => {
    expect(scholingAnswer(body, answersIn(JSON.stringify(draft)))).toEqual(expected);
  });
});
