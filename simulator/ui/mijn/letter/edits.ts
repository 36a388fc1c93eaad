import type { ParagraphDto, RichTextBlockDto, RichTextNodeDto } from 'zorgregister-bff/client';
import { withoutForbidden } from '../../../../src/wire/rich-text.ts';
import { type List, MARKS, type Mark } from '../../../../src/wire/values.ts';

/** The smallest part of a rich text: a character, a placeholder, a line break, or the end of a paragraph. */
export type Atom = RichTextNodeDto | { type: 'end'; list: List | null };

/** Returns the atoms of a rich text. The last one is the end of a paragraph. */
export function atomsOf({ paragraphs }: RichTextBlockDto): Atom[] {
  const written: ParagraphDto[] = paragraphs.length > 0 ? paragraphs : [{ nodes: [], list: null }];
  return written.flatMap(({ nodes, list }): Atom[] => [
    ...nodes.flatMap((node): Atom[] =>
      node.type === 'text' ? node.text.split('').map((text) => ({ ...node, text })) : [node],
    ),
    { type: 'end', list },
  ]);
}

/** Returns the rich text of these atoms. Text with the same marks becomes one node. */
export function contentOf(atoms: readonly Atom[]): RichTextBlockDto {
  const paragraphs: ParagraphDto[] = [];
  let nodes: RichTextNodeDto[] = [];
  for (const atom of atoms) {
    const last = nodes.at(-1);
    if (atom.type === 'end') {
      paragraphs.push({ nodes, list: atom.list });
      nodes = [];
    } else if (atom.type === 'text' && last?.type === 'text' && `${last.marks}` === `${atom.marks}`)
      last.text += atom.text;
    else nodes.push({ ...atom });
  }
  return { paragraphs };
}

/** A line break. */
export const LINE_BREAK: Atom = { type: 'lineBreak', text: null, marks: null, key: null };

/** Returns the atoms of a plain text, with the characters that the service accepts. Each line becomes a paragraph. */
export const plainAtoms = (text: string, marks: readonly Mark[], list: List | null): Atom[] =>
  text.split(/[\r\n\u2028\u2029]+/).flatMap((line, index): Atom[] => [
    ...(index > 0 ? [{ type: 'end' as const, list }] : []),
    ...withoutForbidden(line)
      .split('')
      .map((one): Atom => ({ type: 'text', text: one, marks: [...marks], key: null })),
  ]);

/** A selection in a list of atoms: the number of atoms before its start and before its end. */
export interface Selected {
  readonly from: number;
  readonly to: number;
}

/** Returns the atoms with others in the place of a selection. Paragraphs that become one keep the list of the first. */
export function replace(atoms: readonly Atom[], { from, to }: Selected, others: readonly Atom[]): Atom[] {
  const first = atoms.slice(from, to).find(({ type }) => type === 'end');
  const after = atoms.slice(to);
  if (first !== undefined) after[after.findIndex(({ type }) => type === 'end')] = first;
  return [...atoms.slice(0, from), ...others, ...after];
}

/** Returns the list of the paragraph that contains a place. */
export const listAt = (atoms: readonly Atom[], place: number): List | null =>
  atoms.slice(place).find((one) => one.type === 'end')?.list ?? null;

/** Returns the place at which the paragraph of a place begins. */
export const startOf = (atoms: readonly Atom[], place: number): number =>
  atoms.slice(0, place).findLastIndex(({ type }) => type === 'end') + 1;

/** Returns a selection without the start of the paragraph after it, up to which a triple click selects. */
export const trimmed = (atoms: readonly Atom[], { from, to }: Selected): Selected =>
  to - from > 1 && from === startOf(atoms, from) && to === startOf(atoms, to) ? { from, to: to - 1 } : { from, to };

/** Returns the marks that a text has which is typed in the place of a selection. */
export function marksAt(atoms: readonly Atom[], { from, to }: Selected): readonly Mark[] {
  const before = atoms[from - 1];
  const next = from === to && before?.type === 'text' ? before : atoms[from];
  const texts = from === to ? [next] : atoms.slice(from, to).filter(({ type }) => type === 'text');
  return MARKS.filter(
    (mark) => texts.length > 0 && texts.every((one) => one?.type === 'text' && one.marks.includes(mark)),
  );
}

/** Returns the marks with one of them on or off, in the order of `MARKS`. */
export const toggled = (marks: readonly Mark[], mark: Mark, isOn: boolean): Mark[] =>
  MARKS.filter((one) => (one === mark ? isOn : marks.includes(one)));

/** Returns the atoms with a mark on the whole selection or, when all of it has that mark, without it. */
export function toggleMark(atoms: readonly Atom[], range: Selected, mark: Mark): Atom[] {
  const isOn = !marksAt(atoms, range).includes(mark);
  return withMarks(atoms, range, (marks) => toggled(marks, mark, isOn));
}

/** Returns the atoms in which each text of a selection has the marks that `change` makes of its own. */
export const withMarks = (
  atoms: readonly Atom[],
  { from, to }: Selected,
  change: (marks: readonly Mark[]) => readonly Mark[],
): Atom[] =>
  atoms.map((one, index) =>
    one.type === 'text' && index >= from && index < to ? { ...one, marks: [...change(one.marks)] } : one,
  );

/** Returns the atoms with the paragraphs of a selection in a list or, when all of them are in it, outside of it. */
export function toggleList(atoms: readonly Atom[], { from, to }: Selected, list: List): Atom[] {
  const last = atoms.findIndex(({ type }, index) => type === 'end' && index >= to);
  const isSelected = (one: Atom, index: number) => one.type === 'end' && index >= from && index <= last;
  const isInList = atoms.every((one, index) => !isSelected(one, index) || (one.type === 'end' && one.list === list));
  return atoms.map((one, index) => (isSelected(one, index) ? { type: 'end', list: isInList ? null : list } : one));
}

/** Returns the atoms after Enter, which begins a paragraph and ends a list at an empty item. */
export function split(atoms: readonly Atom[], range: Selected): { atoms: Atom[]; place: number } {
  const { from, to } = range;
  const list = listAt(atoms, from);
  const isEmpty = atoms[to]?.type === 'end' && to === startOf(atoms, from);
  if (isEmpty && list !== null) return { atoms: toggleList(atoms, range, list), place: from };
  return { atoms: replace(atoms, range, [{ type: 'end', list }]), place: from + 1 };
}
