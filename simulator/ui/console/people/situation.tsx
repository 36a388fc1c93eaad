import { Badge, Facts } from '../../components/parts.tsx';
import { dayText } from '../elements/dates.tsx';
import { toneOf } from '../elements/tones.ts';
import { label, texts } from '../texts/texts.ts';
import type { Situation, World } from '../types.d.ts';

const words = texts.personas;

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
  const renewal = eligible ? words.eligible : isRequested ? words.requested : null;
  return (
    <p class="badges">
      <Badge tone={toneOf(status)}>{status ?? words.unregistered}</Badge>
      {renewal !== null && <Badge tone={eligible ? 'positive' : 'info'}>{renewal}</Badge>}
      {geheim && <Badge tone="warning">{words.secret}</Badge>}
      {uhd !== null && (
        <span class="hint">
          {words.uhd} {dayText(uhd)}
        </span>
      )}
    </p>
  );
}

/** Shows the current data of a persona, such as the profession, the deadline and the uploads. */
export function SituationFacts({ of }: { of: Situation }) {
  const requests = of.aanvragen.map(
    ({ type, tag, referentie }) => `${type} ${label(words.requestStates, tag)}${referentie ? ` (${referentie})` : ''}`,
  );
  const uploads = of.uploads.map(
    ({ bestandsnaam, state }) => `${bestandsnaam ?? texts.state.nameless}: ${label(texts.state.uploadStates, state)}`,
  );
  const facts = [
    ['Beroep', of.beroep],
    [words.uhd, of.uhd && dayText(of.uhd)],
    [words.lives, of.woonplaats ?? (of.geheim ? words.secret : words.unknown)],
    [words.diplomas, String(of.diplomas)],
    [words.requests, requests.join(', ')],
    [words.uploads, uploads.join(', ')],
  ] as const;
  return (
    <div class="situation">
      {!of.eligible && of.reason !== null && <p class="hint">{of.reason}</p>}
      <Facts of={facts.filter(([, value]) => value)} />
    </div>
  );
}
