import { describe, expect, it } from 'vitest';
import { TRANSITIONS } from '../../src/brief/actions.ts';
import {
  AANVULLING,
  type BriefDeps,
  DATES_UNKNOWN,
  type LetterFacts,
  placeholdersOf,
  type ReadableLetter,
  readLetterValues,
  resolvePlaceholders,
  usesOf,
  VOORNEMEN,
  valueFor,
  visibleValues,
} from '../../src/brief/placeholders.ts';
import type { Opdracht } from '../../src/ports/brieven.ts';
import type { Geadresseerde } from '../../src/ports/brp.ts';
import { type Call, UpstreamError } from '../../src/ports/call.ts';
import type { Registratie } from '../../src/ports/register.ts';
import type { ApprovedLetter, Brief } from '../../src/ports/store/brief-store.ts';
import { type RichTextNode, wording } from '../../src/wire/rich-text.ts';

const registratie: Registratie = {
  id: 'r1',
  registerNummer: '90000011025',
  naam: 'Fatima Yılmaz',
  beroep: 'gezondheidszorgpsycholoog',
  registratiedatum: '2019-07-08',
  geboortedatum: '1990-10-19',
  uhd: '2026-08-31',
  status: { tag: 'Geregistreerd' },
  specialistTot: null,
  lopendeHerregistratie: null,
};
const geadresseerde: Geadresseerde = {
  naam: 'Fatima Yılmaz',
  adres: { straat: 'Nieuwe Binnenweg 310 B', postcode: '3021 GS', woonplaats: 'Rotterdam' },
  inNederland: true,
  overleden: false,
  verblijftNietOpAdres: false,
  geheim: true,
  aanhef: 'Geachte mevrouw Yılmaz',
  aanspreekvorm: null,
  adresregels: ['Nieuwe Binnenweg 310 B', '3021 GS  ROTTERDAM'],
};
const facts: LetterFacts = {
  opdracht: {
    opdrachtId: 'o1',
    templateId: 't1',
    beroep: 'gezondheidszorgpsycholoog',
    referentie: 'HER-2026-000007',
    indiener: { bsn: '999996836' },
    registratieId: 'r1',
    datumAanvraag: '2026-05-05',
    urenOpgegeven: 12_345,
    correspondentieadres: null,
    opsteller: null,
    besluit: null,
    passages: [],
    feiten: null,
    uhd: null,
    eerder: [],
  },
  registratie,
  registerNaam: registratie.naam,
  geadresseerde,
};

describe('the automatic placeholders of a letter', () => {
  /** Nothing goes by post to an address that is not there. */
  const NO_POST = { adresregel: '', postcode_woonplaats: '' };

  it('have values in the form of a Dutch letter, without the dates of sending', () => {
    expect(resolvePlaceholders(facts)).toEqual({
      naam: 'Fatima Yılmaz',
      aanhef: 'Geachte mevrouw Yılmaz',
      aanspreekvorm: '',
      adresregel: 'Nieuwe Binnenweg 310 B',
      postcode_woonplaats: '3021 GS  ROTTERDAM',
      registernummer: '90000011025',
      beroep: 'gezondheidszorgpsycholoog',
      uiterste_herregistratiedatum: '31 augustus 2026',
      urennorm: '3.120',
      referentie: 'HER-2026-000007',
      datum_aanvraag: '5 mei 2026',
      uren_opgegeven: '12.345',
      ...DATES_UNKNOWN,
      taalniveau: 'B2+',
      datum_verzoek: '',
      reactiedatum: '',
      ontbrekende_bewijsstukken: '',
      datum_voornemen: '',
      reactie_voornemen: '',
      wetsartikel: '24',
      soort_aanvraag: 'herregistratie',
    });
  });

  const postalAddress = { adresregel: 'Postbus 1', postcodeWoonplaats: '1000 AA Amsterdam' };
  it.each<[string, Partial<Geadresseerde> | null, Partial<typeof postalAddress>, object]>([
    [
      'a person who is not in the BRP',
      null,
      {},
      { naam: 'Fatima Yılmaz', aanhef: 'Geachte Fatima Yılmaz', aanspreekvorm: '', adresregel: null },
    ],
    [
      'a person with a title',
      { aanhef: 'Hoogwelgeboren vrouwe', aanspreekvorm: 'De hoogwelgeboren vrouwe' },
      {},
      { aanhef: 'Hoogwelgeboren vrouwe', aanspreekvorm: 'De hoogwelgeboren vrouwe' },
    ],
    ['a salutation of two lines', { aanhef: 'Geachte heer\nYılmaz' }, {}, { aanhef: 'Geachte heer Yılmaz' }],
    [
      'a person whose name and form of address have characters that a letter may not contain',
      { naam: 'A\u202elez\0 \ud800', aanhef: 'Geachte heer\tA\u2066' },
      {},
      { naam: 'Alez \ufffd', aanhef: 'Geachte heer A' },
    ],
    [
      'a postal address with line ends and a character that changes the reading direction',
      {},
      { adresregel: 'Postbus 1\r\nbus 2', postcodeWoonplaats: '\u202e1000 AA\u2028Ede' },
      { adresregel: 'Postbus 1 bus 2', postcode_woonplaats: '1000 AA Ede' },
    ],
    ['a person without a salutation', { aanhef: null }, {}, { aanhef: 'Geachte Fatima Yılmaz' }],
    ['a deceased person', { overleden: true }, {}, { adresregel: null, postcode_woonplaats: null }],
    ['a person who does not live at the address,', { verblijftNietOpAdres: true }, {}, NO_POST],
    ['a person without any address,', { adres: null, adresregels: [] }, {}, NO_POST],
    [
      'a person who lives abroad',
      { adres: null, adresregels: ['Rue du pomme 26', 'Bruxelles', 'postcode 1000', 'België'] },
      {},
      { adresregel: 'Rue du pomme 26', postcode_woonplaats: 'Bruxelles\npostcode 1000\nBelgië' },
    ],
    [
      'an address line that has a line end, and one that has nothing that is visible',
      { adresregels: ['Rue 1\nbus 2', '\u202e', 'België'] },
      {},
      { adresregel: 'Rue 1 bus 2', postcode_woonplaats: 'België' },
    ],
    ['address lines without anything visible', { adresregels: ['\u202e'] }, {}, { adresregel: null }],
    ['a blank address line', { adresregels: ['Rue 1', ' ', 'België'] }, {}, { postcode_woonplaats: 'België' }],
    [
      'a person who lives abroad, and has a correspondence address',
      { adres: null, adresregels: ['Rue 1', 'België'] },
      postalAddress,
      { adresregel: 'Postbus 1', postcode_woonplaats: '1000 AA Amsterdam' },
    ],
    ['a person with an address in the BRP too', {}, postalAddress, { adresregel: 'Postbus 1' }],
    [
      'a town without a postcode',
      { adres: { straat: 'Dijk 1', postcode: null, woonplaats: 'Zwolle' }, adresregels: [] },
      {},
      { postcode_woonplaats: 'Zwolle' },
    ],
    [
      'an address without postcode and town',
      { adres: { straat: 'Dijk 1', postcode: null, woonplaats: null }, adresregels: [] },
      {},
      { adresregel: null, postcode_woonplaats: null },
    ],
  ])('have the expected values for %s', (_, over, adres, expected) => {
    const opdracht = {
      ...facts.opdracht,
      ...('adresregel' in adres && { correspondentieadres: { ...postalAddress, ...adres } }),
    };
    const addressee = over && { ...geadresseerde, ...over };
    expect(resolvePlaceholders({ ...facts, opdracht, geadresseerde: addressee })).toMatchObject(expected);
  });

  it.each<[string | null, string]>([
    ['Geachte mevrouw Yılmaz', 'mevrouw Yılmaz'],
    ['Hoogwelgeboren vrouwe', 'Fatima Yılmaz'],
    ['Zeer Geachte vrouwe', 'Fatima Yılmaz'],
    ['Geachte heer\nYılmaz', 'Fatima Yılmaz'],
    [null, 'Fatima Yılmaz'],
  ])('have after "Geachte" in a template without aanhef, for the salutation %j, "%s"', (aanhef, aanspreekvorm) => {
    const addressee = { ...geadresseerde, aanhef, aanspreekvorm: 'De hoogwelgeboren vrouwe' };
    const values = resolvePlaceholders({ ...facts, geadresseerde: addressee }, false);
    expect(values.aanspreekvorm).toBe(aanspreekvorm);
  });

  it('name the last earlier letter of each kind', () => {
    const eerder = [
      { templateId: AANVULLING, verzondenOp: '2026-05-06', reactieTot: '2026-05-20', waarover: 'uw diploma' },
      { templateId: AANVULLING, verzondenOp: '2026-05-21', reactieTot: '2026-06-04', waarover: 'uw uren' },
      { templateId: VOORNEMEN, verzondenOp: '2026-06-05', reactieTot: '2026-06-19', waarover: 'te weinig uren' },
    ];
    const values = resolvePlaceholders({ ...facts, opdracht: { ...facts.opdracht, eerder } });
    const { datum_verzoek, reactiedatum, ontbrekende_bewijsstukken, datum_voornemen, reactie_voornemen } = values;
    expect([datum_verzoek, reactiedatum, ontbrekende_bewijsstukken]).toEqual(['21 mei 2026', '4 juni 2026', 'uw uren']);
    expect([datum_voornemen, reactie_voornemen]).toEqual(['5 juni 2026', '19 juni 2026']);
  });

  it('have the next last date for renewal of a case that has a decision already', () => {
    const besluit = { uitkomst: 'toewijzen', datum: '2026-05-20', reden: null } as const;
    expect(resolvePlaceholders({ ...facts, opdracht: { ...facts.opdracht, besluit } })).toMatchObject({
      nieuwe_herregistratiedatum: '20 mei 2031',
    });
  });

  it('are null without a registration and hours, except the one that says that the letter is about a registration', () => {
    const opdracht = { ...facts.opdracht, urenOpgegeven: null, registratieId: null };
    expect(resolvePlaceholders({ opdracht, registratie: null, registerNaam: null, geadresseerde: null })).toMatchObject(
      {
        naam: null,
        registernummer: null,
        uiterste_herregistratiedatum: null,
        uren_opgegeven: null,
        soort_aanvraag: 'registratie',
      },
    );
  });

  it.each([
    ['a public address without a step-up', '*30', 'Weg 1', '1234 AB Ede', false, false],
    ['a public address after a step-up', '130', 'Weg 1', '1234 AB Ede', false, true],
    ['a secret address without a step-up', '*30', '(geheim)', '(geheim)', true, false],
    ['a secret address after a step-up', '130', '(geheim)', '(geheim)', true, true],
  ])('for %s show the number %s and the address lines %s and %s', (_, nummer, regel, plaats, geheim, steppedUp) => {
    const values = { registernummer: '130', adresregel: 'Weg 1', postcode_woonplaats: '1234 AB Ede', naam: 'A' };
    const expected = { registernummer: nummer, adresregel: regel, postcode_woonplaats: plaats, naam: 'A' };
    expect(visibleValues({ geheim, steppedUp, values })).toEqual(expected);
    expect(visibleValues({ geheim: true, steppedUp: true, values: { adresregel: null } })).toEqual({
      adresregel: null,
    });
  });
});

describe('the values of a letter', () => {
  const DOWN = new UpstreamError('brp', 'unavailable', 'down');
  /** Upstreams that know the case `o1` and its applicant; `geheim` is the answer of the BRP now. */
  const upstreams = (
    opdracht: Partial<Opdracht> | null,
    geheim: boolean | Error = false,
    registraties: readonly Registratie[] = [registratie],
  ) => {
    const answer = (bsn: string) => (geheim instanceof Error ? Promise.reject(geheim) : bsn === '999996836' && geheim);
    return {
      brieven: {
        opdracht: async ({ opdrachtId }: { opdrachtId?: string }) =>
          opdrachtId === 'o1' && opdracht ? { ...facts.opdracht, ...opdracht } : null,
      },
      register: { registraties: async () => registraties },
      brp: {
        geadresseerde: async (bsn: string) => ({ ...geadresseerde, geheim: await answer(bsn) }),
        isGeheim: answer,
      },
    } as unknown as BriefDeps;
  };
  const letter: ReadableLetter = { opdrachtId: 'o1', frozen: null, sentAt: null, placeholders: [] };
  const approved = (values: object, geheim = false, sentAt: string | null = null): ReadableLetter => ({
    ...letter,
    frozen: { values, geheim } as ApprovedLetter,
    sentAt,
  });
  const read = (deps: BriefDeps, brief: ReadableLetter) => readLetterValues(deps, brief, {} as Call);
  const WITHOUT_BSN = { indiener: { loginId: 'l1' } };

  const other: Registratie = { ...registratie, id: 'r2', naam: 'Fatima Demir' };
  it.each<[string, Partial<Opdracht>, Registratie[], string | undefined, string | null]>([
    ['has the registration', {}, [other, registratie], 'r1', 'Fatima Yılmaz'],
    ['no longer has the registration', {}, [other], undefined, 'Fatima Demir'],
    ['has another registration than a first one', { registratieId: null }, [other], undefined, 'Fatima Demir'],
    ['has no registration', { registratieId: null }, [], undefined, null],
  ])('that is not approved are the present ones: the register %s', async (_, opdracht, registraties, id, naam) => {
    const { values, facts: found } = await read(upstreams({ ...opdracht, ...WITHOUT_BSN }, true, registraties), letter);
    expect([found?.registratie?.id, found?.registerNaam, found?.geadresseerde]).toEqual([id, naam, null]);
    expect(values).toMatchObject({ naam, ...DATES_UNKNOWN, registernummer: id ? '90000011025' : null });
  });

  it.each<[boolean, Partial<Opdracht>, boolean]>([
    [true, {}, true],
    [false, {}, false],
    [true, WITHOUT_BSN, false],
  ])('that is not approved: secret in the BRP is %s, with %j it is hidden: %s', async (geheim, opdracht, hidden) => {
    expect((await read(upstreams(opdracht, geheim), letter)).geheim).toBe(hidden);
  });

  it.each([
    [['naam', 'aanhef'], ''],
    [['naam'], 'mevrouw Yılmaz'],
  ])('that is not approved, with the placeholders %j, address the person as "%s"', async (keys, expected) => {
    const def = { label: '', autoResolvable: true, fillable: false, deprecated: false };
    const { values } = await read(upstreams({}), { ...letter, placeholders: keys.map((key) => ({ ...def, key })) });
    expect(values.aanspreekvorm).toBe(expected);
  });

  it('that is not approved cannot be read when the register no longer has its case', async () => {
    await expect(read(upstreams(null), letter)).rejects.toMatchObject({ upstream: 'register', fault: 'unreadable' });
  });

  it.each<[string, object, string | null, object]>([
    ['not sent', { naam: 'A', datum_brief: null }, null, { naam: 'A', ...DATES_UNKNOWN }],
    ['sent', { datum_brief: null }, '2026-06-11T22:30:00Z', { datum_brief: '12 juni 2026' }],
    [
      'sent on 29 February',
      { datum_brief: null },
      '2028-02-29T12:00:00Z',
      { nieuwe_herregistratiedatum: '28 februari 2033' },
    ],
    ['sent, with stored dates', { datum_brief: '1 mei 2026' }, '2026-06-11T22:30:00Z', { datum_brief: '1 mei 2026' }],
  ])('that is approved are those of its approval and the dates of sending: %s', async (_, stored, sentAt, values) => {
    const expected = { values, geheim: false, facts: null };
    expect(await read(upstreams({}), approved(stored, false, sentAt))).toMatchObject(expected);
  });

  it.each<[string, boolean, Partial<Opdracht> | null, boolean | Error, boolean]>([
    ['was at the approval', true, {}, false, true],
    ['became so after it', false, {}, true, true],
    ['is not', false, {}, false, false],
    ['is unknown, because the case is gone', false, null, false, true],
    ['is unknown, because the BRP does not answer', false, {}, DOWN, true],
    ['is not, for somebody without a burgerservicenummer', false, WITHOUT_BSN, DOWN, false],
  ])('that is approved hide an address that is secret or can be: it %s', async (_, then, opdracht, now, hidden) => {
    expect((await read(upstreams(opdracht, now), approved({}, then))).geheim).toBe(hidden);
  });

  it('that is approved cannot be read after another error than one of an upstream', async () => {
    await expect(read(upstreams({}, new TypeError('wrong')), approved({}))).rejects.toThrow('wrong');
  });

  it('are those of its placeholders', () => {
    const values = { values: { naam: 'A' }, geheim: false, facts: null };
    const { use, value } = placeholdersOf({ ...letter } as Brief, values);
    expect([use('naam'), value('naam'), value('toString')]).toEqual(['vervallen', 'A', null]);
  });
});

describe('a placeholder', () => {
  const def = { label: '', autoResolvable: false, fillable: false, deprecated: false };
  const placeholders = [
    { ...def, key: 'auto', autoResolvable: true },
    { ...def, key: 'blank', fillable: true },
    { ...def, key: 'old', autoResolvable: true, deprecated: true },
    { ...def, key: 'oldBlank', fillable: true, deprecated: true },
    { ...def, key: 'neither' },
  ];
  it.each([
    ['auto', 'auto'],
    ['blank', 'fillable'],
    ['old', 'vervallen'],
    ['oldBlank', 'vervallen'],
    ['neither', 'vervallen'],
    ['unknown', 'vervallen'],
    ['__proto__', 'vervallen'],
    ['constructor', 'vervallen'],
  ])('with the key %s has the use %s', (key, expected) => {
    expect(usesOf({ placeholders })(key)).toBe(expected);
  });
});

it.each([
  ['a', '1'],
  ['b', null],
  ['c', null],
  ['__proto__', null],
  ['constructor', null],
])('the value for the key %s is %s', (key, expected) => {
  expect(valueFor({ a: '1', b: null }, key)).toBe(expected);
});

describe('the wording of a rich text', () => {
  const text = (words: string, ...marks: ('bold' | 'italic')[]): RichTextNode => ({ type: 'text', text: words, marks });
  const blank = (key: string, typed: string | null = null): RichTextNode => ({ type: 'placeholder', key, text: typed });
  const of = (...nodes: RichTextNode[]) => wording({ paragraphs: [{ nodes, list: null }] });

  it.each<[string, 'is equal to' | 'differs from', RichTextNode[], RichTextNode[]]>([
    ['divided over other nodes', 'is equal to', [text('ab')], [text('a'), text(''), text('b')]],
    ['with marks in another order', 'is equal to', [text('a', 'bold', 'italic')], [text('a', 'italic', 'bold')]],
    ['with another value in a placeholder', 'is equal to', [blank('x', '1')], [blank('x', '2')]],
    ['with an extra space', 'differs from', [text('a')], [text('a ')]],
    ['with an extra mark', 'differs from', [text('a')], [text('a', 'bold')]],
    ['with a mark on a part of the text', 'differs from', [text('ab')], [text('a'), text('b', 'bold')]],
    ['with another placeholder', 'differs from', [blank('x')], [blank('y')]],
    ['with words on the other side', 'differs from', [text('ab'), blank('x')], [text('a'), blank('x'), text('b')]],
    ['with words that look like a placeholder', 'differs from', [blank('x')], [text('["placeholder","x"]')]],
    ['with a line break', 'differs from', [text('ab')], [text('a'), { type: 'lineBreak' }, text('b')]],
  ])('of the text $0 $1 the original wording', (_, result, one, other) => {
    expect(of(...one) === of(...other)).toBe(result === 'is equal to');
  });

  it('differs when paragraphs are joined or turned into a list', () => {
    const a = { nodes: [text('a')], list: null };
    expect(wording({ paragraphs: [a, a] })).not.toBe(of(text('aa')));
    expect(wording({ paragraphs: [a] })).not.toBe(wording({ paragraphs: [{ ...a, list: 'bullet' }] }));
  });
});

it('the table of transitions equals the table of domain.md 4.8', () => {
  expect(Object.entries(TRANSITIONS).map(([action, { from, to }]) => `${action}: ${from.join('|')} → ${to}`)).toEqual([
    'save: draft|rejected → draft',
    'submit: draft|rejected → submitted',
    'approve: submitted → approved',
    'reject: submitted → rejected',
    'send: approved → sent',
    'reset: draft|submitted|approved|rejected|sent → draft',
  ]);
});
