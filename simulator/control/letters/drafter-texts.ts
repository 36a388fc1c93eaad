import type { Brief } from '../../../src/ports/store/brief-store.ts';
import { longDate, plusDays, plusYears } from '../../../src/wire/dates.ts';
import { dutchNumber } from '../../../src/wire/numbers.ts';
import { dateAt, dayOf, endOfTerm } from '../../people/days.ts';
import type { ControlDeps } from '../deps.ts';
import { caseNamed } from '../zaken.ts';

/** Number of days in which an applicant must complete a request, in a letter that asks for it. */
const REACTION_DAYS = 42;

/** Maximum number of hours that counts in a refusal. It is below the norm of every profession (domain.md 1.3). */
const COUNTED_HOURS = 1_650;

/** Returns the last day to complete a request, when the letter that asks for it was sent on this day. */
const lastDayAfter = (day: string): string => dateAt(endOfTerm(dayOf(plusDays(day, REACTION_DAYS))));

/** Returns example texts for the placeholders that a drafter fills in, keyed by placeholder. */
export function drafterTexts(deps: ControlDeps, world: string, { templateId, beroep, opdrachtId }: Brief) {
  const here = deps.worlds.at(world);
  const today = here.today();
  const [about = '', login = ''] = opdrachtId.split('.');
  const { referentie, ontvangenOp: received } = caseNamed(deps, world, about);
  const stated = here.state.zaken(login).find((one) => one.referentie === referentie)?.gegevens.uren;
  // Fewer hours count than the applicant stated, because the reason of the refusal says so.
  const counted = typeof stated === 'number' ? Math.min(COUNTED_HOURS, Math.floor(stated * 0.75)) : COUNTED_HOURS;
  // A letter without an outcome asked the applicant to complete the request.
  const sent = here.state
    .verzendingen()
    .findLast(
      (one) => one.world === world && one.referentie === referentie && !one.uitkomst && one.verzondenOp <= today,
    );
  const asked = sent?.verzondenOp ?? received;
  const yesterday = plusDays(today, -1);
  const term = lastDayAfter(asked);
  // A letter that asks for documents names a future date; a decision not to consider a request names a past one.
  const passed = [term, asked < yesterday ? yesterday : asked].sort()[0] ?? term;
  const until = templateId === 'aanvulling-gevraagd' ? lastDayAfter(today) : passed;
  const reden =
    templateId === 'registratie-besluit'
      ? 'de opleiding duurt korter dan de wet vraagt'
      : 'een deel van het werk hoort niet bij uw beroep';
  const texts: Readonly<Record<string, string>> = {
    periode_beoordeeld: `${longDate(plusYears(today, -5))} tot en met ${longDate(yesterday)}`,
    reden_afwijzing: reden,
    uren_meegeteld: dutchNumber(counted),
    ontbrekende_bewijsstukken: opdrachtId.startsWith('REG-')
      ? 'een gewaarmerkte kopie van uw diploma'
      : 'een verklaring van uw werkgever over uw gewerkte uren',
    datum_verzoek: longDate(asked),
    reactiedatum: longDate(until),
    datum_voornemen: longDate(received),
    zienswijze: 'u vindt dat alle uren meetellen',
    antwoord_zienswijze: 'wij tellen alleen uren in uw eigen beroep',
    diploma: `opleiding tot ${beroep}`,
    taalbewijs: 'het certificaat van een taaltoets op niveau B2',
  };
  return texts;
}
