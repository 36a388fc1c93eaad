import { execFileSync } from 'node:child_process';

/**
 * Runs a command line with `sh` and a stand-in for `curl`. Returns the arguments that curl would get, and its standard
 * input when the line begins with `printf`.
 */
export function curlCallOf(line: string): { args: string[]; input: string } {
  const script = `curl() { printf '%s\\0' "$@"; if [ "$piped" ]; then printf 'INPUT\\0'; cat; fi; }\n${line}`;
  const piped = line.startsWith('printf') ? '1' : '';
  const out = execFileSync('sh', ['-c', script], { env: { PATH: process.env.PATH ?? '', piped } }).toString();
  const [args = '', input = ''] = out.split('INPUT\0');
  return { args: args.split('\0').slice(0, -1), input };
}
