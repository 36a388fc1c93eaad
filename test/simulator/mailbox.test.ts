/**
 * Generates lives of people with one or two professions, with specialist registrations, suspensions and requests, and
 * checks their mailbox: each sentence of fact has its event, and no registration ends in another way than the law has it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRegistratie } from '../../adapters/register/map.ts';
import { BEROEP_BY_CODE, type RegistratieWire } from '../../adapters/register/wire.ts';
import { correspondenceOf, type SentLetter } from '../../simulator/correspondence/index.ts';
import { registerOnDay, registratiesOn, zakenOn } from '../../simulator/correspondence/register-on-day.ts';
import { deadlineOf } from '../../simulator/correspondence/term.ts';
import { documentsOf, type RequestOfResident } from '../../simulator/upstreams/register/besluiten.ts';
import type { ResidentInWorld, World } from '../../simulator/worlds/index.ts';
import { checkHerregistratie } from '../../src/domain/registraties.ts';
import { hasSpecialismen } from '../../src/domain/specialismen.ts';
import { workdayFrom } from '../../src/domain/workdays.ts';
import { longDate, plusDays, plusYears } from '../../src/wire/dates.ts';
import { casesOf, EVERY_CASE } from '../support/cases.ts';
import { controlOf } from '../support/control.ts';
import { pdf } from '../support/files.ts';
import { upload } from '../support/multipart.ts';
import { personOn } from '../support/resident.ts';
import { TODAY, useService } from '../support/service.ts';

const at = (days: number) => plusDays(TODAY, days);

/** A registration; the numbers are days from the first day. */
const REGISTRATION = fc.record({
  uhd: fc.integer({ min: 1, max: 400 }),
  specialist: fc.option(fc.integer({ min: -200, max: 700 }), { freq: 2 }),
  status: fc.constantFrom(null, null, 'geschorst' as const, 'doorgehaald' as const),
  reden: fc.constantFrom('Op eigen verzoek', 'Tuchtmaatregel'),
});
const REQUEST = fc.record({
  soort: fc.constantFrom('herregistratie', 'herregistratie', 'registratie', 'adreswijziging', 'intake'),
  /** The day of the request; of half the renewals, the number of days before the deadline. */
  day: fc.integer({ min: 0, max: 600 }),
  isLate: fc.boolean(),
  about: fc.nat(1),
  /** The days until a case handler decides; null for an automatic decision. */
  takes: fc.option(fc.integer({ min: 0, max: 120 }), { freq: 4 }),
  uitkomst: fc.constantFrom('goedgekeurd' as const, 'afgewezen' as const, 'buiten-behandeling' as const),
  uren: fc.constantFrom(1_000, 4_000),
  documents: fc.subarray(['scholingsbewijs', 'werkervaring']),
  channel: fc.constantFrom('digital', 'post'),
  herkomst: fc.constantFrom('duo', 'handmatig', 'buitenland'),
  diploma: fc.integer({ min: -4_000, max: 0 }),
});
const LIFE = fc.record({
  berichtenbox: fc.boolean(),
  codes: fc.uniqueArray(fc.constantFrom('30', '01', '81', '25', '17'), { minLength: 1, maxLength: 2 }),
  registrations: fc.tuple(REGISTRATION, REGISTRATION),
  requests: fc.array(REQUEST, { maxLength: 5 }),
});
type Life = typeof LIFE extends fc.Arbitrary<infer T> ? T : never;

const LAST_DAY = at(1_000);

const isEligible = (registratie: RegistratieWire, today: string) =>
  checkHerregistratie({ registratie: toRegistratie(registratie), today }).eligibleForHerregistratie;
const isStanding = ({ status }: RegistratieWire) => status.soort !== 'doorgehaald';

/** Makes the requests that the rules allow on their day, and returns the person on the last day. */
function live({ berichtenbox, codes, registrations, requests }: Life): { world: World; found: ResidentInWorld } {
  const slug = 'sanne-de-wit';
  const { state, world, found: known } = personOn(slug, LAST_DAY);
  const registraties = codes.map((beroepCode, index) => {
    const { uhd, specialist, status, reden } = registrations[index] ?? registrations[0];
    return {
      // The number tells who was ever suspended.
      nummer: `90000099${status === 'geschorst' ? 8 : 9}${beroepCode}`,
      beroepCode,
      sinds: plusYears(at(uhd), -5),
      uhd: at(uhd),
      status:
        status === 'geschorst'
          ? ({ soort: status, op: at(-20), tot: at(100), reden: 'Schorsing door het tuchtcollege' } as const)
          : status && ({ soort: status, op: at(Math.trunc(uhd / 2)), tot: null, reden } as const),
      specialistTot: specialist === null || !hasSpecialismen(BEROEP_BY_CODE.get(beroepCode)) ? null : at(specialist),
      aantekeningen: [],
    };
  });
  const { berichtenbox: _, ...person } = known.resident.person;
  const its = { ...person, ...(berichtenbox && { berichtenbox }) };
  const found: ResidentInWorld = {
    ...known,
    resident: { ...known.resident, person: its, registraties, aanvragen: [] },
  };
  const wishes = requests
    .map(({ isLate, day, ...one }) => {
      const { uhd } = registrations[one.about] ?? registrations[0];
      return { ...one, day: isLate && one.soort === 'herregistratie' ? Math.max(0, uhd - (day % 40)) : day };
    })
    .sort((a, b) => a.day - b.day);
  for (const [n, { soort, uren, documents, channel, ...wish }] of wishes.entries()) {
    const day = at(wish.day);
    const register = registerOnDay(world, found, day);
    const held = registratiesOn(register);
    const able = held.filter((one) => isEligible(one, day));
    const about = able[wish.about % Math.max(able.length, 1)];
    const back = held.find(
      (one) =>
        !isStanding(one) &&
        one.status.reden !== 'Tuchtmaatregel' &&
        !held.some((other) => other.beroepCode === one.beroepCode && isStanding(other)),
    );
    const beroepCode = back?.beroepCode ?? (held.some((one) => one.beroepCode === '04') ? undefined : '04');
    const runs = zakenOn(register).some((one) => one.soort === soort && one.besluit === null);
    if (soort === 'herregistratie' ? about === undefined : runs) continue;
    if (soort === 'registratie' && beroepCode === undefined) continue;
    const { referentie } = state.addZaak({
      resident: slug,
      world: 'default',
      sleutel: `k${n}`,
      prefix: soort.slice(0, 3).toUpperCase(),
      soort,
      kenmerk: null,
      gegevens: {
        documenten: documents.map((categoryId) => ({ categoryId, channel })),
        ...((soort === 'herregistratie' || soort === 'intake') && { uren }),
        ...(soort === 'herregistratie' && { registratieId: about?.registratieId }),
        ...(soort === 'registratie' && {
          beroep: BEROEP_BY_CODE.get(beroepCode ?? ''),
          diplomaHerkomst: wish.herkomst,
          diplomaDatum: plusDays(day, wish.diploma),
        }),
        ...(soort === 'adreswijziging' && { straat: `Dam ${n + 1}`, postcode: '1012 JS', woonplaats: 'Amsterdam' }),
      },
      handmatig: wish.takes !== null,
      ontvangenOp: day,
    }).zaak;
    if (wish.takes === null) continue;
    if (wish.uitkomst === 'buiten-behandeling')
      state.addVerzending({
        world: 'default',
        sleutel: `v${n}`,
        referentie,
        kanaal: 'post',
        tekst: '',
        inhoud: {
          secties: [],
          verzoek: { templateId: 'aanvulling-gevraagd', waarover: 'uw diploma', reactieTot: plusDays(day, wish.takes) },
        },
        uitkomst: null,
        verzondenOp: day,
      });
    const besluit = { uitkomst: wish.uitkomst, reden: 'De gegevens kloppen niet.', datum: plusDays(day, wish.takes) };
    state.storeBesluit('default', referentie, besluit);
  }
  return { world, found };
}

/** The events from which a letter can state a fact (`e` in the tables below): all of them until the day of the letter. */
interface Events {
  readonly letter: SentLetter;
  readonly earlier: readonly SentLetter[];
  readonly zaken: readonly RequestOfResident[];
  readonly registraties: readonly RegistratieWire[];
  /** The registrations on the day before the letter. */
  readonly before: readonly RegistratieWire[];
}

const zaakOf = ({ zaken, letter }: Events) => zaken.find(({ referentie }) => referentie === letter.referentie);
const ownOf = ({ registraties, letter }: Events) =>
  registraties.find(({ registerNummer }) => registerNummer === letter.letter.registratienummer);
const wasSent = ({ earlier }: Events, kinds: readonly string[], dates: string) =>
  dates
    .split(/, | en /)
    .every((date) => earlier.some((one) => kinds.includes(one.kind) && longDate(one.date) === date));
const isReceived = (events: Events, date: string) => longDate(zaakOf(events)?.ontvangenOp ?? '1900-01-01') === date;
const renewals = ({ zaken, ...events }: Events) =>
  zaken.filter(
    ({ soort, gegevens }) =>
      soort === 'herregistratie' && gegevens.registratieId === ownOf({ zaken, ...events })?.registratieId,
  );
const outcome = (events: Events) => zaakOf(events)?.besluit?.uitkomst;
const hasSent = (events: Events, category: string) =>
  documentsOf(zaakOf(events) ?? { gegevens: {} }).some(({ categoryId }) => categoryId === category);
const hasPost = (events: Events) =>
  documentsOf(zaakOf(events) ?? { gegevens: {} }).some(({ channel }) => channel === 'post');
const textOf = ({ letter }: SentLetter) =>
  letter.paragraphs.map(({ spans }) => spans.map(({ text }) => text).join('')).join(' ');
const TERM = ['oproep', 'herinnering', 'voornemen-doorhaling'];
const isOutcome = (uitkomst: string) => (events: Events) => outcome(events) === uitkomst;
const isDecided = (uitkomst: string) => (events: Events, date: string) =>
  isReceived(events, date) && outcome(events) === uitkomst;
const isFromAbroad = (events: Events) => zaakOf(events)?.gegevens.diplomaHerkomst === 'buitenland';
const isOf = (beroep: string) => (one: RegistratieWire) => BEROEP_BY_CODE.get(one.beroepCode) === beroep;
const wasInProfession = ({ before }: Events, beroep: string) => before.some(isOf(beroep));
const areDecided = (events: Events) => renewals(events).every(({ besluit }) => besluit !== null);
const isNow = ({ registraties }: Events, soort: string, beroep: string) =>
  registraties.some((one) => one.status.soort === soort && isOf(beroep)(one));
const hasReason = (reden: string) => (events: Events) =>
  events.registraties.some(({ status }) => status.reden === reden);

/** The sentences of fact, each with the condition under which it is true. The groups of the pattern are its arguments. */
const FACTS: readonly (readonly [RegExp, (e: Events, ...groups: string[]) => boolean])[] = [
  [/^Op (.*) hebben wij van u ontvangen/, isReceived],
  [/^Wij wijzen uw aanvraag van (.*) toe\./, isDecided('goedgekeurd')],
  [/^Wij wijzen uw aanvraag van (.*) af\./, isDecided('afgewezen')],
  [/^Op (.*) vroeg u ons om uw correspondentieadres/, isReceived],
  [/intake beoordeeld die wij op (.*) van u kregen/, isReceived],
  [
    /^Dat hebben wij gedaan\.|gebruiken wij het adres/,
    (e) => (zaakOf(e) ? outcome(e) === 'goedgekeurd' : ownOf(e)?.status.reden === 'Op eigen verzoek'),
  ],
  [/^Uw gegevens zijn in orde/, isOutcome('goedgekeurd')],
  [/^(?:Wij wachten nog op wat u|Volgens uw aanvraag stuurt u ons) per post/, (e) => hasPost(e)],
  [
    /^U hebt opgegeven dat u ([\d.]+) uur/,
    (e, uren) => Number(zaakOf(e)?.gegevens.uren).toLocaleString('nl-NL') === uren,
  ],
  [/u hebt ons een geldig bewijs van scholing gestuurd/, (e) => hasSent(e, 'scholingsbewijs')],
  [/u hebt ons een bewijs gestuurd dat u in opleiding/, (e) => hasSent(e, 'werkervaring')],
  [
    /^(?:Uw diploma is van|Op de kopie van uw diploma staat de datum) (.*?)\./,
    (e, date) => longDate(String(zaakOf(e)?.gegevens.diplomaDatum)) === date,
  ],
  [/^Wij erkennen uw diploma uit het buitenland/, isFromAbroad],
  [/^U stond eerder als (.*) in het register/, wasInProfession],
  [
    /stuurden wij u hierover een oproep/,
    (e) => wasSent(e, ['oproep'], /Op (.*) stuurden/.exec(textOf(e.letter))?.[1]?.split('Op ').at(-1) ?? ''),
  ],
  [/^Wij schreven u (?:hierover al|over deze datum) op (.*)\.$/, (e, dates) => wasSent(e, TERM, dates)],
  [/^Op (.*) lieten wij u weten dat wij van plan waren/, (e, date) => wasSent(e, ['voornemen-doorhaling'], date)],
  [
    /^Op (.*) schreven wij u dat wij uw registratie doorhalen/,
    (e, date) =>
      e.earlier.some(
        (one) =>
          one.kind === 'ontvangstbevestiging' &&
          longDate(one.date) === date &&
          /Dan halen wij uw registratie door op de dag van ons besluit/.test(textOf(one)),
      ),
  ],
  [/^Wij hebben nu geen aanvraag van u/, areDecided],
  [
    /^Uw aanvraag met kenmerk (\S+) hebben wij niet toegewezen/,
    ({ zaken }, kenmerk) =>
      zaken.some((one) => one.referentie === kenmerk && one.besluit !== null && one.besluit.uitkomst !== 'goedgekeurd'),
  ],
  [/^Er loopt geen andere aanvraag van u/, areDecided],
  [/^U bent nu geschorst/, (e) => ownOf(e)?.status.soort === 'geschorst'],
  [/^U hoefde tot nu toe geen herregistratie/, (e) => (ownOf(e)?.specialistTot ?? null) !== null],
  [
    /^U bent tot en met (.*) ook geregistreerd als specialist/,
    (e, date) => longDate(ownOf(e)?.specialistTot ?? '1900-01-01') === date,
  ],
  [/^(?:- )?U blijft geregistreerd als (.*)\.$/, (e, beroep) => isNow(e, 'geregistreerd', beroep)],
  [/^(?:- )?Als (.*) bent u nu geschorst\./, (e, beroep) => isNow(e, 'geschorst', beroep)],
  [/^Uw registratie als (.*) blijft gelden/, ({ before }, beroep) => before.filter(isStanding).some(isOf(beroep))],
  [
    /^U staat in het register als (.*)\.$/,
    ({ registraties }, beroep) => registraties.filter(isStanding).some(isOf(beroep)),
  ],
  [
    /^U blijft geregistreerd tot en met/,
    (e) => e.before.some((one) => one.registratieId === zaakOf(e)?.gegevens.registratieId && isStanding(one)),
  ],
  [
    /^U hebt ons gevraagd om uw registratie|hebt u gedaan|omdat u zelf om de doorhaling hebt gevraagd/,
    hasReason('Op eigen verzoek'),
  ],
  [/tuchtrechter (?:heeft u|uw registratie heeft)|^U kon u daar verdedigen/, hasReason('Tuchtmaatregel')],
  [
    /^U bent geschorst, of dat bent u eerder geweest/,
    ({ registraties }) =>
      registraties.some(
        ({ registerNummer, status }) => registerNummer.startsWith('900000998') || status.soort === 'geschorst',
      ),
  ],
  [
    /^Wij hebben (?:besloten uw|uw|haar daarom).* registratie.*(?:door te halen|doorgehaald)\.$/,
    (e) => ownOf(e)?.status.soort === 'doorgehaald',
  ],
  [
    /^Wij zouden u daarover uiterlijk op (.*) iets laten weten/,
    (e, date) =>
      e.earlier.some((one) => one.referentie === e.letter.referentie && textOf(one).includes(`uiterlijk op ${date}`)),
  ],
  [
    /^Wij zouden besluiten binnen drie maanden nadat wij alles van u hadden\.|^Dat was op (.*)\.$|^De drie maanden waren voorbij op/,
    (e, date) =>
      isFromAbroad(e) &&
      hasPost(e) &&
      (date === undefined || longDate(workdayFrom(plusDays(zaakOf(e)?.ontvangenOp ?? '', 7))) === date),
  ],
  [/^In die datum is de tijd meegeteld/, ({ earlier }) => earlier.some(({ kind }) => kind === 'brief')],
  [/^Wij erkennen uw diploma uit de Europese Unie/, isFromAbroad],
  [
    /^U hebt uiterlijk op die datum geen herregistratie aangevraagd/,
    (e) => renewals(e).every(({ besluit }) => besluit?.uitkomst === 'goedgekeurd'),
  ],
  [/^Daarna hebt u uiterlijk op die datum geen nieuwe aanvraag gedaan/, areDecided],
  [/^Wij hebben geen reactie van u gekregen|^U kon daarop reageren/, ({ earlier }) => earlier.length > 0],
  [
    /^Uw uiterste herregistratiedatum was (.*)\.$/,
    (e, date) => e.before.some((one) => longDate(deadlineOf(one) ?? '1900-01-01') === date),
  ],
  [/recht (?:als verpleegkundige )?hebt u nu niet meer/, (e) => ownOf(e)?.status.soort === 'doorgehaald'],
  [/^Voor iemand die eerder als (.*) in het register stond/, wasInProfession],
  [/^Wij behandelen uw aanvraag van (.*) niet verder\./, isDecided('buiten-behandeling')],
  [
    /^Op (.*) hebben wij u gevraagd om uw aanvraag compleet/,
    (e, date) =>
      e.earlier.some(
        (one) => one.kind === 'brief' && one.referentie === e.letter.referentie && longDate(one.date) === date,
      ),
  ],
  [
    /^Wij hebben niet op tijd van u ontvangen: uw diploma|^Wij hebben uw aanvraag niet beoordeeld|^U kon dat doen/,
    isOutcome('buiten-behandeling'),
  ],
  // What follows from the request itself, and needs no other event.
  [
    /^Wij hebben gekeken naar de gegevens|^Daarom hebben wij (?:u niet eerst|ook|gekeken)|^Wij hebben beoordeeld of|^Wij hebben de intake|^Dat is niet gelukt|^Die datum is voorbij/,
    (e) => zaakOf(e) !== undefined,
  ],
];

/** The sentences of fact in the letters of case handlers. What a case handler typed in a letter is no fact of the register. */
const FACTS_OF_CASE_HANDLERS: typeof FACTS = [
  [/^Op (.*) hebt u (?:her)?registratie aangevraagd als/, isReceived],
  [/^U hebt te weinig uren gewerkt|^U hebt niet aangetoond/, isOutcome('afgewezen')],
  [
    /^U hebt ons een bewijs van scholing gestuurd|^Dat bewijs geldt niet/,
    (e) => outcome(e) === 'afgewezen' && hasSent(e, 'scholingsbewijs'),
  ],
  [
    /^U hebt ons (?:ook )?geen geldig bewijs van scholing/,
    (e) => outcome(e) === 'afgewezen' && !hasSent(e, 'scholingsbewijs'),
  ],
  [
    /^Wij hebben gekeken naar deze periode: (.*) tot en met (.*)\.$/,
    (e, from, until) => {
      const { ontvangenOp = '' } = zaakOf(e) ?? {};
      return longDate(plusYears(ontvangenOp, -5)) === from && longDate(plusDays(ontvangenOp, -1)) === until;
    },
  ],
  [/^U hebt ons een Periodiek Registratie Certificaat gestuurd/, (e) => hasSent(e, 'scholingsbewijs')],
  [/^U hebt ons een bewijs gestuurd dat u in opleiding/, (e) => hasSent(e, 'werkervaring')],
  [
    /^Wij erkennen dit diploma|^Voor dit diploma geldt automatische|^U hebt dit diploma in het buitenland|^Wij hebben uw vakbekwaamheid/,
    isFromAbroad,
  ],
  [
    /^Op (.*) hebben wij u verteld dat wij van plan waren/,
    (e, date) => wasWritten(e, date, 'Wij zijn van plan uw aanvraag af te wijzen'),
  ],
  [
    /^U kon daarop reageren tot en met (.*)\.$/,
    (e, date) => e.earlier.some((one) => one.kind === 'brief' && textOf(one).includes(`uiterlijk op ${date} weten`)),
  ],
  [/^U hebt niet gereageerd/, isOutcome('afgewezen')],
  [
    /^Op (.*) hebben wij u gevraagd om uw aanvraag compleet/,
    (e, date) => wasWritten(e, date, 'Uw aanvraag is nog niet compleet'),
  ],
  [
    /^U kon dat doen tot en met (.*)\.$/,
    (e, date) => e.earlier.some((one) => textOf(one).includes(`Zorg dat wij dit uiterlijk op ${date} van`)),
  ],
  [
    /^Wij hebben niet op tijd van u ontvangen: (.*)\.$/,
    (e, asked) => e.earlier.some((one) => textOf(one).includes(`Stuur ons: ${asked}.`)),
  ],
  [
    /^In onze brief stond ook wat er gebeurt|^U hebt de kans gehad/,
    (e) => e.earlier.some((one) => textOf(one).includes('Hebben wij niet alles op tijd?')),
  ],
  [/^Wij hebben niet beoordeeld of u aan de eisen/, isOutcome('buiten-behandeling')],
  // What a case handler typed, or judged of what the applicant sent.
  [
    /^U hebt dit diploma: |^U hebt ons dit |^Wij hebben gekeken naar: |^Deze gegevens hebben wij niet van u gekregen|^U hebt met bewijsstukken/,
    () => true,
  ],
];
const wasWritten = (events: Events, date: string, subject: string) =>
  events.earlier.some(
    (one) => one.kind === 'brief' && longDate(one.date) === date && one.letter.onderwerp.includes(subject),
  );

/** Words by which a sentence says that something happened. */
const SAYS_FACT =
  /\b(hebben wij|wij hebben|hebt u|u hebt|u kon|stuurden|schreven|lieten|vroeg|kregen|stond|hoefde|heeft u|bent nu|zouden|was|waren|erkennen)\b/i;
const IS_CONDITION =
  /\?$|^Wij besluiten|^Hebt u|^Vul in|tot wij over uw aanvraag hebben besloten\.$|^De termijn staat dan stil|^Als u|de tijd\.$/;

/** Returns the sentences of fact in a letter that are not true, or that no item of `facts` knows. */
const wrongSentences = (facts: typeof FACTS, events: Events): string[] =>
  events.letter.letter.paragraphs.flatMap(({ spans }) =>
    spans
      .map(({ text }) => text)
      .join('')
      .split(/(?<=[.?!])\s+/)
      .flatMap((sentence) => {
        const known = facts.find(([pattern]) => pattern.test(sentence));
        const isTrue = known?.[1](events, ...(known[0].exec(sentence) ?? []).slice(1));
        return isTrue === false || (!known && SAYS_FACT.test(sentence) && !IS_CONDITION.test(sentence))
          ? [`${events.letter.id} of ${events.letter.date}: ${known ? 'not so' : 'unknown'}: ${sentence}`]
          : [];
      }),
  );

/** Returns the faults in a mailbox: sentences of fact without an event, and registrations that ended in another way. */
function faultsOf(life: Life): string[] {
  const { world, found } = live(life);
  const letters = correspondenceOf(world, found);
  const day = (date: string) => registerOnDay(world, found, date);
  const faults: string[] = [];
  for (const [index, letter] of letters.entries()) {
    const register = day(letter.date);
    const events: Events = {
      letter,
      earlier: letters.slice(0, index).filter(({ date }) => date <= letter.date),
      zaken: zakenOn(register),
      registraties: registratiesOn(register),
      before: registratiesOn(day(plusDays(letter.date, -1))),
    };
    faults.push(...wrongSentences(FACTS, events));
  }
  const ids = letters.map(({ id }) => id);
  if (new Set(ids).size < ids.length) faults.push(`sent twice: ${ids.join(', ')}`);
  // A later event never changes the letters of an earlier day.
  for (const date of [at(150), at(300), at(450)]) {
    const then = correspondenceOf(day(date).world, day(date).found);
    const now = letters.filter((one) => one.date <= date);
    if (JSON.stringify(then) !== JSON.stringify(now))
      faults.push(
        `the mailbox of ${date} changed: ${then.map((one) => `${one.date} ${one.id}`)} / ${now.map((one) => `${one.date} ${one.id}`)}`,
      );
  }
  // Nobody is stuck: a registration after its deadline has a request that somebody can decide.
  for (const date of [at(150), at(300), at(450), LAST_DAY]) {
    for (const one of registratiesOn(day(date)).filter(isStanding)) {
      const until = deadlineOf(one);
      const runs = zakenOn(day(date)).some(
        ({ besluit, gegevens }) => besluit === null && gegevens.registratieId === one.registratieId,
      );
      if (until !== null && until < date && !runs) faults.push(`${one.beroepCode} stands on ${date} after ${until}`);
      if (runs !== (one.lopendeHerregistratie !== null)) faults.push(`${one.beroepCode} ${date}: ${runs} runs`);
      if (runs && isEligible(one, date)) faults.push(`${one.beroepCode} can be renewed twice on ${date}`);
    }
    const standing = registratiesOn(day(date)).filter(isStanding);
    if (new Set(standing.map(({ beroepCode }) => beroepCode)).size < standing.length)
      faults.push(`registered twice in one profession on ${date}`);
  }
  for (const registratie of registratiesOn(day(LAST_DAY))) {
    const { registratieId, beroepCode, status } = registratie;
    const op = status.datum ?? '';
    // The letter of the last days comes on a later workday.
    if (status.reden !== 'Niet geherregistreerd' || workdayFrom(op) > LAST_DAY) continue;
    const eve = registratiesOn(day(plusDays(op, -1))).find((one) => one.registratieId === registratieId);
    const isRefused = zakenOn(day(op)).some(
      ({ besluit, gegevens }) => gegevens.registratieId === registratieId && besluit?.datum === op,
    );
    if (eve && !isRefused && !isEligible(eve, plusDays(op, -1)))
      faults.push(`${beroepCode} could not apply before ${op}`);
    const about = letters.filter((one) => one.letter.registratienummer === registratie.registerNummer);
    if (about.filter(({ kind }) => kind === 'besluit-doorhaling').length !== 1)
      faults.push(`${beroepCode} ended on ${op} without one decision: ${about.map((one) => one.id)}`);
  }
  return faults;
}

const service = await useService();
const control = controlOf(service);
let worlds = 0;

/** A request as a person makes it, with the members that the simulated register keeps. */
type Asked = readonly [slug: string, path: string, gegevens: Record<string, unknown>, documents: readonly string[]];
const BY_POST = ['diploma-gewaarmerkt', 'identiteitsbewijs'];
const ABROAD = [...BY_POST, 'diplomasupplement', 'verklaring-bevoegde-autoriteit'];
const ASKED: readonly Asked[] = [
  ['sanne-de-wit', 'herregistraties', { uren: 2_600 }, []],
  ['sanne-de-wit', 'herregistraties', { uren: 1_000 }, ['scholingsbewijs']],
  ['sanne-de-wit', 'herregistraties', { uren: 1_000 }, ['werkervaring']],
  ['pieter-hoekstra', 'herregistraties', { uren: 2_600 }, []],
  ['mila-jansen', 'herregistraties', { uren: 2_600 }, []],
  ['wilma-dekker', 'registrations', { diplomaHerkomst: 'handmatig' }, BY_POST],
  ['gerda-postma', 'registrations', { diplomaHerkomst: 'handmatig' }, BY_POST],
  ['noor-bakker', 'registrations', { diplomaHerkomst: 'duo' }, []],
  ['elena-marin', 'registrations', { diplomaHerkomst: 'buitenland' }, ABROAD],
  ['chidi-okafor', 'registrations', { diplomaHerkomst: 'buitenland' }, ABROAD],
];
const COURSES = [
  [null, 'goedgekeurd'],
  [null, 'afgewezen'],
  ['voornemen-afwijzing', 'afgewezen'],
  ['aanvulling-gevraagd', 'buiten-behandeling'],
] as const;

const LETTERS = ASKED.flatMap((asked) => COURSES.map((course) => [...asked, ...course] as const));

describe('the letters that case handlers write', () => {
  // Each request and each course is in the part that `npm test` tries.
  it.each(casesOf(LETTERS, 13))(
    'about the request of %s to %s with %j and the documents %j, after %s and %s, state only facts that have an event',
    async (slug, path, gegevens, categories, first, uitkomst) => {
      worlds += 1;
      const name = `facts-${worlds}`;
      const world = control.in(name);
      await world.post('/reset', { begin: TODAY });
      const as = `${slug}@${name}`;
      const documents: object[] = categories.map((categoryId) => ({ categoryId, channel: 'post' }));
      if (categories === ABROAD) {
        const cv = { wizardId: 'registratie', categoryId: 'cv', localId: 'my-cv', file: pdf() };
        const { documentId } = (await upload(service, as, cv)).body;
        documents.push({ categoryId: 'cv', channel: 'digital', documentId });
      }
      const { referentie } = (await service.post(`/api/v1/${path}`, as, { ...gegevens, documents })).body;
      const [{ status }] = (await service.get('/api/v1/applications', { as })).body;
      // A request without manual review is granted before the term of an earlier letter has passed.
      const earlierLetter = status.manual ? first : null;
      if (earlierLetter !== null) {
        const asked = await world.put('/brief', { tag: 'sent', referentie, templateId: earlierLetter });
        expect(asked.status).toBe(200);
        await world.post('/clock', { set: at(45) });
      }
      const decided = earlierLetter === null && uitkomst === 'buiten-behandeling' ? 'afgewezen' : uitkomst;
      const brought = await world.put('/brief', { tag: 'sent', referentie, uitkomst: decided });
      expect(brought.body).toMatchObject({ tag: 'sent' });
      const letters: SentLetter[] = [];
      for (const { id } of (await world.get(`/post/${slug}`)).body as { id: string }[])
        letters.push((await world.get(`/post/${slug}/${id}`)).body as SentLetter);
      const { world: own, found } = personOn(slug, LAST_DAY);
      const registraties = registratiesOn(registerOnDay(own, found, TODAY));
      const about = registraties.find(({ registerNummer }) =>
        letters.some((one) => one.kind === 'brief' && textOf(one).includes(registerNummer)),
      );
      const registratieId = about?.registratieId ?? registraties[0]?.registratieId;
      const zaak: RequestOfResident = {
        kenmerk: null,
        referentie,
        handmatig: true,
        soort: path === 'registrations' ? 'registratie' : 'herregistratie',
        ontvangenOp: TODAY,
        gegevens: { ...gegevens, registratieId, documenten: documents },
        besluit: { uitkomst: decided, reden: null, datum: TODAY, beroep: null },
      };
      const written = letters.filter(({ kind }) => kind === 'brief');
      expect(written.length).toBe(earlierLetter === null ? 1 : 2);
      for (const letter of written) {
        const earlier = letters.slice(0, letters.indexOf(letter));
        const events = { letter, earlier, zaken: [zaak], registraties, before: registraties };
        expect(wrongSentences([...FACTS_OF_CASE_HANDLERS, ...FACTS], events)).toEqual([]);
      }
    },
  );
});

it('the mailbox of a generated life states only facts that have an event, decides once, and ends no registration that could not be renewed', () => {
  fc.assert(
    fc.property(LIFE, (life) => {
      expect(faultsOf(life)).toEqual([]);
    }),
    { numRuns: EVERY_CASE ? 100 : 20, seed: 46 },
  );
}, 300_000);
