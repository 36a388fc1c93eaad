import { describe, expect, it } from 'vitest';
import { toPerson, toRegistration } from '../../src/dashboard/rules.ts';
import { maskRegisterNummer } from '../../src/domain/identifiers.ts';
import { checkHerregistratie, currentRegistration, reasonAgainst } from '../../src/domain/registraties.ts';
import { livesInNederland } from '../../src/domain/woonadres.ts';
import type { Persoon } from '../../src/ports/brp.ts';
import type { Registratie } from '../../src/ports/register.ts';
import { registratie } from '../support/registration.ts';

it.each([
  ['2026-03-29', 'Wij nemen uw aanvraag om herregistratie in behandeling vanaf 30 maart 2026.'],
  ['2026-03-30', null],
  ['2026-03-31', null],
  ['2026-09-29', null],
  ['2026-09-30', null],
  ['2026-10-01', 'De uiterste herregistratiedatum, 30 september 2026, is verstreken.'],
])(
  'herregistratie, with a uiterste herregistratiedatum of 30 September 2026 on %s gives the reason: %s',
  (today, reason) => {
    expect(checkHerregistratie({ registratie: registratie(), today: today })).toEqual({
      eligibleForHerregistratie: reason === null,
      herregistratieReason: reason,
    });
  },
);

const isEligible = (uhd: string, today: string) =>
  checkHerregistratie({ registratie: registratie({ uhd }), today }).eligibleForHerregistratie;
it.each([
  ['2028-08-31', '2028-02-28', '2028-02-29'],
  ['2027-08-31', '2027-02-27', '2027-02-28'],
  ['2028-08-29', '2028-02-28', '2028-02-29'],
  ['2024-02-29', '2023-08-28', '2023-08-29'],
  ['2026-12-31', '2026-06-29', '2026-06-30'],
])(
  'herregistratie, six months before the end of a month with a UHD of %s is not possible on %s, and possible on %s',
  (uhd, dayBefore, opens) => {
    expect(isEligible(uhd, dayBefore)).toBe(false);
    expect(isEligible(uhd, opens)).toBe(true);
  },
);

describe('herregistratie, on 1 June 2026', () => {
  const struckOff = { tag: 'Doorgehaald', op: '2026-01-15', reden: 'Op eigen verzoek' } as const;
  const suspended = { tag: 'Geschorst', tot: '2026-12-01', reden: null } as const;
  const running = { referentie: 'HER-2026-000001' };
  const RUNS = 'Uw aanvraag HER-2026-000001 loopt.';
  const STRUCK_OFF = 'Uw registratie is doorgehaald op 15 januari 2026.';
  const SPECIALIST = 'U staat geregistreerd als specialist; herregistratie is voor u niet nodig.';
  it.each<[string, Partial<Registratie>, string]>([
    ['who is struck off and a specialist', { status: struckOff, specialistTot: '2030-01-01' }, STRUCK_OFF],
    ['who is suspended, with a request in progress', { status: suspended, lopendeHerregistratie: running }, RUNS],
    [
      'who is a specialist, with a request in progress',
      { specialistTot: '2030-01-01', lopendeHerregistratie: running },
      SPECIALIST,
    ],
    ['with a request in progress, after the deadline', { lopendeHerregistratie: running, uhd: '2026-05-01' }, RUNS],
    ['who is struck off without a date', { status: { ...struckOff, op: null } }, 'Uw registratie is doorgehaald.'],
    ['who is a specialist and has no deadline', { uhd: null, specialistTot: '2030-01-01' }, SPECIALIST],
    [
      'who is a specialist until today, long before the deadline',
      { uhd: '2027-12-31', specialistTot: '2026-06-01' },
      SPECIALIST,
    ],
    ['whose registration has no deadline', { uhd: null }, 'Voor uw registratie geldt geen herregistratie.'],
    ['with a request without a reference', { lopendeHerregistratie: { referentie: '' } }, 'Uw aanvraag loopt.'],
    ['of unknown status', { status: { tag: 'Onbekend' } }, 'De status van uw registratie is niet bekend.'],
  ])('of a professional %s is refused with the first reason in the order of domain.md 4.2', (_, over, reason) => {
    expect(checkHerregistratie({ registratie: registratie(over), today: '2026-06-01' })).toEqual({
      eligibleForHerregistratie: false,
      herregistratieReason: reason,
    });
  });

  it.each<[Partial<Registratie>, string]>([
    [{ status: struckOff }, 'Your registration was struck off on 2026-01-15.'],
    [{ status: { ...struckOff, op: null } }, 'Your registration was struck off.'],
    [{ lopendeHerregistratie: running }, 'Your request HER-2026-000001 is in progress.'],
    [{ lopendeHerregistratie: { referentie: '' } }, 'Your request is in progress.'],
  ])('is refused with a reason in English too: %j', (over, english) => {
    expect(reasonAgainst({ registratie: registratie(over), today: '2026-06-01' })?.english).toBe(english);
  });

  it.each([
    ['until a date', suspended],
    ['without an end', { ...suspended, tot: null }],
  ])('is possible with a suspension %s', (_, status) => {
    expect(checkHerregistratie({ registratie: registratie({ status }), today: '2026-06-01' })).toEqual({
      eligibleForHerregistratie: true,
      herregistratieReason: null,
    });
  });

  it('is not possible without a registration', () => {
    expect(checkHerregistratie({ registratie: null, today: '2026-06-01' }).herregistratieReason).toBe(
      'U hebt geen registratie.',
    );
  });
});

describe('a specialist with a uiterste herregistratiedatum of 30 September 2026', () => {
  const SPECIALIST = 'U staat geregistreerd als specialist; herregistratie is voor u niet nodig.';
  it.each([
    // The specialist registration ends later: it decides.
    ['2029-07-01', '2026-09-30', SPECIALIST],
    ['2029-07-01', '2026-10-01', SPECIALIST],
    ['2029-07-01', '2028-12-31', SPECIALIST],
    ['2029-07-01', '2029-01-01', null],
    ['2029-07-01', '2029-07-01', null],
    ['2029-07-01', '2029-07-02', 'De uiterste herregistratiedatum, 1 juli 2029, is verstreken.'],
    // It ends sooner: the UHD decides, with its whole window.
    ['2026-06-01', '2026-03-29', SPECIALIST],
    ['2026-06-01', '2026-03-30', null],
    ['2026-06-01', '2026-09-30', null],
    ['2026-06-01', '2026-10-01', 'De uiterste herregistratiedatum, 30 september 2026, is verstreken.'],
    ['2026-01-01', '2026-02-01', 'Wij nemen uw aanvraag om herregistratie in behandeling vanaf 30 maart 2026.'],
  ])('whose specialist registration ends on %s gets on %s the reason: %s', (specialistTot, today, reason) => {
    expect(checkHerregistratie({ registratie: registratie({ specialistTot }), today }).herregistratieReason).toBe(
      reason,
    );
  });
});

describe('the registration that the dashboard shows, on 1 June 2026', () => {
  const today = '2026-06-01';
  const of = (id: string, over: Partial<Registratie>) => registratie({ id, uhd: '2028-01-01', ...over });
  const status = { tag: 'Doorgehaald', op: '2025-01-01', reden: null } as const;
  const struckOff = of('old', { registratiedatum: '2020-01-01', status });
  const older = of('older', { ...struckOff, registratiedatum: '2011-01-01' });
  const standing = of('standing', { registratiedatum: '2010-01-01' });
  const later = of('later', { registratiedatum: '2015-01-01', uhd: '2029-01-01' });
  const specialist = of('specialist', { uhd: '2027-12-31', specialistTot: '2030-01-01' });
  const suspended = of('suspended', { uhd: '2027-01-01', status: { tag: 'Geschorst', tot: null, reden: null } });
  const open = of('open', { uhd: '2026-08-01' });
  const passed = of('passed', { uhd: '2026-05-01' });
  const sooner = of('sooner', { uhd: '2026-07-01' });
  const running = of('running', { uhd: '2029-01-01', lopendeHerregistratie: { referentie: 'HER-2026-000001' } });
  it.each([
    ['undefined when there is none', [], undefined],
    ['a valid one before a newer one that is struck off', [struckOff, standing], 'standing'],
    ['the one with the nearest effective UHD of several valid ones', [later, specialist, standing], 'standing'],
    ['one that is suspended when its UHD is nearest', [standing, suspended], 'suspended'],
    ['one that can be re-registered now before all others', [standing, open, struckOff], 'open'],
    ['one that can be re-registered now before one whose UHD has passed', [passed, open], 'open'],
    ['the one with the nearest UHD of two that can be re-registered now', [open, sooner], 'sooner'],
    ['one that can be re-registered now before one with a request in progress', [later, running, sooner], 'sooner'],
    ['one with a request in progress before one that cannot be re-registered now', [standing, running], 'running'],
    ['the newest of several that are struck off', [older, struckOff], 'old'],
  ])('is %s', (_, registraties, id) => {
    expect(currentRegistration({ registraties, today })?.id).toBe(id);
    expect(currentRegistration({ registraties: [...registraties].reverse(), today })?.id).toBe(id);
  });
});

describe('the RegistrationDto', () => {
  it.each([
    [
      { tag: 'Geregistreerd' } as const,
      { herregistratieDatum: '2026-09-30', geschorstTot: null, reden: null, doorgehaaldOp: null },
    ],
    [
      { tag: 'Geschorst', tot: '2026-12-01', reden: 'Schorsing door het tuchtcollege' } as const,
      {
        herregistratieDatum: '2026-09-30',
        geschorstTot: '2026-12-01',
        reden: 'Schorsing door het tuchtcollege',
        doorgehaaldOp: null,
      },
    ],
    [
      { tag: 'Doorgehaald', op: '2025-01-01', reden: 'Tuchtmaatregel' } as const,
      { herregistratieDatum: null, geschorstTot: null, reden: 'Tuchtmaatregel', doorgehaaldOp: '2025-01-01' },
    ],
  ])('has only the members of the status of its registration: $tag', (status, expected) => {
    expect(toRegistration(registratie({ status }), '*********30').status).toEqual({ tag: status.tag, ...expected });
  });

  it('has no status when the service does not know the status of its registration', () => {
    expect(toRegistration(registratie({ status: { tag: 'Onbekend' } }), null).status).toBeNull();
  });

  it('has the end of a later specialist registration as date, because that is the deadline', () => {
    const { status } = toRegistration(registratie({ specialistTot: '2029-07-01' }), null);
    expect(status?.herregistratieDatum).toBe('2029-07-01');
  });

  it('shows only the last two digits of the register number, and the whole number after a step-up', () => {
    const registerNummer = '90000010130';
    expect(maskRegisterNummer({ registerNummer, steppedUp: false })).toEqual({ registerNummer: '*********30' });
    expect(maskRegisterNummer({ registerNummer, steppedUp: true })).toEqual({ registerNummer });
    expect(maskRegisterNummer({ registerNummer: null, steppedUp: false })).toEqual({ registerNummer: null });
  });
});

const adres = { straat: 'Merelstraat 18', postcode: '3514 CN', woonplaats: 'Utrecht' };
const persoon = (over: Partial<Persoon> = {}): Persoon => ({
  naam: 'S. de Wit',
  geboortedatum: null,
  adres,
  inNederland: true,
  overleden: false,
  verblijftNietOpAdres: false,
  geheim: false,
  ...over,
});

describe('the person on the dashboard', () => {
  const NAME_ONLY = { naam: 'S. de Wit', geboortedatum: null, adres: null };
  it.each<[string, Persoon | null, object | null]>([
    ['the BRP, also when it has less data', persoon(), { naam: 'S. de Wit', geboortedatum: null, adres }],
    ['the BRP without a name', persoon({ naam: null }), { naam: null, geboortedatum: null, adres }],
    ['the BRP, without the address of a deceased person', persoon({ overleden: true }), NAME_ONLY],
    ['the BRP, without an address where the person does not live', persoon({ verblijftNietOpAdres: true }), NAME_ONLY],
    ['the register without such a person', null, { naam: 'Sanne de Wit', geboortedatum: '1988-03-14', adres: null }],
  ])('has the name and address of %s', (_, found, expected) => {
    expect(toPerson({ registratie: registratie(), persoon: found })).toEqual(expected);
  });

  it('has the name and the birth date of the register when the BRP may not give them', () => {
    const found = persoon({ naam: undefined, geboortedatum: undefined });
    const fromRegister = { naam: 'Sanne de Wit', geboortedatum: '1988-03-14', adres };
    expect(toPerson({ registratie: registratie(), persoon: found })).toEqual(fromRegister);
    expect(toPerson({ registratie: null, persoon: found })).toEqual({ naam: null, geboortedatum: null, adres });
  });

  it('is null when register and BRP do not have the person', () => {
    expect(toPerson({ registratie: null, persoon: null })).toBeNull();
  });

  it('has empty members when only the BRP could have the person and does not answer', () => {
    expect(toPerson({ registratie: null, persoon: undefined })).toEqual({ ...NAME_ONLY, naam: null });
    expect(toPerson({ registratie: registratie(), persoon: undefined })?.naam).toBe('Sanne de Wit');
  });
});

it.each<[boolean, string, Persoon | null]>([
  [true, 'at a Dutch address', persoon()],
  [true, 'in the Netherlands without an address, such as a houseboat', persoon({ adres: null })],
  [false, 'in another country', persoon({ adres: null, inNederland: false })],
  [false, 'of a deceased person', persoon({ overleden: true })],
  [false, 'where the person does not live', persoon({ verblijftNietOpAdres: true })],
  [false, 'of a person whom the BRP does not have', null],
])('a residence in the Netherlands is %s for one %s', (expected, _, found) => {
  expect(livesInNederland(found)).toBe(expected);
});
