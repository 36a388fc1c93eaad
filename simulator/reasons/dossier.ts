import { urennorm } from '../../src/domain/professions.ts';
import { effectiveUhd, isValid } from '../../src/domain/registraties.ts';
import { woonadres } from '../../src/domain/woonadres.ts';
import type { Persoon, Verblijf } from '../../src/ports/brp.ts';
import type { Diploma } from '../../src/ports/duo.ts';
import type { Registratie } from '../../src/ports/register.ts';
import { plusMonths } from '../../src/wire/dates.ts';
import type { AdresDto } from '../../src/wire/records.ts';
import { formatCount, formatDate, formatList, formatNumber, type Wording, type Wordings, wording } from './wording.ts';

interface Registrations {
  readonly registraties: readonly Registratie[];
}

/**
 * Returns why herregistratie (renewal of a registration) is or is not possible today, as Dutch words that follow
 * "omdat" (because).
 * @param obstacle - code of the obstacle that the rule `checkHerregistratie` found; null when herregistratie is
 * possible
 */
export function herregistratieClause(registratie: Registratie | null, today: string, obstacle: string | null): string {
  if (registratie === null) return 'er geen registratie is';
  const { status, specialistTot, lopendeHerregistratie } = registratie;
  const uhd = effectiveUhd(registratie);
  switch (obstacle) {
    case 'doorgehaald':
      return status.tag === 'Doorgehaald'
        ? `de registratie op ${formatDate(status.op)} is doorgehaald (${status.reden})`
        : 'de registratie is doorgehaald';
    case 'onbekend':
      return 'de status van de registratie niet bekend is';
    case 'specialist':
      return `de registratie als specialist nog loopt tot en met ${formatDate(specialistTot)}`;
    case 'geenPeriode':
      return 'voor deze registratie geen uiterste datum geldt';
    case 'loopt':
      return `aanvraag ${lopendeHerregistratie?.referentie} nog loopt`;
    case 'teVroeg':
      return `${formatDate(today)} voor ${formatDate(uhd === null ? null : plusMonths(uhd, -6))} ligt, zes maanden voor de uiterste datum ${formatDate(uhd)}`;
    case 'teLaat':
      return `${formatDate(today)} na de uiterste datum ${formatDate(uhd)} ligt`;
    default:
      return `${formatDate(today)} in de zes maanden tot en met de uiterste datum ${formatDate(uhd)} ligt`;
  }
}

const checkHerregistratie: Wording<
  { readonly registratie: Registratie | null; readonly today: string },
  { readonly obstacle: string | null }
> = {
  basis: 'Wet BIG, artikel 8, en het Besluit periodieke registratie Wet BIG',
  yes: ({ registratie, today }, { obstacle }) =>
    `Herregistratie kan ${obstacle === null ? 'nu' : 'niet'}, omdat ${herregistratieClause(registratie, today, obstacle)}`,
};

export const DOSSIER: Wordings = {
  checkHerregistratie,
  currentRegistration: wording<Registrations & { readonly today: string }, string | null>({
    basis: 'Wet BIG, artikel 3: elk beroep heeft een eigen register',
    yes({ registraties }, id) {
      const chosen = registraties.find((one) => one.id === id);
      if (chosen === undefined) return 'Er is geen registratie, omdat het register er geen heeft';
      const found = `${chosen.beroep} (${chosen.status.tag.toLowerCase()})`;
      return registraties.length === 1
        ? `Het gaat om de registratie als ${found}, omdat dat de enige is`
        : `Het gaat om de registratie als ${found}, omdat die van de ${registraties.length} als eerste aandacht vraagt`;
    },
  }),
  maskRegisterNummer: wording<{ readonly registerNummer: string | null; readonly steppedUp: boolean }>({
    basis: 'Afspraak: het hele registratienummer alleen na opnieuw inloggen',
    yes: ({ registerNummer, steppedUp }) =>
      registerNummer === null
        ? 'Er is geen registratienummer te tonen, omdat er geen registratie is'
        : steppedUp
          ? 'Het registratienummer staat er helemaal, omdat de aanroeper opnieuw heeft ingelogd'
          : 'Van het registratienummer zijn alleen de laatste twee cijfers te zien, omdat de aanroeper niet opnieuw heeft ingelogd',
  }),
  toPerson: wording<{ readonly brp: 'geen antwoord' | Persoon | null; readonly register: string | null }>({
    basis: 'Wet basisregistratie personen: naam en adres komen uit de BRP',
    yes: ({ brp, register }) =>
      brp === 'geen antwoord'
        ? `De gegevens komen ${register === null ? 'nergens vandaan' : 'uit het register'}, omdat de BRP niet antwoordde`
        : brp === null
          ? `De gegevens komen ${register === null ? 'nergens vandaan' : 'uit het register'}, omdat de BRP deze persoon niet kent`
          : `${woonadres(brp) === null ? 'De naam komt' : 'Naam en adres komen'} uit de BRP, omdat de BRP ${brp.naam} kent${brp.geheim ? ' (het adres is geheim)' : ''}`,
  }),
  visibleNotes: wording<
    { readonly aantekeningen: readonly unknown[]; readonly today: string },
    { readonly shown: readonly unknown[]; readonly hidden: number }
  >({
    basis: 'Wet BIG: de aantekeningen die openbaar zijn',
    yes: ({ aantekeningen, today }, { shown, hidden }) =>
      aantekeningen.length === 0
        ? 'Er zijn geen aantekeningen, omdat het register er geen heeft'
        : hidden === 0
          ? `Alle aantekeningen zijn te zien (${shown.length}), omdat ze op ${formatDate(today)} openbaar zijn`
          : `Te zien ${shown.length === 1 ? 'is' : 'zijn'} ${formatCount(shown.length, 'aantekening', 'aantekeningen')} van de ${aantekeningen.length}, omdat ${hidden} op ${formatDate(today)} niet openbaar of niet meer geldig ${hidden === 1 ? 'is' : 'zijn'}`,
  }),
  toBrpAddress: wording<
    { readonly hasBsn: boolean; readonly persoon: Verblijf | null },
    { readonly gevonden: boolean; readonly adres: AdresDto | null }
  >({
    basis: 'Wet basisregistratie personen: het woonadres komt uit de BRP',
    yes({ hasBsn, persoon }, { gevonden }) {
      if (gevonden) return 'Het adres is te zien, omdat de BRP een woonadres van deze persoon heeft';
      const why = !hasBsn
        ? 'de aanroeper geen burgerservicenummer heeft'
        : persoon === null
          ? 'de BRP deze persoon niet kent'
          : persoon.overleden
            ? 'de persoon volgens de BRP is overleden'
            : persoon.verblijftNietOpAdres
              ? 'de persoon niet meer op het adres in de BRP woont'
              : 'de BRP geen woonadres in Nederland heeft';
      return `Er is geen adres, omdat ${why}`;
    },
  }),
  toDuoLookup: wording<
    { readonly hasBsn: boolean; readonly diplomas: readonly Diploma[]; readonly today: string },
    readonly { readonly questions: readonly string[] }[]
  >({
    basis: 'Wet BIG, artikel 3 tot en met 6: een diploma dat tot een beroep leidt',
    yes({ hasBsn, diplomas }, shown) {
      if (!hasBsn) return 'Er zijn geen diploma’s, omdat de aanroeper geen burgerservicenummer heeft';
      if (diplomas.length === 0) return 'Er zijn geen diploma’s, omdat DUO er geen van deze persoon heeft';
      const asked = new Set(shown.flatMap(({ questions }) => questions)).size;
      return `Te kiezen ${shown.length === 1 ? 'is' : 'zijn'} ${formatCount(shown.length, 'diploma', 'diploma’s')}, omdat ${formatNumber(shown.length)} van de ${formatNumber(diplomas.length)} bij DUO tot een beroep in dit register ${shown.length === 1 ? 'leidt' : 'leiden'}${asked === 0 ? '' : `; er ${asked === 1 ? 'hoort een vraag' : `horen ${asked} vragen`} bij`}`;
    },
  }),
  scholingThreshold: wording<Registrations, number>({
    basis: 'Besluit periodieke registratie Wet BIG',
    yes({ registraties }, threshold) {
      const valid = registraties.filter(isValid);
      const deciding = valid.filter(({ beroep }) => urennorm(beroep) === threshold).map(({ beroep }) => beroep);
      return `De grens is ${formatNumber(threshold)} uur, omdat ${
        deciding.length === 0 ? 'dat de gewone norm is' : `dat de norm is voor ${formatList([...new Set(deciding)])}`
      }${valid.length === 0 ? ' en er geen geldige registratie is' : ''}`;
    },
  }),
};
