import { diffArrays } from 'diff';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Alert, Button } from '../../components/parts.tsx';
import { Failure, FieldLink, focusField } from '../calls/failure.tsx';
import type { Saver } from './saver.ts';
import type { NotSaved as NotSavedState } from './stored-version.ts';

export const SAVE_STATE = 'bewaard';

/**
 * Shows whether all changes are saved. `compare` returns the differences between the two versions of a conflict, and
 * `cause` is a sentence about what else may have changed the text; `merged` says that changes from elsewhere were added.
 * With `isClosed` the text cannot be changed any more. With `isLine` it shows one line, which leads to a `NotSaved`.
 */
export function SaveState<Value>({ isLine = false, ...props }: Props<Value> & { isLine?: boolean }) {
  const state = props.saver.state.value;
  const spoken = useSpoken(props);
  const isUnsaved = state.kind === 'waiting' || state.kind === 'conflict';
  return (
    <div {...(!isUnsaved && { id: SAVE_STATE })} tabindex={-1}>
      {isUnsaved && !isLine && <NotSaved {...props} />}
      {isUnsaved && isLine && (
        <p class="not-saved">
          <FieldLink id={SAVE_STATE}>Niet bewaard: {todo(state, props)}</FieldLink>
        </p>
      )}
      {!isUnsaved && (
        <p class={`save-state save-state--${state.kind} no-print`}>
          {state.kind === 'saved' ? 'Bewaard' : 'Wordt bewaard…'}
          {props.saver.isMerged.value && props.merged && `. ${props.merged}`}
        </p>
      )}
      <p class="visually-hidden" role="status">
        {spoken}
      </p>
    </div>
  );
}

function todo<Value>(state: NotSavedState<Value>, { isClosed }: Props<Value>) {
  if (state.kind === 'conflict') return isClosed ? 'bekijk uw wijziging' : 'kies een versie';
  return state.failure.problem.code === 'geen-verbinding' ? 'geen verbinding' : 'bekijk waarom';
}

/**
 * Returns the text that a screen reader speaks: after the first save, and after the first one that succeeds again. Not at
 * each save, which would interrupt somebody who types (WCAG 4.1.3). A failure is an alert.
 */
function useSpoken<Value>({ saver: { state, isMerged }, merged = '' }: Props<Value>) {
  const { kind } = state.value;
  const added = isMerged.value ? ` ${merged}` : '';
  const [text, setText] = useState('');
  const before = useRef(kind);
  useEffect(() => {
    if (kind === 'saved' && (before.current === 'saving' || before.current === 'waiting'))
      setText(`Uw wijzigingen zijn bewaard.${added}`);
    if (kind === 'waiting' || kind === 'conflict') setText('');
    before.current = kind;
  }, [kind]);
  return text;
}

type Props<Value> = {
  saver: Saver<Value>;
  compare?: (mine: Value, theirs: Value) => [name: string, mine: string, theirs: string][];
  cause?: string;
  merged?: string;
  isClosed?: boolean;
};

/** Shows a text, with a mark around the words that the other one does not have, unless all of them differ. */
function Marked({ of, other }: { of: string; other: string }) {
  const [before, after] = [other, of].map((text) => text.split(/(?<=\s)/)) as [string[], string[]];
  const comparator = (one: string, another: string) => one.trim() === another.trim();
  const parts = diffArrays(before, after, { comparator }).filter(({ removed }) => !removed);
  if (parts.every(({ added }) => added)) return of;
  return parts.map(({ value, added }) => {
    const text = value.join('');
    const words = text.trimEnd();
    return added ? (
      <>
        <mark>{words}</mark>
        {text.slice(words.length)}
      </>
    ) : (
      text
    );
  });
}

/** Shows why a change is not saved, and what the user can do; nothing when it is saved. */
export function NotSaved<Value>({ saver, compare = () => [], cause, isClosed = false }: Props<Value>) {
  const state = saver.state.value;
  if (state.kind === 'waiting') {
    return (
      <Failure of={state.failure} retry={saver.save} id={SAVE_STATE}>
        <p>Uw laatste wijziging staat nog alleen op dit apparaat.</p>
      </Failure>
    );
  }
  if (state.kind === 'conflict') {
    const choose = (choice: 'mine' | 'theirs') => {
      saver.resolve(choice);
      // The button disappears.
      focusField(isClosed ? 'status' : SAVE_STATE);
    };
    const differing = compare(saver.value.value as Value, state.theirs);
    return (
      <Alert
        tone="warning"
        title={isClosed ? 'Uw laatste wijziging is niet bewaard' : 'Deze tekst is ook ergens anders veranderd'}
        titleId={SAVE_STATE}
        role="alert"
      >
        <p>
          {isClosed
            ? 'Een collega heeft deze tekst intussen voorgelegd. Kopieer wat u van uw wijziging nog nodig hebt.'
            : `Misschien hebt u het nog open in een ander tabblad of op een ander apparaat. ${cause ?? ''} Welke versie wilt u houden?`}
        </p>
        {differing.length > 0 && (
          <table class="utrecht-table compare">
            <thead class="utrecht-table__header">
              <tr>
                {['Wat', 'Hier', 'Ergens anders'].map((column) => (
                  <th key={column} scope="col" class="utrecht-table__header-cell">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody class="utrecht-table__body">
              {differing.map(([name, mine, theirs]) => (
                <tr key={name}>
                  <th scope="row" class="utrecht-table__cell">
                    {name}
                  </th>
                  <td class="utrecht-table__cell">
                    <Marked of={mine} other={theirs} />
                  </td>
                  <td class="utrecht-table__cell">
                    <Marked of={theirs} other={mine} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <div class="buttons">
          {!isClosed && (
            <Button look="primary-action" onClick={() => choose('mine')}>
              Houd wat ik hier heb
            </Button>
          )}
          <Button onClick={() => choose('theirs')}>
            {isClosed ? 'Laat mijn wijziging vervallen' : 'Neem de andere versie'}
          </Button>
        </div>
      </Alert>
    );
  }
  return null;
}
