/**
 * Returns a function that matches a path against `pattern`: it returns the decoded path parameters, or null without a
 * match. A segment `:name` or `{name}` matches any segment that is not empty. A `*` at the start matches any number of
 * segments.
 */
export function matcher(pattern: string): (path: string) => Readonly<Record<string, string>> | null {
  const isEnd = pattern.startsWith('*');
  const wanted = pattern.slice(isEnd ? 1 : 0).split('/');
  const names = wanted
    .map((segment) => /^(?::(\w+)|\{(\w+)\})$/.exec(segment))
    .map((found) => found?.[1] ?? found?.[2]);
  return (path) => {
    const segments = path.split('/');
    const given = isEnd ? segments.slice(Math.max(0, segments.length - wanted.length)) : segments;
    const isLike = (segment: string, index: number) => {
      if (isEnd && index === 0) return true;
      return names[index] === undefined ? given[index] === segment : given[index] !== '';
    };
    if (given.length !== wanted.length || !wanted.every(isLike)) return null;
    return Object.fromEntries(
      names.flatMap((name, index) => (name === undefined ? [] : [[name, decoded(given[index] ?? '')]])),
    );
  };
}

/** Returns decoded text; text that is not validly encoded is returned unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
