import { Badge, Facts } from '../../components/parts.tsx';
import { dayText } from '../elements/dates.tsx';
import { toneOf } from '../elements/tones.ts';
import { label, UPLOAD_STATES } from '../texts.ts';
import type { Situation, World } from '../types.d.ts';

const REQUEST_STATES = {
  Concept: 'concept',
  InBehandeling: 'in behandeling',
  Goedgekeurd: 'goedgekeurd',
  Afgewezen: 'afgewezen',
};

/**
 * Returns the day of the stories of all personas as Dutch text, when the clock of the world has another day: a story may
 * then not be true any more. Otherwise returns an empty text.
 */
export const storyDay = (world: World | undefined) =>
  world === undefined || world.clock.firstDay === null || world.clock.firstDay === world.clock.today
    ? ''
    : dayText(world.clock.firstDay);

/** Shows the current status of a persona as coloured labels. */
export function Badges({ of: { status, uhd, eligible, geheim, aanvragen } }: { of: Situation }) {
  const isRequested = aanvragen.some(({ type, tag }) => type === 'herregistratie' && tag === 'InBehandeling');
  // Why it is not possible, such as long before the deadline, is a sentence and no label.
  const renewal = eligible ? 'Mag herregistreren' : isRequested ? 'Herregistratie aangevraagd' : null;
  return (
    <p class="badges">
      <Badge tone={toneOf(status)}>{status ?? 'Niet geregistreerd'}</Badge>
      {renewal !== null && <Badge tone={eligible ? 'positive' : 'info'}>{renewal}</Badge>}
      {geheim && <Badge tone="warning">geheim adres</Badge>}
      {uhd !== null && <span class="hint">Uiterste datum {dayText(uhd)}</span>}
    </p>
  );
}

/** Shows the current data of a persona, such as the profession, the deadline and the uploads. */
export function SituationFacts({ of }: { of: Situation }) {
  const requests = of.aanvragen.map(
    ({ type, tag, referentie }) => `${type} ${label(REQUEST_STATES, tag)}${referentie ? ` (${referentie})` : ''}`,
  );
  const uploads = of.uploads.map(
    ({ bestandsnaam, state }) => `${bestandsnaam ?? 'Document zonder naam'}: ${label(UPLOAD_STATES, state)}`,
  );
  const facts = [
    ['Beroep', of.beroep],
    ['Uiterste datum', of.uhd && dayText(of.uhd)],
    ['Woonplaats', of.woonplaats ?? (of.geheim ? 'geheim adres' : 'onbekend bij de BRP')],
    ['Diploma’s bij DUO', String(of.diplomas)],
    ['Aanvragen', requests.join(', ')],
    ['Documenten', uploads.join(', ')],
  ] as const;
  return (
    <div class="situation">
      {!of.eligible && of.reason !== null && <p class="hint">{of.reason}</p>}
      <Facts of={facts.filter(([, value]) => value)} />
    </div>
  );
}
