import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BY_FILE } from './licences.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/**
 * Returns the software bill of materials (SBOM, CycloneDX 1.5 JSON) of the packages in these folders
 * (`node_modules/<name>`) of `root`, as its lockfile has them, for a component with this name and description. It has no
 * serial number or time, so that the same source gives the same text.
 */
export function sbomOf(
  root: string,
  folders: ReadonlySet<string>,
  own: { readonly name: string; readonly description: string },
): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const made = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const { serialNumber: _number, metadata, components, dependencies, ...rest } = made;
  const { timestamp: _moment, ...described } = metadata;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const refs = new Set(
    [...folders].map((folder) => `${folder.replace(/^.*node_modules\//, '')}@${lock.packages[folder].version}`),
  );
  const kept = (components as Component[]).filter((one) => refs.has(one['bom-ref']));
  // npm names the component after the folder.
  const component = { ...described.component, ...own };
  refs.add(component['bom-ref']);
  const licensed = kept.map((one) => {
    const id = BY_FILE[one.name];
    return one.licenses === undefined && id !== undefined ? { ...one, licenses: [{ license: { id } }] } : one;
  });
  const graph = (dependencies as Dependency[])
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return `${JSON.stringify({ ...rest, metadata: { ...described, component }, components: licensed, dependencies: graph }, null, 2)}\n`;
}
