import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sentenceOf, WORDINGS } from '../../../simulator/reasons/index.ts';

const textOf = (pattern: string): string =>
  globSync(pattern)
    .filter((file) => file !== 'src/domain/rule.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
const namesIn = (source: string, pattern: RegExp): string[] =>
  [...source.matchAll(pattern)].map(([, name = '']) => name);

const src = textOf('src/**/*.ts');
/** The functions given to `rule`, whose names the journal shows. */
const functions = namesIn(src, /\brule\(\s*(?:'[^']*'|[\w.]+),\s*function (\w+)/g);
const REPORTED = /\brule: '([^']+)'/g;
/** The names that are reported as text, for a refusal without a function given to `rule`. */
const reported = namesIn(src, REPORTED);

const TRUUS = {
  naam: 'Truus Visser',
  geboortedatum: '1959-02-17',
  adres: { straat: 'Merelstraat 3', postcode: '8913 AG', woonplaats: 'Leeuwarden' },
  overleden: false,
  verblijftNietOpAdres: false,
  geheim: false,
};

describe('the name of a rule in the journal', () => {
  it('is the name of the constant that the rule is assigned to', () => {
    const constants = namesIn(src, /\bconst (\w+)(?:: \w+)? = rule\(/g);
    expect(functions.length).toBeGreaterThan(25);
    expect(functions).toEqual(constants);
  });

  it('is the name of a function or constant, where it is reported as text', () => {
    const declared = new Set(namesIn(src, /^(?:export )?(?:async )?(?:function|const) (\w+)/gm));
    expect(reported.length).toBeGreaterThan(8);
    expect(reported.filter((name) => !declared.has(name))).toEqual([]);
  });

  it('is declared once in the sources', () => {
    const declared = namesIn(src, /^(?:export )?(?:async )?(?:function|const) (\w+)/gm);
    const names = [...functions, ...new Set(reported)];
    expect(names.filter((name) => declared.indexOf(name) !== declared.lastIndexOf(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the Dutch sentence of a rule', () => {
  const inSimulator = namesIn(textOf('simulator/service/*.ts'), REPORTED);
  const names = [...new Set([...functions, ...reported, ...inSimulator])].sort();

  it('exists for every rule in the sources, and for nothing else', () => {
    expect(names.length).toBeGreaterThan(40);
    expect(Object.keys(WORDINGS).sort(), 'the sentences in simulator/reasons/').toEqual(names);
  });

  const registratie = {
    beroep: 'verpleegkundige',
    registratiedatum: '2010-11-10',
    uhd: '2026-10-01',
    status: { tag: 'Geregistreerd' },
    specialistTot: null,
    lopendeHerregistratie: null,
  };
  const late = {
    registraties: [registratie],
    today: '2026-10-02',
    asked: { uren: 1_400 },
    running: null,
    documents: [],
  };
  const errors = (...codes: string[]) =>
    codes.map((code) => ({ code, pointer: '', detail: `Dat kan niet om ${code}.` }));

  const CONTRADICTS = { geweigerd: 'besluit-tegenstrijdig' };
  const NOT_SENT = { geweigerd: 'verzending-geweigerd' };
  const FOUR_EYES = { geweigerd: 'vier-ogen' };
  /** What the letter decides, and what was decided before (on 1 June), on a day. */
  const besluit = (used: readonly string[], decided: string | null, today = '2026-06-01') => ({
    decided: decided && { uitkomst: decided, datum: '2026-06-01' },
    today,
    used: used.map((uitkomst) => ({ uitkomst })),
  });
  const sending = { referentie: 'HER-2026-000118', kanaal: 'post' };
  /** An approval by admin-ali of a letter that these people wrote and submitted. */
  const approval = (drafterId: string, submittedBy: string, submitters: string[]) => {
    const subject = 'admin-ali@w';
    return { action: 'approve', subject, drafterId, savedBy: [drafterId], submitters, submittedBy };
  };

  it.each<[string, string, unknown, unknown, string]>([
    [
      'a renewal after the last date and with too few hours',
      'checkHerregistratieRequest',
      late,
      { geweigerd: 'niet-herregistreerbaar', errors: errors('niet-herregistreerbaar', 'urennorm-niet-gehaald', 'x') },
      'Geweigerd, omdat 2 oktober 2026 na de uiterste datum 1 oktober 2026 ligt en omdat 1.400 uur minder is dan de norm van 2.080 uur en er geen bewijs van scholing bij zit en omdat geldt: “Dat kan niet om x”.',
    ],
    [
      'a renewal by somebody without a registration, with too few hours',
      'checkHerregistratieRequest',
      { ...late, registraties: [] },
      { geweigerd: 'niet-herregistreerbaar', errors: errors('niet-herregistreerbaar', 'urennorm-niet-gehaald') },
      'Geweigerd, omdat er geen registratie is en omdat 1.400 uur minder is dan de norm van 2.080 uur en er geen bewijs van scholing bij zit.',
    ],
    [
      'a renewal with too few hours in a profession with a higher norm',
      'checkHerregistratieRequest',
      { ...late, registraties: [{ ...registratie, beroep: 'psychotherapeut' }] },
      { geweigerd: 'urennorm-niet-gehaald', errors: errors('urennorm-niet-gehaald') },
      'Geweigerd, omdat 1.400 uur minder is dan de norm van 3.120 uur en er geen bewijs van scholing bij zit.',
    ],
    [
      'an approval by someone who only submitted the letter',
      'demandFourEyes',
      approval('dana@w', 'admin-ali@w', ['admin-ali@w']),
      FOUR_EYES,
      'Geweigerd, omdat admin-ali de brief zelf voorlegde.',
    ],
    [
      'an approval by someone who wrote the letter',
      'demandFourEyes',
      approval('admin-ali@w', 'dana@w', ['admin-ali@w', 'dana@w']),
      FOUR_EYES,
      'Geweigerd, omdat admin-ali de brief zelf opstelde, wijzigde en voorlegde.',
    ],
    [
      'a letter that decides two ways',
      'checkBesluit',
      besluit(['toewijzen', 'afwijzen'], null),
      CONTRADICTS,
      'Geweigerd, omdat de brief twee kanten op besluit: toewijzen en afwijzen.',
    ],
    [
      'a letter that does not decide, about an undecided case',
      'checkBesluit',
      besluit([], null),
      CONTRADICTS,
      'Geweigerd, omdat de brief nog geen besluit neemt.',
    ],
    [
      'a letter with another outcome than its case',
      'checkBesluit',
      besluit(['toewijzen'], 'afwijzen'),
      CONTRADICTS,
      'Geweigerd, omdat de brief “toewijzen” besluit en op de zaak al “afwijzen” is besloten.',
    ],
    [
      'a letter with another reason than the decision of that day',
      'checkBesluit',
      besluit(['afwijzen'], 'afwijzen'),
      CONTRADICTS,
      'Geweigerd, omdat de brief een andere reden geeft dan het besluit op de zaak.',
    ],
    [
      'a letter about a case that was decided before',
      'checkBesluit',
      besluit(['toewijzen'], 'toewijzen', '2026-06-20'),
      CONTRADICTS,
      'Geweigerd, omdat op de zaak al is besloten op 1 juni 2026.',
    ],
    [
      'a letter that asks for evidence about a decided case',
      'checkBesluit',
      besluit([], 'toewijzen', '2026-06-20'),
      CONTRADICTS,
      'Geweigerd, omdat de brief geen besluit neemt en op de zaak al “toewijzen” is besloten.',
    ],
    [
      'a letter whose text does not depend on the last date for renewal',
      'checkUhd',
      { uhd: '2026-08-13', today: '2026-06-01', used: [] },
      {},
      'De tekst klopt op elke dag, omdat hij niet van de uiterste herregistratiedatum afhangt.',
    ],
    [
      'a letter with a text until the last date for renewal, on a day before it',
      'checkUhd',
      { uhd: '2026-08-13', today: '2026-06-01', used: [{ passageId: 'p', uhd: 'loopt' }] },
      {},
      'De tekst klopt vandaag, bij een uiterste herregistratiedatum van 13 augustus 2026.',
    ],
    [
      'a letter that was approved with a text that is no longer right',
      'demandBriefAccepted',
      { ...sending, uiterlijk: '2026-08-13', today: '2026-08-20' },
      NOT_SENT,
      'Geweigerd, omdat het register de brief over HER-2026-000118 niet aannam: de tekst gold tot en met 13 augustus 2026.',
    ],
    [
      'a letter that the register refused on the last day on which its text is right',
      'demandBriefAccepted',
      { ...sending, uiterlijk: '2026-08-13', today: '2026-08-13' },
      NOT_SENT,
      'Geweigerd, omdat het register de brief over HER-2026-000118 niet aannam.',
    ],
    [
      'a letter that the register refused, with a text that stays right',
      'demandBriefAccepted',
      { ...sending, uiterlijk: null, today: '2026-08-13' },
      NOT_SENT,
      'Geweigerd, omdat het register de brief over HER-2026-000118 niet aannam.',
    ],
    [
      'a dashboard with a person from the BRP whose address is secret',
      'toPerson',
      { brp: { naam: 'Sanne de Wit', geheim: true }, register: null },
      {},
      'Naam en adres komen uit de BRP, omdat de BRP Sanne de Wit kent (het adres is geheim).',
    ],
    [
      'a dashboard without an answer of the BRP, of somebody whom the register does not know either',
      'toPerson',
      { brp: 'geen antwoord', register: null },
      {},
      'De gegevens komen nergens vandaan, omdat de BRP niet antwoordde.',
    ],
    [
      'a dashboard without an answer of the BRP',
      'toPerson',
      { brp: 'geen antwoord', register: 'Sanne de Wit' },
      {},
      'De gegevens komen uit het register, omdat de BRP niet antwoordde.',
    ],
    [
      'a dashboard without an address',
      'toPerson',
      { brp: { ...TRUUS, overleden: true }, register: null },
      {},
      'De naam komt uit de BRP, omdat de BRP Truus Visser kent.',
    ],
    [
      'the address of a deceased person',
      'toBrpAddress',
      { hasBsn: true, persoon: { ...TRUUS, overleden: true } },
      { gevonden: false, adres: null },
      'Er is geen adres, omdat de persoon volgens de BRP is overleden.',
    ],
    [
      'the address of a person abroad whose address is secret',
      'toBrpAddress',
      { hasBsn: true, persoon: { ...TRUUS, adres: null, geheim: true } },
      { gevonden: false, adres: null },
      'Er is geen adres, omdat de BRP geen woonadres in Nederland heeft.',
    ],
    [
      'a repeated request',
      'demandOwnKey',
      { referentie: 'HER-2026-010001', nieuw: false },
      'HER-2026-010001',
      'Het register gaf weer nummer HER-2026-010001, omdat het deze aanvraag al had ontvangen.',
    ],
    ['an unknown rule', 'unknownRule', {}, {}, null as never],
    ['a refusal by an unknown rule', 'unknownRule', {}, FOUR_EYES, null as never],
  ])('explains %s', (_, rule, facts, outcome, sentence) => {
    expect(sentenceOf({ rule, facts, outcome })).toBe(sentence);
  });
});
