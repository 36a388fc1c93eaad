import { execFileSync } from 'node:child_process';

/** Returns the arguments, and the standard input after `printf`, with which a command line for `sh` would call curl. */
export function curlCallOf(line: string): { args: string[]; input: string } {
  const script = `curl() { printf '%s\\0' "$@"; if [ "$piped" ]; then printf 'INPUT\\0'; cat; fi; }\n${line}`;
  const piped = line.startsWith('printf') ? '1' : '';
  const out = execFileSync('sh', ['-c', script], { env: { PATH: process.env.PATH ?? '', piped } }).toString();
  const [args = '', input = ''] = out.split('INPUT\0');
  return { args: args.split('\0').slice(0, -1), input };
}
