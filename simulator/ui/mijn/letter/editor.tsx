import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LibraryPassageDto, PlaceholderDefDto, RichTextBlockDto } from 'zorgregister-bff/client';
import type { Mark } from '../../../../src/wire/values.ts';
import { HIGHLIGHT } from '../../../letters/letter.ts';
import { type Option, Select } from '../../components/fields.tsx';
import { Button } from '../../components/parts.tsx';
import { focusField } from '../calls/failure.tsx';
import * as edits from './edits.ts';
import { fromTree, placeholderText, type Tree, toTree } from './rich-text.ts';

/** The buttons for marks and lists: what they set, their label, and the key that does the same with Control. */
const TOOLS = [
  ['bold', 'Vet', 'B'],
  ['italic', 'Cursief', 'I'],
  ['underline', 'Onderstreept', 'U'],
  ['bullet', 'Opsomming', 'Shift+8'],
  ['number', 'Nummering', 'Shift+7'],
] as const;
type Tool = (typeof TOOLS)[number][0];

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
}

interface EditorProps {
  id: string;
  name: string;
  content: RichTextBlockDto;
  letter: LetterView;
  onChange: (content: RichTextBlockDto) => void;
}

/** A text while it is edited, with its selection. `marks` are those of the next text; null for those of its place. */
interface Edited extends edits.Selected {
  readonly atoms: readonly edits.Atom[];
  readonly marks: readonly Mark[] | null;
}

/**
 * Shows a rich text that a user edits as it looks, with buttons for its marks, lists and placeholders. Each edit is made
 * in the rich text (edits.ts), which is then drawn again; only what an input method composes is read from the page. A
 * text that ends as it began is the `content` from before, so that it is saved unchanged.
 */
export function Editor({ id, name, content, letter: { placeholders, filled }, onChange }: EditorProps) {
  const field = useRef<HTMLDivElement>(null);
  const now = useRef<Edited>({ atoms: [], from: 0, to: 0, marks: null });
  const past = useRef<{ before: Edited; kind: string }[]>([]);
  const future = useRef<Edited[]>([]);
  const first = useRef(content);
  const shown = useRef<RichTextBlockDto | null>(null);
  const isComposing = useRef(false);
  const [pressed, setPressed] = useState<readonly (string | null)[]>([]);
  const root = () => field.current as HTMLDivElement;

  const showPressed = ({ atoms, marks, ...range }: Edited) =>
    setPressed([...(marks ?? edits.marksAt(atoms, range)), edits.listAt(atoms, range.from)]);

  /** Shows in each placeholder what is filled in for it, or its label. */
  function drawPlaceholders() {
    for (const one of root().querySelectorAll<HTMLElement>('[data-key]')) {
      const key = one.dataset.key ?? '';
      const text = placeholderText(key, filled.get(key) ?? null, placeholders);
      const isOpen = text.startsWith(HIGHLIGHT[0]);
      one.className = isOpen ? 'placeholder open-blank' : 'placeholder';
      one.title = placeholders.get(key)?.label ?? key;
      one.textContent = isOpen ? text.slice(1, -1) : text;
    }
  }
  /** Draws the text, and puts the selection in it. */
  function draw() {
    root().replaceChildren(...toTree(edits.contentOf(now.current.atoms)).map(elementOf));
    drawPlaceholders();
    if (document.activeElement !== root()) return;
    const end = placeOf(root(), now.current.to);
    getSelection()?.setBaseAndExtent(...placeOf(root(), now.current.from), ...end);
    (end[0] instanceof Element ? end[0] : end[0].parentElement)?.scrollIntoView({ block: 'nearest' });
  }
  useLayoutEffect(() => {
    if (shown.current === null || shapeOf(shown.current) !== shapeOf(content)) {
      first.current = content;
      past.current = [];
      future.current = [];
      now.current = { atoms: edits.atomsOf(content), from: 0, to: 0, marks: null };
      draw();
    } else drawPlaceholders();
    // What was filled in since is not undone with the text.
    if (shapeOf(first.current) === shapeOf(content)) first.current = content;
    shown.current = content;
  }, [content, filled]);

  /** Shows a text, and passes it on when it was edited. */
  function show(next: Edited) {
    const isEdited = next.atoms !== now.current.atoms;
    now.current = next;
    showPressed(next);
    if (!isEdited) return;
    draw();
    const content = written(next.atoms, filled);
    const isAsBefore = shapeOf(content) === shapeOf(written(edits.atomsOf(first.current), filled));
    shown.current = isAsBefore ? first.current : content;
    onChange(shown.current);
  }

  /** Takes the selection of the page, which the browser reports only later. */
  function readSelection() {
    const selection = getSelection();
    if (!selection?.rangeCount || document.activeElement !== root() || isComposing.current) return;
    const range = edits.trimmed(now.current.atoms, rangeOf(root(), selection.getRangeAt(0)));
    if (range.from === now.current.from && range.to === now.current.to) return;
    now.current = { ...now.current, ...range, marks: null };
    const last = past.current.at(-1);
    if (last !== undefined) last.kind = '';
    showPressed(now.current);
  }
  /** Makes an edit that can be undone. Edits of one kind that follow each other are undone at once. */
  function edit(atoms: readonly edits.Atom[], from: number, to = from, kind = '', marks: Edited['marks'] = null) {
    const last = past.current.at(-1);
    if (kind === '' || last?.kind !== kind || future.current.length > 0)
      past.current.push({ before: now.current, kind });
    future.current = [];
    show({ atoms, from, to, marks });
  }
  function undo() {
    const last = past.current.pop();
    if (last === undefined) return;
    future.current.push(now.current);
    show(last.before);
  }
  function redo() {
    const next = future.current.pop();
    if (next === undefined) return;
    past.current.push({ before: now.current, kind: '' });
    show(next);
  }
  function insert(atoms: readonly edits.Atom[], kind = '', range: edits.Selected = now.current) {
    const place = range.from + atoms.length;
    edit(edits.replace(now.current.atoms, range, atoms), place, place, kind);
  }
  function use(tool: Tool) {
    readSelection();
    root().focus();
    const { atoms, marks, from, to } = now.current;
    if (tool === 'bullet' || tool === 'number') edit(edits.toggleList(atoms, { from, to }, tool), from, to);
    else if (from < to) edit(edits.toggleMark(atoms, { from, to }, tool), from, to);
    else {
      const own = marks ?? edits.marksAt(atoms, { from, to });
      show({ ...now.current, marks: edits.toggled(own, tool, !own.includes(tool)) });
    }
  }
  function remove(kind: string, { from, to }: edits.Selected) {
    const { atoms } = now.current;
    const isBack = kind.includes('Backward');
    const list = edits.listAt(atoms, now.current.from);
    // Backspace at the start of an item of a list takes it out of the list.
    if (isBack && list !== null && now.current.to === edits.startOf(atoms, now.current.from))
      edit(edits.toggleList(atoms, now.current, list), now.current.from);
    else if (from < to) insert([], kind, { from, to });
    else if (isBack && from > 0) insert([], kind, { from: from - 1, to });
    else if (!isBack && to < atoms.length - 1) insert([], kind, { from, to: to + 1 });
  }
  /** Makes the edit of an event of the browser in the rich text. An edit that a rich text cannot hold is not made. */
  function onEdit(event: InputEvent) {
    const { inputType: kind, data, dataTransfer } = event;
    if (event.isComposing || kind.includes('Composition')) return;
    event.preventDefault();
    readSelection();
    const { atoms, marks, from, to } = now.current;
    const [target] = event.getTargetRanges();
    const range = target === undefined ? { from, to } : edits.trimmed(atoms, rangeOf(root(), target));
    const own = marks ?? edits.marksAt(atoms, { from, to });
    if (kind === 'historyUndo') undo();
    else if (kind === 'historyRedo') redo();
    else if (kind.startsWith('delete') && kind !== 'deleteByDrag') remove(kind, range);
    else if (kind === 'insertParagraph') {
      const next = edits.split(atoms, { from, to });
      edit(next.atoms, next.place, next.place, '', own);
    } else if (kind === 'insertLineBreak')
      edit(edits.replace(atoms, { from, to }, [edits.LINE_BREAK]), from + 1, from + 1, '', own);
    else if (kind === 'insertText') insertText(data ?? '', kind, range);
    // The replacement of a word by the spelling checker.
    else if (kind === 'insertReplacementText') insertText(data ?? dataTransfer?.getData('text/plain') ?? '', '', range);
  }
  function insertText(text: string, kind: string, range: edits.Selected) {
    const { atoms, marks } = now.current;
    const typed = edits.plainAtoms(text, marks ?? edits.marksAt(atoms, range), edits.listAt(atoms, range.from));
    insert(typed, kind, range);
  }
  /** Takes only the plain text that is pasted. */
  function onPaste(event: ClipboardEvent) {
    event.preventDefault();
    readSelection();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    insertText(
      text
        .split(/[\r\n]+/)
        .filter(Boolean)
        .join('\n'),
      '',
      now.current,
    );
  }
  function onKeyDown(event: KeyboardEvent) {
    const { key, code, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (!(ctrlKey || metaKey) || altKey) return;
    const pressedKey = /^Digit/.test(code) ? code.slice(-1) : key.toUpperCase();
    const tool = TOOLS.find(([, , own]) => own === (shiftKey ? `Shift+${pressedKey}` : pressedKey))?.[0];
    if (tool !== undefined) use(tool);
    else if (pressedKey === 'Z') (shiftKey ? redo : undo)();
    else if (pressedKey === 'Y') redo();
    else return;
    event.preventDefault();
  }
  function onCompose() {
    readSelection();
    isComposing.current = true;
  }
  /** Reads what an input method composed, which gets the marks that were chosen before it. */
  function onComposed() {
    isComposing.current = false;
    const selection = getSelection();
    const place = selection?.rangeCount ? rangeOf(root(), selection.getRangeAt(0)).to : 0;
    const { from, marks } = now.current;
    const atoms = edits.atomsOf(fromTree(root(), filled));
    edit(marks === null ? atoms : edits.withMarks(atoms, { from, to: place }, () => marks), place);
  }

  // The listeners are added once, and call the functions of the last time that this was shown.
  const latest = useRef({ onEdit, onCompose, onComposed, readSelection });
  latest.current = { onEdit, onCompose, onComposed, readSelection };
  useEffect(() => {
    const text = root();
    const onSelect = () => latest.current.readSelection();
    text.addEventListener('beforeinput', (event) => latest.current.onEdit(event));
    text.addEventListener('compositionstart', () => latest.current.onCompose());
    text.addEventListener('compositionend', () => latest.current.onComposed());
    document.addEventListener('selectionchange', onSelect);
    return () => document.removeEventListener('selectionchange', onSelect);
  }, []);

  const usable = [...placeholders].filter(
    ([, { autoResolvable, fillable, deprecated }]) => !deprecated && (autoResolvable || fillable),
  );
  return (
    <div class="editor">
      {/* biome-ignore lint/a11y/useSemanticElements: these buttons are not a set of fields */}
      <div class="buttons editor__tools" role="group" aria-label={`Opmaak van ${name}`}>
        {TOOLS.map(([tool, label, key]) => (
          <Button
            key={tool}
            aria-pressed={pressed.includes(tool)}
            aria-keyshortcuts={`Control+${key}`}
            onMouseDown={(event: Event) => event.preventDefault()}
            onClick={() => use(tool)}
          >
            {label}
          </Button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a textarea cannot show bold text or a list */}
      <div
        ref={field}
        id={id}
        class="block__text utrecht-textarea"
        role="textbox"
        aria-multiline="true"
        aria-label={`Tekst van ${name}`}
        aria-describedby={`${id}-uitleg`}
        contentEditable
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onClick={(event: Event) => {
          const key = (event.target as HTMLElement).dataset.key;
          if (key !== undefined) focusField(`invul-${key}`);
        }}
      />
      <div class="hint small" id={`${id}-uitleg`}>
        Enter begint een alinea, Shift+Enter een nieuwe regel.
      </div>
      <Add
        id={`${id}-invulplek`}
        label="Invulplek invoegen"
        about={`in ${name}`}
        button="Voeg in"
        options={usable.map(([key, { label }]) => [key, label])}
        onAdd={(key) => {
          root().focus();
          insert([{ type: 'placeholder', key, text: null, marks: null }]);
        }}
      />
    </div>
  );
}

/** Returns the text of these atoms as it is saved: without empty paragraphs, and with what is filled in. */
const written = (atoms: readonly edits.Atom[], filled: ReadonlyMap<string, string | null>): RichTextBlockDto => ({
  paragraphs: edits
    .contentOf(atoms)
    .paragraphs.filter(({ nodes }) => nodes.length > 0)
    .map(({ nodes, list }) => ({
      nodes: nodes.map((one) => (one.type === 'placeholder' ? { ...one, text: filled.get(one.key) ?? null } : one)),
      list,
    })),
});

/** Makes the element of a tree. A placeholder cannot be edited. */
function elementOf(tree: Tree): HTMLElement | string {
  if (typeof tree === 'string') return tree;
  const [name, children, dataset = {}] = tree;
  const element = document.createElement(name);
  Object.assign(element.dataset, dataset);
  if (dataset.key !== undefined) element.contentEditable = 'false';
  element.append(...children.map(elementOf));
  return element;
}

/** Returns the places of a selection in the page as numbers of atoms before them. */
function rangeOf(root: HTMLElement, { startContainer, startOffset, endContainer, endOffset }: StaticRange | Range) {
  const placeAt = (node: Node, offset: number) => {
    const before = document.createRange();
    before.setStart(root, 0);
    before.setEnd(node, offset);
    return edits.atomsOf(fromTree(before.cloneContents(), new Map())).length - 1;
  };
  return { from: placeAt(startContainer, startOffset), to: placeAt(endContainer, endOffset) };
}

/** Returns the place in the page that has this number of atoms before it. */
function placeOf(root: HTMLElement, place: number): [node: Node, offset: number] {
  let left = place;
  for (const paragraph of root.querySelectorAll('p, li')) {
    for (const leaf of leavesOf(paragraph)) {
      if (leaf instanceof Text && left <= leaf.length) return [leaf, left];
      const { parentNode } = leaf;
      if (left === 0 && parentNode) return [parentNode, [...parentNode.childNodes].indexOf(leaf)];
      left -= leaf instanceof Text ? leaf.length : 1;
    }
    if (left <= 0) return [paragraph, paragraph.childNodes.length];
    left -= 1;
  }
  return [root, root.childNodes.length];
}

/** Returns the texts, line breaks and placeholders in an element, without what only fills a line. */
const leavesOf = (node: ChildNode): ChildNode[] =>
  node instanceof HTMLElement && (node.dataset.key !== undefined || node.tagName === 'BR')
    ? node.dataset.filler === undefined
      ? [node]
      : []
    : node.hasChildNodes()
      ? [...node.childNodes].flatMap(leavesOf)
      : [node];

type AddProps = {
  id: string;
  label: string;
  about: string;
  button: string;
  options: readonly Option[];
  onAdd: (value: string) => void;
};

/** Shows a drop-down list with a button, which calls `onAdd` with the value that is chosen. */
export function Add({ id, label, about, button, options, onAdd }: AddProps) {
  const first = options[0]?.[0] ?? '';
  const [chosen, setChosen] = useState(first);
  return (
    <div class="section__add no-print">
      <Select
        id={id}
        label={
          <>
            {label}
            <span class="visually-hidden"> {about}</span>
          </>
        }
        value={chosen}
        options={options}
        onInput={setChosen}
      />
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
