/**
 * `npm run build`: makes `dist/`, the service and its packages in a few files
 * (decisions/0004-what-production-runs.md). An argument replaces the path of `dist/`. The types are not checked:
 * `npm run types` does that.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { INPUT, OUTPUT } from './bundle.ts';
import { NODE_OPTIONS } from './node-options.ts';
import { noticesOf, packagesOf } from './notices.ts';
import { sbomOf } from './sbom.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(process.argv[2] ?? join(root, 'dist'));

rmSync(dist, { recursive: true, force: true });
const { output } = await build({
  ...INPUT,
  input: { start: join(root, 'production.js') },
  cwd: root,
  output: { ...OUTPUT, dir: dist, comments: { legal: false, jsdoc: false, annotation: true } },
});
const packages = packagesOf(
  root,
  output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : [])),
);

function buildId(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(dist).sort()) hash.update(`${file}\0`).update(readFileSync(join(dist, file)));
  return hash.digest('hex').slice(0, 12);
}

const { name, version, description, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const own = {
  ...{ name, version, private: true, license, type: 'module', main: 'start.js', engines, build: buildId() },
  description: description.replace(/, with .*/, ''),
  scripts: { start: `node ${NODE_OPTIONS.join(' ')} start.js`, migrate: 'node start.js migrate' },
};
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
writeFileSync(join(dist, 'sbom.cdx.json'), sbomOf(root, packages, { name, description: own.description }));
writeFileSync(join(dist, 'LICENCES.txt'), noticesOf(root, packages));
