import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

/**
 * The EICAR test file (eicar.org), which virus scanners find and which is harmless. It is in two parts, so that they do
 * not find it in this source file.
 */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
);

/** Path of an installed clamd (the daemon of ClamAV); undefined for none. */
export const CLAMD = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'clamd'))
  .find((path) => existsSync(path));

/**
 * Starts an installed clamd (the daemon of ClamAV) that knows only the EICAR test file. Returns its port and a function
 * that stops it. Rejects when it does not start.
 */
export async function startClamd(): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'zorgregister-clamd-'));
  const port = await freePort();
  writeFileSync(join(folder, 'eicar.ndb'), `Eicar-Test-Signature:0:*:${EICAR.toString('hex')}\n`);
  writeFileSync(
    join(folder, 'clamd.conf'),
    [
      `TCPSocket ${port}`,
      'TCPAddr 127.0.0.1',
      `DatabaseDirectory ${folder}`,
      `TemporaryDirectory ${folder}`,
      'StreamMaxLength 10M',
      'Foreground yes',
      ...(process.getuid?.() === 0 ? ['User root'] : []),
    ].join('\n'),
  );
  const child = spawn(CLAMD ?? 'clamd', ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await listening(child, port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`clamd ended with ${child.exitCode}`);
    if (await answers(port)) return;
    await setTimeout(50);
  }
  throw new Error('clamd does not listen');
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('zPING\0'));
    socket.once('data', (reply) => {
      socket.destroy();
      resolve(String(reply) === 'PONG\0');
    });
    socket.once('error', () => resolve(false));
  });
