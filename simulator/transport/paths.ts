export type Params = Readonly<Record<string, string>>;

const NO_PARAMS: Params = {};

/**
 * Returns a function for paths: it returns the decoded path parameters when a path matches `pattern`, otherwise null.
 * In `pattern`, `:name` or `{name}` matches any segment that is not empty, and a `*` at the start matches any number of
 * segments.
 */
export function matcher(pattern: string): (path: string) => Params | null {
  const isEnd = pattern.startsWith('*');
  const wanted = pattern.slice(isEnd ? 1 : 0).split('/');
  const names = wanted.map((segment) => {
    const [, colon, braces] = /^(?::(\w+)|\{(\w+)\})$/.exec(segment) ?? [];
    return colon ?? braces;
  });
  const isLike = (segment: string, index: number): boolean => {
    if (isEnd && index === 0) return true;
    return names[index] === undefined ? wanted[index] === segment : segment !== '';
  };
  // Most paths do not match, and most patterns have no parameters: both are decided by how a path ends.
  const lastName = names.findLastIndex((name) => name !== undefined);
  const tail = wanted.slice(lastName + 1).join('/');
  const hasNames = lastName !== -1;
  return (path) => {
    if (!path.endsWith(tail)) return null;
    if (!hasNames && (isEnd || path === tail)) return NO_PARAMS;
    const segments = path.split('/');
    const given = isEnd ? segments.slice(Math.max(0, segments.length - wanted.length)) : segments;
    if (given.length !== wanted.length || !given.every(isLike)) return null;
    return Object.fromEntries(
      names.flatMap((name, index) => (name === undefined ? [] : [[name, decode(given[index] ?? '')]])),
    );
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
