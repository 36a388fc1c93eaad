import { existsSync } from 'node:fs';
import { type Browser, firefox } from 'playwright-core';

const { FIREFOX } = process.env;

/** Path of an installed Firefox: the variable `FIREFOX`, or else a usual place; null for none. */
export const FIREFOX_PATH =
  (FIREFOX === undefined
    ? [
        '/usr/bin/firefox-esr',
        '/usr/bin/firefox',
        '/snap/bin/firefox',
        '/Applications/Firefox.app/Contents/MacOS/firefox',
      ]
    : [FIREFOX]
  ).find(existsSync) ?? null;

/** The reason that skipped tests show when no Firefox is installed. */
export const NO_FIREFOX = 'There is no Firefox here: apt-get install firefox-esr, or FIREFOX=<path>';

/** Starts an installed Firefox with this colour scheme, which Playwright cannot change later. */
export async function openFirefox(executablePath: string, scheme: 'light' | 'dark' = 'light'): Promise<Browser> {
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    firefoxUserPrefs: {
      'ui.prefersReducedMotion': 1,
      'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
    },
  });
}
