// Finds a working Chromium. Playwright finds only browsers that it has downloaded, and Chrome, but no Chromium of
// Debian.
import { chromium } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** Has no window, so pages take a quarter less time. */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const wellKnownPaths = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/snap/bin/chromium'];

const inFolders = (name: string) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));

/** Ubuntu's `chromium-browser` may be a script that only asks to install a snap: one that answers works. */
function runs(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
}

/**
 * The path of a working Chromium: CHROMIUM_PATH, one on the machine, or Playwright's; undefined when none of them works.
 * `whole`: a full browser with a window and its features, such as the back/forward cache, which the shell lacks.
 */
export function findChromium({ whole = false } = {}): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named && !(whole && basename(named) === shell)) {
    if (runs(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which does not run.`);
  }
  const wanted = names.filter((name) => !whole || name !== shell);
  return [...wanted.flatMap(inFolders), ...wellKnownPaths, chromium.executablePath()].find(runs);
}

/** Whether there is a full Chromium, and the faster shell or a CHROMIUM_PATH. */
export function hasBothBrowsers(): boolean {
  const fast = process.env['CHROMIUM_PATH'] || inFolders(shell).some(runs);
  return Boolean(fast && findChromium({ whole: true }));
}
