import { execFileSync } from 'node:child_process';
import { BY_FILE } from './licences.ts';

interface Component {
  name: string;
  licenses?: readonly { readonly license: { readonly id: string } }[];
}

/**
 * Returns the software bill of materials (SBOM, CycloneDX 1.5 JSON) of a folder with a package-lock.json, without
 * development packages. It has no serial number or time, so that the same source gives the same text.
 */
export function sbomOf(folder: string, { name }: { readonly name: string }): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'];
  const made = JSON.parse(
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const { serialNumber: _number, metadata, components, ...rest } = made;
  const { timestamp: _moment, ...described } = metadata;
  // npm names the component after the folder.
  const component = { ...described.component, name };
  const licensed = (components as Component[]).map((one) => {
    const id = BY_FILE[one.name];
    return one.licenses === undefined && id !== undefined ? { ...one, licenses: [{ license: { id } }] } : one;
  });
  return `${JSON.stringify({ ...rest, metadata: { ...described, component }, components: licensed }, null, 2)}\n`;
}
