/** A small separate disk for PostgreSQL, which the attack `night` fills. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Postgres } from '../../../test/support/postgres.ts';
import type { Phase } from './report.ts';

export interface Disk {
  readonly path: string;
  /** Writes a file until no byte is free. */
  fill(): void;
  /** Removes the file that `fill` wrote. */
  makeRoom(): void;
}

/**
 * Mounts a disk of `mib` MiB in memory (tmpfs), until this process ends. Returns null when the system does not allow
 * it; it needs Linux and root.
 */
export function mountDisk(mib: number): Disk | null {
  const path = mkdtempSync(join(tmpdir(), 'night-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=755`, 'night', path], { stdio: 'ignore' });
  } catch {
    rmdirSync(path);
    return null;
  }
  const ballast = join(path, 'ballast');
  process.once('exit', () => {
    execFileSync('umount', ['--lazy', path]);
    rmdirSync(path);
  });
  return {
    path,
    fill() {
      const file = openSync(ballast, 'a');
      // The last write takes what is left: a write that does not fit is cut off, and the next one fails.
      for (const size of [1_048_576, 4_096]) while (hasWritten(file, Buffer.alloc(size)));
      closeSync(file);
    },
    makeRoom: () => rmSync(ballast, { force: true }),
  };
}

/** Returns false when the disk is full. */
function hasWritten(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

/** Returns the phases in which the disk of PostgreSQL is full: first for tables, then for a new WAL file too. */
export function diskOfStoreFull(disk: Disk, postgres: Postgres, url: string): Phase[] {
  return [
    {
      name: 'disk of PostgreSQL full, for tables',
      seconds: 10,
      takes: 'room in the store',
      begin: async () => {
        await newWalFile(url);
        disk.fill();
      },
      end: () => disk.makeRoom(),
    },
    {
      name: 'disk of PostgreSQL full, and it ends',
      seconds: 10,
      takes: 'store',
      begin: async () => {
        disk.fill();
        await endByWal(url);
      },
      end: () => {
        disk.makeRoom();
        return postgres.start();
      },
    },
  ];
}

/**
 * Makes a new WAL file, so that the next 16 MiB of changes need no other one, and a checkpoint, so that the next one is
 * minutes away: PostgreSQL ends when it cannot write at a checkpoint.
 */
async function newWalFile(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('checkpoint');
    await client.query('select pg_switch_wal()');
    // The file is made when something is written to it.
    await client.query(`select pg_logical_emit_message(true, 'night', 'x')`);
  });
}

/** Writes WAL on a full disk, until PostgreSQL ends because it cannot make a new WAL file. Rejects when it does not. */
async function endByWal(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (let mib = 0; mib < 1_000; mib += 1) {
      const written = client.query(`select pg_logical_emit_message(true, 'night', repeat('x', 1048576))`);
      if (
        await written.then(
          () => false,
          () => true,
        )
      )
        return;
    }
    throw new Error('PostgreSQL did not end, although its disk is full');
  });
}

async function withClient(url: string, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(url).on('error', () => undefined);
  await client.connect();
  await use(client);
  await client.end().catch(() => undefined);
}
