// Finds a Chromium that runs. Used before packages exist, so nothing is imported from them up front. Ours, because
// Playwright looks only for browsers that it has downloaded, and for Chrome: not for those of Debian.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** Has no window of its own, so that pages come in three quarters of the time. */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const usual = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/snap/bin/chromium'];

const inFolders = (name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));

async function playwrightOne() {
  try {
    const { chromium } = await import('playwright-core');
    return chromium.executablePath();
  } catch {
    // No packages yet: then there is no browser of Playwright either.
    return '';
  }
}

/** Ubuntu's `chromium-browser` may be a shell that only tells to install a snap: one that answers is one that works. */
function runs(path) {
  return existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
}

/**
 * The path of a Chromium that runs: CHROMIUM_PATH, one on the machine, or the one of Playwright; undefined when there is
 * none. `whole`: one with a window, which the shell has not, and with what belongs to a window, as the pages that it keeps
 * for the Back button.
 */
export async function findChromium({ whole = false } = {}) {
  const named = process.env.CHROMIUM_PATH;
  if (named && !(whole && basename(named) === shell)) {
    if (runs(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which does not run.`);
  }
  const wanted = names.filter((name) => !whole || name !== shell);
  return [...wanted.flatMap(inFolders), ...usual, await playwrightOne()].find((path) => path && runs(path));
}

/** Whether there is a whole one, and the faster shell or one that somebody has named. */
export async function hasBoth() {
  const fast = process.env.CHROMIUM_PATH || inFolders(shell).some(runs);
  return Boolean(fast && (await findChromium({ whole: true })));
}

/** Pages of hundreds of modules that a whole Chromium loads beneath the address bar of each window: on two cores, a page painted in twice the time. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/** What Playwright 1.65 switches off by itself, but for other systems: of two such lists, Chromium reads the last one. */
const playwrightsOwn = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** What a browser of a test never needs; as root Chromium has no sandbox to offer. */
export const chromiumArgs = [
  '--disable-gpu',
  // a process less to talk to, where nothing draws but the processor
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...playwrightsOwn, ...addressBar].join()}`,
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
