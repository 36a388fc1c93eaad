import { taalniveau } from '../../../src/domain/professions.ts';
import type { Brief } from '../../../src/ports/store/brief-store.ts';
import { longDate, plusDays, plusYears } from '../../../src/wire/dates.ts';
import { workdayFrom } from '../../people/days.ts';
import { documentsOf } from '../../upstreams/register/besluiten.ts';
import type { ControlDeps } from '../deps.ts';
import { caseNamed } from '../zaken.ts';

/** Number of days in which an applicant must complete a request, in a letter that asks for it. */
const REACTION_DAYS = 42;

/** Maximum number of hours that counts in a refusal. It is below the norm of every profession (domain.md 1.3). */
const COUNTED_HOURS = 1_650;

/** Returns an example of a reason to refuse, which fits what the letter is about. */
function reasonOf({ templateId, sections }: Pick<Brief, 'templateId' | 'sections'>): string {
  const text = JSON.stringify(sections);
  if (text.includes('p-motivering-afwijzing-scholing')) return 'het certificaat is ouder dan twee jaar';
  if (templateId !== 'registratie-besluit' || text.includes('"uren_meegeteld"'))
    return 'een deel van het werk hoort niet bij uw beroep';
  return text.includes('"taalbewijs"')
    ? 'het certificaat is ouder dan twee jaar'
    : 'de opleiding duurt korter dan de wet vraagt';
}

/** Returns example texts for the placeholders that a drafter fills in, keyed by placeholder. */
export function drafterTexts(deps: Pick<ControlDeps, 'worlds' | 'directory'>, world: string, brief: Brief) {
  const { beroep, opdrachtId } = brief;
  const here = deps.worlds.at(world);
  const [about = '', login = ''] = opdrachtId.split('.');
  const { referentie, ontvangenOp: received } = caseNamed(deps, world, about);
  const gegevens = here.state.zaken(login).find((one) => one.referentie === referentie)?.gegevens ?? {};
  const stated = gegevens.uren;
  const sent = documentsOf({ gegevens }).map(({ categoryId }) => categoryId);
  // Fewer hours count than the applicant stated, because the reason of the refusal says so.
  const counted = typeof stated === 'number' ? Math.min(COUNTED_HOURS, Math.floor(stated * 0.75)) : COUNTED_HOURS;
  const texts: Readonly<Record<string, string>> = {
    periode_beoordeeld: `${longDate(plusYears(received, -5))} tot en met ${longDate(plusDays(received, -1))}`,
    reden_afwijzing: reasonOf(brief),
    uren_meegeteld: counted.toLocaleString('nl-NL'),
    ontbrekende_bewijsstukken: opdrachtId.startsWith('REG-')
      ? 'een gewaarmerkte kopie van uw diploma'
      : 'een verklaring van uw werkgever over uw gewerkte uren',
    reactiedatum: longDate(workdayFrom(plusDays(here.today(), REACTION_DAYS))),
    herkomst_gegevens: 'uw vroegere werkgever',
    bewijs_werk_of_scholing: sent.includes('werkervaring')
      ? 'het bewijs van uw werkervaring'
      : 'een Periodiek Registratie Certificaat',
    zienswijze: 'u vindt dat alle uren meetellen',
    antwoord_zienswijze: 'wij tellen alleen uren in uw eigen beroep',
    diploma: `opleiding tot ${beroep}`,
    taalbewijs: sent.includes('schooldiplomas')
      ? 'uw schooldiploma’s'
      : `het certificaat van een taaltoets op niveau ${taalniveau(beroep)}`,
  };
  return texts;
}
