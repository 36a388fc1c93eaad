import { existsSync } from 'node:fs';
import { type Browser, firefox } from 'playwright-core';

const { FIREFOX } = process.env;

/**
 * Path of an installed Firefox: the variable `FIREFOX`, else where Debian, Ubuntu and macOS put it; null when none is
 * there.
 */
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

/** What to do when tests are skipped because there is no Firefox. */
export const NO_FIREFOX = 'There is no Firefox here: apt-get install firefox-esr, or FIREFOX=<path>';

/**
 * Starts an installed Firefox. Playwright controls it by WebDriver BiDi, so no special build of Firefox is needed. The
 * colour scheme is a preference, because Playwright cannot change it in this Firefox.
 */
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
