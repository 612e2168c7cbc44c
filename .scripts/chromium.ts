// Finds a Chromium that runs. Ours, because Playwright looks only for browsers that it has downloaded, and for Chrome: not
// for those of Debian.
import { chromium } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** Has no window of its own, so that pages come in three quarters of the time. */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const usual = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/snap/bin/chromium'];

const inFolders = (name: string) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));

/** Ubuntu's `chromium-browser` may be a shell that only tells to install a snap: one that answers is one that works. */
function runs(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
}

/**
 * The path of a Chromium that runs: CHROMIUM_PATH, one on the machine, or the one of Playwright; undefined when there is
 * none. `whole`: one with a window, which the shell has not, and with what belongs to a window, as the pages that it keeps
 * for the Back button.
 */
export function findChromium({ whole = false } = {}): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named && !(whole && basename(named) === shell)) {
    if (runs(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which does not run.`);
  }
  const wanted = names.filter((name) => !whole || name !== shell);
  return [...wanted.flatMap(inFolders), ...usual, chromium.executablePath()].find(runs);
}

/** Whether there is a whole one, and the faster shell or one that somebody has named. */
export function hasBoth(): boolean {
  const fast = process.env['CHROMIUM_PATH'] || inFolders(shell).some(runs);
  return Boolean(fast && findChromium({ whole: true }));
}
