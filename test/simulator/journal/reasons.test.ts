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
  const refused = (...codes: string[]) => ({
    geweigerd: codes[0],
    errors: codes.map((code) => ({ code, pointer: '', detail: `Dat kan niet om ${code}.` })),
  });

  const NOT_SENT = { geweigerd: 'verzending-geweigerd' };
  const FOUR_EYES = { geweigerd: 'vier-ogen' };
  const sending = { referentie: 'HER-2026-000118', kanaal: 'post' };
  /** An approval by admin-ali of a letter that these people wrote and submitted. */
  const approval = (drafterId: string, submittedBy: string, submitters: string[]) => {
    const subject = 'admin-ali@w';
    return { action: 'approve', subject, drafterId, savedBy: [drafterId], submitters, submittedBy };
  };

  type Sentence = readonly [what: string, facts: unknown, sentence: string | null];
  const explains = (rule: string, outcome: unknown, rows: readonly Sentence[]) =>
    it.each(rows)('explains %s', (_, facts, sentence) => {
      expect(sentenceOf({ rule, facts, outcome })).toBe(sentence);
    });
  explains('checkHerregistratieRequest', refused('niet-herregistreerbaar', 'urennorm-niet-gehaald', 'x'), [
    [
      'a renewal after the last date and with too few hours',
      late,
      'Geweigerd, omdat 2 oktober 2026 na de uiterste datum 1 oktober 2026 ligt en omdat 1.400 uur minder is dan de norm van 2.080 uur en er geen bewijs van scholing bij zit en omdat geldt: “Dat kan niet om x”.',
    ],
  ]);
  explains('checkHerregistratieRequest', refused('niet-herregistreerbaar', 'urennorm-niet-gehaald'), [
    [
      'a renewal by somebody without a registration, with too few hours',
      { ...late, registraties: [] },
      'Geweigerd, omdat er geen registratie is en omdat 1.400 uur minder is dan de norm van 2.080 uur en er geen bewijs van scholing bij zit.',
    ],
  ]);
  explains('checkHerregistratieRequest', refused('urennorm-niet-gehaald'), [
    [
      'a renewal with too few hours in a profession with a higher norm',
      { ...late, registraties: [{ ...registratie, beroep: 'psychotherapeut' }] },
      'Geweigerd, omdat 1.400 uur minder is dan de norm van 3.120 uur en er geen bewijs van scholing bij zit.',
    ],
  ]);
  explains('demandFourEyes', FOUR_EYES, [
    [
      'an approval by someone who only submitted the letter',
      approval('dana@w', 'admin-ali@w', ['admin-ali@w']),
      'Geweigerd, omdat admin-ali de brief zelf voorlegde.',
    ],
    [
      'an approval by someone who wrote the letter',
      approval('admin-ali@w', 'dana@w', ['admin-ali@w', 'dana@w']),
      'Geweigerd, omdat admin-ali de brief zelf opstelde, wijzigde en voorlegde.',
    ],
  ]);
  explains('checkBesluit', { geweigerd: 'besluit-tegenstrijdig', errors: [{ detail: '“Toewijzing” past niet.' }] }, [
    [
      'a letter with a text that does not fit its decision',
      { decided: null, used: [{ uitkomst: 'afwijzen' }] },
      'Geweigerd, omdat geldt: “‘Toewijzing’ past niet”.',
    ],
  ]);
  explains('checkUhd', {}, [
    [
      'a letter whose text does not depend on the last date for renewal',
      { uhd: '2026-08-13', today: '2026-06-01', used: [] },
      'De tekst klopt op elke dag, omdat hij niet van de uiterste herregistratiedatum afhangt.',
    ],
    [
      'a letter with a text until the last date for renewal, on a day before it',
      { uhd: '2026-08-13', today: '2026-06-01', used: [{ passageId: 'p', uhd: 'loopt' }] },
      'De tekst klopt vandaag, bij een uiterste herregistratiedatum van 13 augustus 2026.',
    ],
  ]);
  explains('demandBriefAccepted', NOT_SENT, [
    [
      'a letter that was approved with a text that is no longer right',
      { ...sending, uiterlijk: '2026-08-13', today: '2026-08-20' },
      'Geweigerd, omdat het register de brief over HER-2026-000118 niet aannam: de tekst gold tot en met 13 augustus 2026.',
    ],
    [
      'a letter that the register refused on the last day on which its text is right',
      { ...sending, uiterlijk: '2026-08-13', today: '2026-08-13' },
      'Geweigerd, omdat het register de brief over HER-2026-000118 niet aannam.',
    ],
    [
      'a letter that the register refused, with a text that stays right',
      { ...sending, uiterlijk: null, today: '2026-08-13' },
      'Geweigerd, omdat het register de brief over HER-2026-000118 niet aannam.',
    ],
  ]);
  explains('toPerson', {}, [
    [
      'a dashboard with a person from the BRP whose address is secret',
      { brp: { naam: 'Sanne de Wit', geheim: true }, register: null },
      'Naam en adres komen uit de BRP, omdat de BRP Sanne de Wit kent (het adres is geheim).',
    ],
    [
      'a dashboard without an answer of the BRP, of somebody whom the register does not know either',
      { brp: 'geen antwoord', register: null },
      'De gegevens komen nergens vandaan, omdat de BRP niet antwoordde.',
    ],
    [
      'a dashboard without an answer of the BRP',
      { brp: 'geen antwoord', register: 'Sanne de Wit' },
      'De gegevens komen uit het register, omdat de BRP niet antwoordde.',
    ],
    [
      'a dashboard without an address',
      { brp: { ...TRUUS, overleden: true }, register: null },
      'De naam komt uit de BRP, omdat de BRP Truus Visser kent.',
    ],
  ]);
  explains('toBrpAddress', { gevonden: false, adres: null }, [
    [
      'the address of a deceased person',
      { hasBsn: true, persoon: { ...TRUUS, overleden: true } },
      'Er is geen adres, omdat de persoon volgens de BRP is overleden.',
    ],
    [
      'the address of a person abroad whose address is secret',
      { hasBsn: true, persoon: { ...TRUUS, adres: null, geheim: true } },
      'Er is geen adres, omdat de BRP geen woonadres in Nederland heeft.',
    ],
  ]);
  explains('demandAlive', 'toegestaan', [
    [
      'a draft of somebody whose death the register does not have',
      { registraties: [], deceased: false },
      'Het concept kan beginnen, omdat het register niets weet van een overlijden.',
    ],
    [
      'a draft without an answer of the register',
      { registraties: 'geen antwoord', deceased: false },
      'Het concept kan beginnen: het register antwoordde niet, en bij het indienen wordt opnieuw gevraagd of deze persoon leeft.',
    ],
  ]);
  explains('demandOwnKey', 'HER-2026-010001', [
    [
      'a repeated request',
      { referentie: 'HER-2026-010001', nieuw: false },
      'Het register gaf weer nummer HER-2026-010001, omdat het deze aanvraag al had ontvangen.',
    ],
  ]);
  const sent = { id: 'a', referentie: null };
  const zaken = [{ referentie: 'HER-2026-010001' }];
  explains(
    'refreshFromRegister',
    [{ ...sent, referentie: 'HER-2026-010001' }],
    [
      [
        'a request of which the answer was lost',
        { open: [sent], zaken },
        'Het register kende aanvraag HER-2026-010001 al: de poging zonder antwoord was aangekomen.',
      ],
      [
        'a request that the service knew',
        { open: [{ ...sent, referentie: 'HER-2026-010001' }], zaken },
        'Van 1 open aanvraag loopt er nog 1, omdat het register 1 zaak meldt.',
      ],
      [
        'another request that waits for an answer',
        { open: [{ id: 'b', referentie: null }], zaken },
        'Van 1 open aanvraag loopt er nog 1, omdat het register 1 zaak meldt.',
      ],
    ],
  );
  explains('unknownRule', {}, [['an unknown rule', {}, null]]);
  explains('unknownRule', FOUR_EYES, [['a refusal by an unknown rule', {}, null]]);
});
