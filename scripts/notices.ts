import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Returns the folders of the packages (`node_modules/<name>`, relative to `root`) that bundled modules are in. A module
 * is given by its path; modules of our own have no package.
 */
export function packagesOf(root: string, modules: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const module of modules) {
    const path = relative(root, module).replaceAll('\\', '/');
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  return folders;
}

/**
 * Returns the names and the licence texts of the packages in these folders (`node_modules/<name>`) of `root`, in the
 * order of the folders. Leaves out packages that are not installed. When a package has no licence file, its text refers
 * to sbom.cdx.json.
 */
export function noticesOf(root: string, folders: Iterable<string>): string {
  const installed = [...folders].filter((folder) => existsSync(join(root, folder))).sort();
  return installed.map((folder) => noticeOf(root, folder)).join(`\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(root: string, folder: string): string {
  const [file] = readdirSync(join(root, folder)).filter((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? 'See sbom.cdx.json.' : readFileSync(join(root, folder, file), 'utf8').trim();
  return `${folder.replace(/^.*node_modules\//, '')}\n\n${text}\n`;
}
