import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface CommandResult {
  readonly exitCode: number;
  readonly text: string;
}

/** Returns the path of an installed package, or of a command in `.bin`: of this repository, else of its tools. */
function installed(name: string): string {
  const own = join(root, 'node_modules', name);
  return existsSync(own) ? own : join(root, 'tools/node_modules', name);
}

/** A project outside this repository in which the packed package is installed. */
export interface Project {
  readonly folder: string;
  write(file: string, text: string): void;
  /**
   * Runs a command of its `node_modules/.bin`, or `node`, for at most a minute. Returns the exit code (`exitCode`; -1 when
   * the command was killed) and what was printed.
   */
  run(command: string, args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>;
}

/**
 * Packs this repository, and installs the package and the client package in a temporary folder. Other packages there
 * are links to those of this repository or of its tools: the dependencies, the required peer dependencies, and `more`.
 */
export async function installPackage(more: readonly string[]): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  const own = join(folder, 'node_modules/zorgregister-bff');
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(own, { recursive: true });
  mkdirSync(bin);
  // A relative folder, as a script for CI has.
  const packed = mkdtempSync(join(root, 'node_modules/.packed-'));
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  await promisify(execFile)('npm', ['run', 'pack', '--', relative(root, packed)], { cwd: root, env });
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await promisify(execFile)('tar', ['-xzf', join(packed, `${name}-${version}.tgz`), '--strip-components=1', '-C', own]);

  const {
    bin: commands,
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
  } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));

  const light = join(folder, `node_modules/${name}-client`);
  mkdirSync(light);
  const client = join(packed, `${name}-client-${version}.tgz`);
  await promisify(execFile)('tar', ['-xzf', client, '--strip-components=1', '-C', light]);
  rmSync(packed, { recursive: true });

  const peers = Object.keys(peerDependencies).filter((one) => !peerDependenciesMeta[one]?.optional);
  for (const one of [...Object.keys(dependencies), ...peers, ...more]) {
    const link = join(folder, 'node_modules', one);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(installed(one), link);
  }
  for (const command of ['tsc', 'vitest', 'playwright'])
    symlinkSync(installed(join('.bin', command)), join(bin, command));
  const command = join(own, commands[name]);
  chmodSync(command, 0o755);
  symlinkSync(command, join(bin, name));

  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write('package.json', JSON.stringify({ name: 'elsewhere', private: true, type: 'module' }));
  return {
    folder,
    write,
    run: (command, args = [], env = {}) =>
      promisify(execFile)(command, [...args], {
        cwd: folder,
        timeout: 60_000,
        env: { PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder, ...env },
      }).then(
        ({ stdout, stderr }) => ({ exitCode: 0, text: stdout + stderr }),
        ({ code, stdout, stderr }) => ({ exitCode: typeof code === 'number' ? code : -1, text: `${stdout}${stderr}` }),
      ),
  };
}
