/**
 * `npm run release -- <version> [--dry-run]`: makes a release in `release/`: the packages, the artefact, its SBOM and the
 * SHA-256 digests of all. It moves the changes of CHANGELOG.md to a section of the version, commits and tags. It pushes
 * and publishes nothing. A dry run does all of this but the commit and the tag, and restores the files.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const release = join(root, 'release');
/** The files that name the version. */
const VERSIONED = ['package.json', 'package-lock.json', 'publiccode.yml', 'CHANGELOG.md'];
/** The kinds of commit that users notice, and the heading of each in the changelog. */
const HEADINGS: Readonly<Record<string, string>> = { feat: 'Added', fix: 'Fixed', perf: 'Faster' };

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const run = (command: string, ...args: string[]): void => {
  execFileSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
};
const rewrite = (file: string, change: (text: string) => string): void =>
  writeFileSync(join(root, file), change(readFileSync(join(root, file), 'utf8')));

/** Returns lines of the changelog for the commits since the last release; before the first, since the changelog exists. */
function changesInCommits(): string {
  const [tag] = git('tag', '--list', 'v*', '--merged=HEAD', '--sort=-v:refname').split('\n');
  const since = tag || git('log', '--diff-filter=A', '--format=%H', '--', 'CHANGELOG.md').split('\n').at(-1);
  const subjects = git('log', '--no-merges', '--format=%s', `${since}..HEAD`).split('\n');
  const found = Object.entries(HEADINGS).map(([type, heading]) => {
    const lines = subjects.flatMap((subject) => {
      const [, own, scope = '', what = ''] = /^(\w+)(?:\(([^)]*)\))?!?: (.*)$/.exec(subject) ?? [];
      return own === type ? `- ${scope && `**${scope}:** `}${what}` : [];
    });
    return lines.length === 0 ? '' : `### ${heading}\n\n${lines.sort().join('\n')}\n\n`;
  });
  return found.join('');
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
const isDry = values['dry-run'] === true;
const [version = ''] = positionals;
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('npm run release -- <version, such as 1.1.0> [--dry-run]');
if (git('status', '--porcelain') !== '') throw new Error('commit your changes first');
if (git('tag', '--list', `v${version}`) !== '') throw new Error(`v${version} exists`);

const today = new Date().toISOString().slice(0, 10);
const section = `## ${version} (${today})\n\n`;
try {
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  rewrite('publiccode.yml', (text) =>
    text
      .replace(/^softwareVersion: .*$/m, `softwareVersion: ${version}`)
      .replace(/^releaseDate: .*$/m, `releaseDate: "${today}"`),
  );
  rewrite('CHANGELOG.md', (text) =>
    text.replace('## Unreleased\n\n', `## Unreleased\n\n${section}${changesInCommits()}`),
  );

  rmSync(release, { recursive: true, force: true });
  mkdirSync(release);
  run('npm', 'run', 'build');
  copyFileSync(join(root, 'dist/sbom.cdx.json'), join(release, `zorgregister-bff-${version}.cdx.json`));
  run('tar', '-czf', join(release, `zorgregister-bff-${version}-artefact.tgz`), 'dist');
  run('npm', 'run', 'pack', '--', release);
  const digests = readdirSync(release).map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(release, file)))
        .digest('hex')}  ${file}\n`,
  );
  writeFileSync(join(release, 'SHA256SUMS'), digests.join(''));

  if (isDry) process.stdout.write(`${git('diff', '--', 'CHANGELOG.md', 'publiccode.yml')}\n${digests.join('')}`);
  else {
    run('git', 'commit', '-q', '-m', `chore(release): ${version}`, '--', ...VERSIONED);
    run('git', 'tag', '-a', `v${version}`, '-m', `zorgregister-bff ${version}`);
  }
} finally {
  if (isDry) run('git', 'restore', '--', ...VERSIONED);
}
