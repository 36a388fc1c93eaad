import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';

/** A regular expression in a source file. */
export interface Expression {
  readonly file: string;
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly pattern: string;
  readonly flags: string;
}

/**
 * The regular expressions in source files (`expressions`), and the places where a regular expression is made from a
 * text that is only known at run time (`computed`).
 */
export interface Found {
  readonly expressions: readonly Expression[];
  readonly computed: readonly Pick<Expression, 'file' | 'line'>[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const EXCLUDED = ['**/node_modules/**', 'dist/**', 'lib/**', 'test/**', 'tools/{attack,browser,compat,guides}/**'];

/** Returns the regular expressions in the TypeScript and JavaScript sources of this repository, except in tests. */
export function expressionsInSources(): Found {
  const found = globSync('**/*.{ts,tsx,js}', { cwd: root, exclude: EXCLUDED })
    .filter((file) => !file.endsWith('.d.ts'))
    .sort()
    .map((file) => expressionsIn(file, readFileSync(`${root}/${file}`, 'utf8')));
  return {
    expressions: found.flatMap(({ expressions }) => expressions),
    computed: found.flatMap(({ computed }) => computed),
  };
}

/**
 * Returns the regular expressions in the text of one source file: literals and `RegExp` calls. Throws when the text
 * cannot be parsed.
 */
export function expressionsIn(file: string, source: string): Found {
  const expressions: Expression[] = [];
  const computed: { file: string; line: number }[] = [];
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;

  function called({ callee, arguments: given, start }: Call): void {
    if (!('name' in callee) || callee.name !== 'RegExp') return;
    if (given[0]?.type === 'Literal' && 'regex' in given[0]) return;
    const [pattern, flags] = given.map(textOf);
    const line = lineAt(start);
    if (typeof pattern === 'string' && flags !== null) expressions.push({ file, line, pattern, flags: flags ?? '' });
    else computed.push({ file, line });
  }

  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  new Visitor({
    Literal(node) {
      if ('regex' in node) expressions.push({ file, line: lineAt(node.start), ...node.regex });
    },
    NewExpression: called,
    CallExpression: called,
  }).visit(program);
  return { expressions, computed };
}

interface ArgumentNode {
  readonly type: string;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

interface Call {
  readonly callee: object;
  readonly arguments: readonly ArgumentNode[];
  readonly start: number;
}

/** Returns the value of a constant string in the syntax tree; null for anything else. */
function textOf(node: ArgumentNode): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral' && node.quasis?.length === 1) return node.quasis[0]?.value.cooked ?? null;
  return null;
}
