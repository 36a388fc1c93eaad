import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const INCLUDED = '**/*.{ts,js,md,yaml,html,css}';
const EXCLUDED = ['node_modules', 'dist', 'lib', '.data*', '.git', 'coverage'];

/** The texts of the source files and documents of the repository, keyed by path from the root. */
export const TEXTS: ReadonlyMap<string, string> = new Map(
  [
    ...globSync(INCLUDED, { cwd: root, exclude: (name) => EXCLUDED.some((one) => posix.matchesGlob(name, one)) }),
    '.ci/run',
    'Dockerfile',
    'llms.txt',
  ]
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path): [string, string] => [path, readFileSync(join(root, path), 'utf8')]),
);

export interface Page {
  readonly path: string;
  readonly text: string;
  readonly headings: readonly string[];
  /** The names that a link to the page can have after `#`, as on GitHub. */
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
  /** The inline code and code blocks of the page, without the TypeScript examples. */
  readonly code: readonly string[];
  /** The lines of the shell blocks of the page. Lines that end with a backslash are joined with the next one. */
  readonly commands: readonly string[];
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

function toPage(path: string, text: string): Page {
  const prose = text.replaceAll(FENCE, '');
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title);
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const blocks = [...text.matchAll(FENCE)].map(([, language = '', code = '']) => ({ language, code }));
  return {
    path,
    text,
    headings,
    anchors: anchorsOf(headings),
    links: [...prose.replaceAll(/`[^`\n]+`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target),
    code: [...spans, ...blocks.filter(({ language }) => language !== 'ts').map(({ code }) => code)],
    commands: blocks
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.replaceAll(/ *\\\n */g, ' ').split('\n'))
      .filter((line) => line !== ''),
  };
}

function anchorsOf(headings: readonly string[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const title of headings) {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The README, the pages in `docs`, and those in `adapters`. */
export const PAGES: readonly Page[] = [...TEXTS]
  .filter(([path]) => path === 'README.md' || /^(docs|adapters)\/.*\.md$/.test(path))
  .map(([path, text]) => toPage(path, text));

/**
 * Returns the page to which a file refers; undefined for none. The path may start from `docs`, the root, or the folder
 * of that file.
 */
export function pageNamed(name: string, from: string): Page | undefined {
  const candidates = [posix.join('docs', name), name, posix.join(dirname(from), name)];
  return PAGES.find(({ path }) => candidates.includes(path));
}
