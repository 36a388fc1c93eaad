import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { baseKeymap, chainCommands, splitBlockAs, toggleMark } from 'prosemirror-commands';
import { closeHistory, history, redo, undo, undoDepth } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import { type Command, EditorState, Plugin, TextSelection, type Transaction } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import type { LibraryPassageDto, PlaceholderDefDto, RichTextBlockDto } from 'zorgregister-bff/client';
import { withoutForbidden } from '../../../../src/wire/rich-text.ts';
import { type List, MARKS } from '../../../../src/wire/values.ts';
import { HIGHLIGHT } from '../../../letters/letter.ts';
import { type Option, Select } from '../../components/fields.tsx';
import { About, Button } from '../../components/parts.tsx';
import { focusField } from '../calls/failure.tsx';
import {
  contentOf,
  documentOf,
  documentWith,
  linesOf,
  listIn,
  pastedParser,
  schema,
  sliceOf,
  withoutStyles,
} from './editor-document.ts';
import { placeholderText } from './rich-text.ts';

/** Returns the list of the paragraph in which the selection begins. */
const listAt = ({ selection: { $from } }: EditorState) => listIn($from.parent);

/** Returns the marks that a text has which is typed in the place of the selection. */
const marksAt = ({ storedMarks, selection: { $from } }: EditorState) => storedMarks ?? $from.marks();

/** Returns the position before the text of each paragraph and item. */
function startsIn(document: Node) {
  const starts: number[] = [];
  document.descendants((node, position) => {
    if (node.isTextblock) starts.push(position + 1);
  });
  return starts;
}

/** Puts the paragraphs of the selection in a list, or outside of every list. */
const inList =
  (list: List | null): Command =>
  ({ doc, selection: { from, to, anchor, head }, tr }, dispatch) => {
    const starts = startsIn(doc);
    const before = linesOf(doc);
    const lines = before.map((line, index) => {
      const start = starts[index] ?? 0;
      const isSelected = start <= to && start + line.content.size >= from;
      return isSelected && listIn(line) !== list ? schema.node(list ?? 'paragraph', null, line.content) : line;
    });
    if (lines.every((line, index) => line === before[index])) return false;
    tr.replaceWith(0, doc.content.size, documentWith(lines).content);
    const moved = startsIn(tr.doc);
    const placeOf = (position: number) => {
      const index = starts.findLastIndex((start, at) => at === 0 || start <= position);
      return tr.doc.resolve(Math.max(0, position - (starts[index] ?? 0)) + (moved[index] ?? 0));
    };
    dispatch?.(tr.setSelection(TextSelection.between(placeOf(anchor), placeOf(head))));
    return true;
  };

/** Makes one list of two that came beside each other, as when the paragraph between them is deleted. */
const oneList = new Plugin({
  appendTransaction(_, __, { doc, tr }) {
    const joined = documentWith(linesOf(doc));
    if (joined.childCount === doc.childCount) return null;
    for (let index = doc.childCount - 1, end = doc.content.size; index > 0; index -= 1) {
      end -= doc.child(index).nodeSize;
      if (!doc.child(index).isTextblock && doc.child(index).type === doc.child(index - 1).type) tr.join(end);
    }
    return tr;
  },
});

/** Puts the paragraphs of the selection in a list or, when all of them are in it, outside of it. */
const toggleList =
  (list: List): Command =>
  (state, dispatch) =>
    inList(list)(state, dispatch) || inList(null)(state, dispatch);

/** Takes a paragraph out of its list when `applies` to the selection. */
const leaveListWhen =
  (applies: (state: EditorState) => boolean): Command =>
  (state, dispatch) =>
    listAt(state) !== null && state.selection.empty && applies(state) && inList(null)(state, dispatch);

const mark = (name: (typeof MARKS)[number]): Command =>
  toggleMark(schema.marks[name], null, { removeWhenPresent: false, includeWhitespace: true });

/** Returns the command as one that is undone by itself: not together with what was typed before or after it. */
const apart =
  (command: Command): Command =>
  (state, dispatch, view) => {
    const isDone = command(state, dispatch && ((change) => dispatch(closeHistory(change))), view);
    if (isDone && view !== undefined) dispatch?.(closeHistory(view.state.tr));
    return isDone;
  };

/** The buttons for marks and lists: what they set, their label, their key, the same in words, and what they do. */
const TOOLS = [
  ['bold', 'Vet', 'Mod-b', 'Control+B', mark('bold')],
  ['italic', 'Cursief', 'Mod-i', 'Control+I', mark('italic')],
  ['underline', 'Onderstreept', 'Mod-u', 'Control+U', mark('underline')],
  ['bullet', 'Opsomming', 'Mod-Shift-8', 'Control+Shift+8', toggleList('bullet')],
  ['number', 'Nummering', 'Mod-Shift-7', 'Control+Shift+7', toggleList('number')],
] as const;

const enter = chainCommands(
  leaveListWhen(({ selection: { $from } }) => $from.parent.content.size === 0),
  splitBlockAs(({ type, attrs }) => ({ type, attrs })),
);

const PLUGINS = [
  // What is typed in a paragraph is undone at once, however slowly it was typed.
  history({ newGroupDelay: Number.POSITIVE_INFINITY }),
  keymap({
    ...Object.fromEntries(TOOLS.map(([, , key, , command]) => [key, apart(command)])),
    'Mod-z': undo,
    'Shift-Mod-z': redo,
    'Mod-y': redo,
    Enter: apart((state, dispatch) => {
      const marks = marksAt(state);
      return enter(state, dispatch && ((change) => dispatch(change.ensureMarks(marks))));
    }),
    'Shift-Enter': (state, dispatch) => {
      dispatch?.(state.tr.replaceSelectionWith(schema.node('lineBreak')).ensureMarks(marksAt(state)).scrollIntoView());
      return true;
    },
    Backspace: leaveListWhen(({ selection: { $from } }) => $from.parentOffset === 0),
  }),
  keymap(baseKeymap),
  oneList,
];

/** Equal for texts that differ only in what is filled in for their placeholders. */
const shapeOf = (content: RichTextBlockDto) =>
  JSON.stringify(content, (_, one) => (one?.type === 'placeholder' ? one.key : one));

/** What the parts of the editor know about the whole letter. Keys are those of the placeholders. */
export interface LetterView {
  passages: readonly LibraryPassageDto[];
  placeholders: ReadonlyMap<string, PlaceholderDefDto>;
  /** what is filled in for each placeholder; null for nothing */
  filled: ReadonlyMap<string, string | null>;
  /** the ids of the blocks that differ from their standard text */
  edited: ReadonlySet<string>;
  /** what is wrong, by the id of its place: a field, a text or a section */
  faults: ReadonlyMap<string | null, string>;
}

interface EditorProps {
  id: string;
  name: string;
  content: RichTextBlockDto;
  /** the standard text, when `content` differs from it */
  original: RichTextBlockDto | undefined;
  letter: LetterView;
  onChange: (content: RichTextBlockDto) => void;
}

/**
 * Shows a rich text that a user edits as it looks, with buttons for its marks, lists and placeholders. A text that ends as
 * it began is the `content` from before, so that it is saved unchanged.
 */
export function Editor({ id, name, content, original, letter: { placeholders, filled }, onChange }: EditorProps) {
  const field = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const first = useRef(content);
  const shown = useRef(content);
  const [state, setState] = useState<EditorState | null>(null);
  const [told, tell] = useState('');
  const pressed = state ? pressedIn(state) : [];

  /** Returns what is filled in for a placeholder, or its label. */
  const shownIn = (key: string) =>
    placeholderText(key, filled.get(key) ?? null, placeholders)
      .replaceAll(HIGHLIGHT[0], '')
      .replaceAll(HIGHLIGHT[1], '');

  function drawPlaceholder(element: HTMLElement, key: string) {
    const isOpen = placeholderText(key, filled.get(key) ?? null, placeholders).startsWith(HIGHLIGHT[0]);
    const name = `${placeholders.get(key)?.label ?? key}: ${isOpen ? 'nog leeg' : shownIn(key)}`;
    element.className = isOpen ? 'placeholder open-blank' : 'placeholder';
    element.textContent = shownIn(key);
    element.title = name;
    element.role = 'img';
    // The same text as the title: a screen reader says another one as well.
    element.ariaLabel = name;
  }

  /** Applies a change, and passes the text on when it was edited. */
  function apply(view: EditorView, change: Transaction) {
    // What is pasted, cut or dropped is undone by itself.
    const isApart = change.getMeta('uiEvent') !== undefined;
    view.updateState(view.state.apply(isApart ? closeHistory(change) : change));
    if (isApart) view.updateState(view.state.apply(closeHistory(view.state.tr)));
    setState(view.state);
    if (!change.docChanged) return;
    if (change.getMeta('uiEvent') !== 'paste') tell('');
    const written = contentOf(view.state.doc, filled);
    const isAsBefore = shapeOf(written) === shapeOf(contentOf(documentOf(first.current), filled));
    shown.current = isAsBefore ? first.current : written;
    onChange(shown.current);
  }

  // The view is made once, and calls the functions of the last time that this was shown.
  const latest = useRef({ apply, drawPlaceholder, shownIn });
  latest.current = { apply, drawPlaceholder, shownIn };
  useLayoutEffect(() => {
    const view = new EditorView(
      { mount: field.current as HTMLDivElement },
      {
        state: stateOf(content),
        dispatchTransaction: (change) => latest.current.apply(view, change),
        nodeViews: {
          placeholder: ({ attrs: { key } }) => {
            const dom = document.createElement('span');
            dom.dataset.key = key;
            latest.current.drawPlaceholder(dom, key);
            return { dom, ignoreMutation: () => true };
          },
        },
        transformPastedHTML: withoutStyles,
        clipboardParser: pastedParser,
        clipboardTextSerializer: ({ content }) =>
          content.textBetween(0, content.size, '\n', ({ attrs: { key } }) =>
            key ? latest.current.shownIn(key) : '\n',
          ),
        clipboardTextParser: (text, { parent }, _, { state }) => sliceOf(text, marksAt(state), listIn(parent)),
        handlePaste: (_, { clipboardData }) => {
          tell(clipboardData && hasPicture(clipboardData) ? NO_PICTURE : '');
        },
        handleClickOn: (_, __, { type, attrs: { key } }) => {
          if (type.name === 'placeholder') focusField(`invul-${key}`);
          return type.name === 'placeholder';
        },
        handleDrop: (_, __, ___, isMoved) => !isMoved,
        handleTextInput: ({ state, dispatch }, from, to, text) => {
          const allowed = withoutForbidden(text);
          if (allowed === text) return false;
          dispatch(state.tr.insertText(allowed, from, to));
          return true;
        },
      },
    );
    editor.current = view;
    setState(view.state);
    return () => view.destroy();
  }, []);
  useLayoutEffect(() => {
    const view = editor.current as EditorView;
    if (shapeOf(shown.current) !== shapeOf(content)) {
      first.current = content;
      view.updateState(stateOf(content));
      setState(view.state);
    }
    for (const one of view.dom.querySelectorAll<HTMLElement>('[data-key]')) drawPlaceholder(one, one.dataset.key ?? '');
    // What was filled in since is not undone with the text.
    if (shapeOf(first.current) === shapeOf(content)) first.current = content;
    shown.current = content;
  }, [content, filled]);

  /** Carries out a command on the text, and gives it the focus. */
  function use(command: Command) {
    const view = editor.current as EditorView;
    apart(command)(view.state, view.dispatch, view);
    view.focus();
  }

  const usable = [...placeholders].filter(
    ([, { autoResolvable, fillable, deprecated }]) => !deprecated && (autoResolvable || fillable),
  );
  return (
    <div class="editor">
      {/* biome-ignore lint/a11y/useSemanticElements: these buttons are not a set of fields */}
      <div class="buttons editor__tools" role="group" aria-label={`Opmaak van ${name}`}>
        {TOOLS.map(([tool, label, , keys, command]) => (
          <Button
            key={tool}
            aria-pressed={pressed.includes(tool)}
            aria-keyshortcuts={keys}
            onMouseDown={(event: Event) => event.preventDefault()}
            onClick={() => use(command)}
          >
            {label}
          </Button>
        ))}
        <Button
          aria-disabled={!state || undoDepth(state) === 0}
          aria-keyshortcuts="Control+Z"
          onMouseDown={(event: Event) => event.preventDefault()}
          onClick={() => use(undo)}
        >
          Ongedaan maken
        </Button>
        {original && (
          <Button
            onClick={() =>
              use(({ tr, doc }, dispatch) => {
                dispatch?.(tr.replaceWith(0, doc.content.size, documentOf(original).content));
                return true;
              })
            }
          >
            Standaardtekst terugzetten
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a textarea cannot show bold text or a list */}
      <div
        ref={field}
        id={id}
        class="block__text utrecht-textarea"
        role="textbox"
        aria-multiline="true"
        aria-label={`Tekst van ${name}`}
        tabIndex={0}
      />
      <p class="small" role="status">
        {told}
      </p>
      <Add
        id={`${id}-invulplek`}
        label="Invulplek invoegen"
        about={`in ${name}`}
        button="Voeg in"
        options={usable.map(([key, { label }]) => [key, label])}
        onAdd={(key) =>
          use(({ tr }, dispatch) => {
            dispatch?.(tr.replaceSelectionWith(schema.node('placeholder', { key }), false).scrollIntoView());
            return true;
          })
        }
      />
    </div>
  );
}

const NO_PICTURE = 'De afbeelding is niet geplakt: in een brief kan alleen tekst.';

/** Returns true for a picture that is not only another form of a text, such as Excel gives beside its text. */
const hasPicture = (pasted: DataTransfer) =>
  /<img\b/i.test(pasted.getData('text/html')) ||
  (pasted.getData('text/plain') === '' && [...pasted.files].some(({ type }) => type.startsWith('image/')));

const stateOf = (content: RichTextBlockDto) => EditorState.create({ doc: documentOf(content), plugins: PLUGINS });

/** Returns the marks of the whole selection, or of the text that is typed next, and the list in which it begins. */
function pressedIn(state: EditorState) {
  const { from, to, empty } = state.selection;
  const marks = MARKS.filter((name) => {
    const type = schema.marks[name];
    if (empty) return type.isInSet(marksAt(state)) !== undefined;
    let isWhole = true;
    state.doc.nodesBetween(from, to, (node) => {
      if (node.isText && !type.isInSet(node.marks)) isWhole = false;
    });
    return isWhole;
  });
  return [...marks, listAt(state)];
}

type AddProps = Record<'id' | 'label' | 'about' | 'button', string> & {
  options: readonly Option[];
  onAdd: (value: string) => void;
};

/** Shows a drop-down list with a button, which calls `onAdd` with the value that is chosen. */
export function Add({ id, label, about, button, options, onAdd }: AddProps) {
  const first = options[0]?.[0] ?? '';
  const [chosen, setChosen] = useState(first);
  return (
    <div class="section__add no-print">
      <Select id={id} label={[label, <About>{about}</About>]} value={chosen} options={options} onInput={setChosen} />
      <Button
        about={about}
        onClick={() => {
          onAdd(chosen);
          setChosen(first);
        }}
      >
        {button}
      </Button>
    </div>
  );
}
