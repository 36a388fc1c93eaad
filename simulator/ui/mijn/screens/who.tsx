import { useState } from 'preact/hooks';
import { TextField } from '../../components/fields.tsx';
import { Panel, Screen } from '../parts.tsx';
import { addressAs, people } from '../people.ts';

/** Shows the list of personas to choose from, in place of a login. */
export function Who() {
  const [words, setWords] = useState('');
  const matches = people.value.filter(({ naam, toont }) =>
    `${naam} ${toont}`.toLowerCase().includes(words.trim().toLowerCase()),
  );
  const groups = [
    ['Zorgverleners', matches.filter(({ kind }) => kind === 'professional')],
    ['Medewerkers', matches.filter(({ kind }) => kind !== 'professional')],
  ] as const;
  return (
    <Screen title="Wie bent u?" lead="In een echt register zou u hier inloggen. In de simulator kiest u een persoon.">
      <TextField id="zoek" label="Zoek op naam of situatie" value={words} onInput={setWords} />
      {groups.map(
        ([title, some]) =>
          some.length > 0 && (
            <Panel title={title} key={title}>
              <ul class="cards">
                {some.map(({ slug, naam, toont }) => (
                  <li key={slug} class="card">
                    <a class="utrecht-link utrecht-link--html-a card__link" href={addressAs(slug)}>
                      {naam}
                    </a>
                    <span>{toont}</span>
                  </li>
                ))}
              </ul>
            </Panel>
          ),
      )}
      {matches.length === 0 && <p role="status">Niemand gevonden.</p>}
    </Screen>
  );
}
