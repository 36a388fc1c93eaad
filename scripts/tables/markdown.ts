/** Returns a Markdown table with the column titles `head`, and the row that `toRow` makes of each item. */
export const table = <Item>(
  head: readonly string[],
  items: readonly Item[],
  toRow: (item: Item) => readonly string[],
): string =>
  [head, head.map(() => '---'), ...items.map(toRow)]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
