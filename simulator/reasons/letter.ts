import { longDate } from '../../src/wire/dates.ts';
import {
  formatCount,
  formatList,
  formatSubject,
  LATEST,
  quoteRefusal,
  type Wording,
  type Wordings,
  wording,
} from './wording.ts';

/** Dutch participles for the actions on a letter, as in "De brief mag worden goedgekeurd". */
const ACTIONS: Readonly<Record<string, string>> = {
  save: 'bewaard',
  submit: 'voorgelegd',
  approve: 'goedgekeurd',
  reject: 'afgekeurd',
  send: 'verzonden',
  reset: 'opnieuw begonnen',
};

const STATUSES: Readonly<Record<string, string>> = {
  draft: 'concept',
  submitted: 'voorgelegd',
  approved: 'goedgekeurd',
  rejected: 'afgekeurd',
  sent: 'verzonden',
};

const wordOf = (words: Readonly<Record<string, string>>, word: string): string => words[word] ?? word;

interface CompletenessFacts {
  readonly sections: readonly { readonly required: boolean }[];
  readonly placeholders: readonly unknown[];
}

const complete: Wording<CompletenessFacts> = {
  basis: 'Awb, artikel 3:46 en 3:47: een besluit heeft een motivering',
  yes: ({ sections, placeholders }) =>
    `De brief is compleet, omdat alle ${sections.filter(({ required }) => required).length} verplichte delen tekst hebben en van de ${formatCount(placeholders.length, 'plaatshouder', 'plaatshouders')} geen gebruikte open staat`,
  no: (_, refusal) => quoteRefusal(refusal),
};

export const LETTER: Wordings = {
  checkComplete: complete,
  checkResolved: complete,
  checkBesluit: wording<{ readonly decided: unknown; readonly used: readonly { readonly uitkomst: string }[] }>({
    basis: 'Afspraak: een brief neemt één besluit, hetzelfde als in de zaak',
    yes: ({ used, decided }) =>
      used.length === 0
        ? 'Een besluit is niet nodig, omdat deze brief er geen deel voor heeft'
        : `Het besluit klopt, omdat de brief er precies één neemt (${used[0]?.uitkomst})${decided === null ? ' en op de zaak nog niet is besloten' : ', hetzelfde als in de zaak'}`,
    no: (_, refusal) => quoteRefusal(refusal),
  }),
  checkUhd: wording<{ readonly uhd: string | null; readonly used: readonly unknown[] }>({
    basis: 'Awb, artikel 3:40 en 3:41: een besluit geldt vanaf de dag waarop het is verzonden',
    yes: ({ uhd, used }) =>
      uhd === null || used.length === 0
        ? 'De tekst klopt op elke dag, omdat hij niet van de uiterste herregistratiedatum afhangt'
        : `De tekst klopt vandaag, bij een uiterste herregistratiedatum van ${longDate(uhd)}`,
    no: (_, refusal) => quoteRefusal(refusal),
  }),
  checkGrounds: wording<unknown>({
    basis: 'Awb, artikel 4:5 en 4:7: eerst vragen om wat ontbreekt, of om een reactie',
    yes: () => 'De brief noemt alleen wat is gebeurd',
    no: (_, refusal) => quoteRefusal(refusal),
  }),
  demandFourEyes: wording<{
    readonly action: string;
    readonly subject: string;
    readonly drafterId: string | null;
    readonly savedBy: readonly string[];
    readonly submitters: readonly string[];
    readonly submittedBy: string | null;
  }>({
    basis: 'Afspraak: vier ogen. Wie een brief schrijft of voorlegt, beoordeelt hem niet',
    yes: ({ action, subject, submittedBy }) =>
      action === 'approve' || action === 'reject'
        ? `${formatSubject(subject)} mag oordelen, omdat ${formatSubject(submittedBy)} de brief voorlegde en ${formatSubject(subject)} er niet aan schreef`
        : `${formatSubject(subject)} mag dit, omdat vier ogen alleen nodig zijn voor goedkeuren en afkeuren`,
    no({ subject, drafterId, savedBy, submitters, submittedBy }) {
      const did = [
        ...(drafterId === subject ? ['opstelde'] : []),
        ...(savedBy.includes(subject) ? ['wijzigde'] : []),
        ...([...submitters, submittedBy].includes(subject) ? ['voorlegde'] : []),
      ];
      return `${formatSubject(subject)} de brief zelf ${formatList(did)}`;
    },
  }),
  demandStatus: wording<{ readonly action: string; readonly tag: string; readonly from: readonly string[] }>({
    basis: 'Afspraak: een brief gaat van concept via een oordeel naar verzending',
    yes: ({ action, tag }) =>
      `De brief mag worden ${wordOf(ACTIONS, action)}, omdat hij de stand ${wordOf(STATUSES, tag)} heeft`,
    no: ({ action, tag, from }) =>
      `de brief de stand ${wordOf(STATUSES, tag)} heeft en alleen vanuit ${formatList(
        from.map((one) => wordOf(STATUSES, one)),
        'disjunction',
      )} mag worden ${wordOf(ACTIONS, action)}`,
  }),
  checkTemplate: wording<{ readonly sent: readonly { readonly locked?: boolean }[] | null }>({
    basis: 'Afspraak: de vaste tekst van een brief blijft zoals hij is',
    yes: ({ sent }) =>
      `De vaste delen zijn heel, omdat alle ${sent?.length ?? 0} delen in de volgorde van het sjabloon staan en geen vast deel is veranderd`,
    no: (_, refusal) => quoteRefusal(refusal),
  }),
  demandBriefAccepted: wording<{
    readonly referentie: string;
    readonly kanaal: string;
    readonly uiterlijk: string | null;
    readonly today: string;
  }>({
    basis: 'Awb, artikel 3:41: een besluit wordt bekendgemaakt door toezending',
    yes: ({ referentie, kanaal }) =>
      `De brief is verzonden, omdat het register hem aannam voor ${referentie} (${kanaal})`,
    no: ({ referentie, uiterlijk, today }) =>
      uiterlijk !== null && uiterlijk < today
        ? `het register de brief over ${referentie} niet aannam: de tekst gold tot en met ${longDate(uiterlijk)}`
        : `het register de brief over ${referentie} niet aannam`,
  }),
  refuseOvertaken: wording<{ readonly version: number; readonly tag: string }>({
    basis: LATEST,
    no: ({ version, tag }) =>
      `iemand anders de brief wijzigde nadat hij was gelezen (versie ${version}, ${wordOf(STATUSES, tag)})`,
  }),
  existingBrief: wording<{ readonly workspace: string }>({
    basis: 'Afspraak: een brief begint met een opdracht van het register',
    no: ({ workspace }) => `het register in werkruimte ${workspace} geen opdracht voor een brief heeft`,
  }),
  visibleValues: wording<{ readonly geheim: boolean; readonly steppedUp: boolean }>({
    basis: 'Wet basisregistratie personen: een adres kan geheim zijn',
    yes: ({ geheim, steppedUp }) =>
      `Het adres is ${geheim ? 'verborgen' : 'te zien'} en het registratienummer ${steppedUp ? 'helemaal' : 'voor een deel'}, omdat het adres ${geheim ? '' : 'niet '}geheim is en de aanroeper ${steppedUp ? '' : 'niet '}opnieuw heeft ingelogd`,
  }),
};
