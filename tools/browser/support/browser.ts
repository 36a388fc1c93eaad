import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

const PACKAGE = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };

/**
 * A name of this machine that the browser treats as another machine, so that a page there over http is not a secure
 * context.
 */
export const NETWORK_NAME = 'zaal.example';

/** Starts a Chromium from an npm package or, where the package has no binary, an installed Chrome. */
export const openBrowser = async (): Promise<Browser> => chromium.launch(await browserOptions());

export async function browserOptions(): Promise<LaunchOptions> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' };
  const home = join(tmpdir(), `zorgregister-chromium-${version}-${process.getuid?.()}`);
  if (!existsSync(home)) await unpack(home);
  return {
    executablePath: join(home, 'chromium'),
    args: ['--no-sandbox', '--font-render-hinting=none', `--host-resolver-rules=MAP ${NETWORK_NAME} 127.0.0.1`],
    env: {
      ...(process.env as Record<string, string>),
      FONTCONFIG_PATH: join(home, 'fonts'),
      LD_LIBRARY_PATH: [join(home, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
    },
  };
}

/** Unpacks the browser into `home`, in such a way that another process never finds it incomplete. */
async function unpack(home: string): Promise<void> {
  const aside = await mkdtemp(`${home}-`);
  await Promise.all(
    ['chromium.br', 'fonts.tar.br', 'al2023.tar.br', 'swiftshader.tar.br'].map((file) =>
      unpackInto(aside, join(PACKAGE, 'bin', file)),
    ),
  );
  await mkdir(join(aside, 'cache'), { recursive: true });
  await writeFile(
    join(aside, 'fonts', 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig><dir>${home}/fonts</dir><cachedir>${home}/cache</cachedir></fontconfig>`,
  );
  await rename(aside, home).catch(() => rm(aside, { recursive: true, force: true }));
}

/**
 * Unpacks a file of the browser package into `folder`. Sets `TMPDIR` during the call, because the package unpacks
 * there.
 */
function unpackInto(folder: string, file: string): Promise<string> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return inflate(file);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}
