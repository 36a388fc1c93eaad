/** The parameters of a path that is like a pattern with `:name` or `{name}` in it and perhaps a `*` before; null when it is not. */
export function matcher(pattern: string): (path: string) => Readonly<Record<string, string>> | null {
  const names: string[] = [];
  const source = pattern
    .replaceAll(/[.+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/:(\w+)|\{(\w+)\}/g, (_, colon?: string, braces?: string) => {
      names.push(colon ?? braces ?? '');
      return '([^/]+)';
    })
    .replaceAll('*', '.*');
  const expression = new RegExp(`^${source}$`);
  return (path) => {
    const found = expression.exec(path);
    return found && Object.fromEntries(names.map((name, index) => [name, decoded(found[index + 1] ?? '')]));
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
