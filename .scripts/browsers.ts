// Installs the browsers of the tests that are missing: `--browser` a current Chromium, `--engines` old and other ones,
// `--screen-reader` Firefox and Orca.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, hasBothBrowsers } from './chromium.ts';
import { installDebianEngines, missingEngines } from '../tests/engines/debian-engines.ts';
import { installEngines } from '../tests/engines/old-chromium.ts';
import { screenReaderPackages } from '../tests/tools/verify/screen-reader/orca.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const isDone = ({ status }: { status: number | null }) => status === 0;

const asRoot = process.getuid?.() === 0;

const canInstall = asRoot && existsSync('/usr/bin/apt-get');

function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return isDone(spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] }));
}

function fromDebian(): boolean {
  if (!canInstall) return false;
  const sets = [['chromium', 'chromium-headless-shell'], ['chromium']];
  return aptGet('update') && sets.some((names) => aptGet('install', '-y', ...names));
}

function fromPlaywright(): boolean {
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const args = [cli, 'install', ...(asRoot ? ['--with-deps'] : []), 'chromium'];
  return isDone(spawnSync(process.execPath, args, { stdio: 'inherit' }));
}

/**
 * On Debian the headless shell is installed even beside a full Chromium: the browser tests take a quarter less time.
 */
function installBrowser(): void {
  if (hasBothBrowsers()) return;
  if (asRoot) console.info('Looking for a Chromium among the packages of Debian…');
  fromDebian();
  if (findChromium()) return;
  console.info('No Chromium on this machine: trying the one of Playwright…');
  if (fromPlaywright() && findChromium()) return;
  throw new Error('Chromium could not be installed. Install it, or set CHROMIUM_PATH to its path.');
}

if (process.argv.includes('--browser')) installBrowser();
if (process.argv.includes('--screen-reader') && !existsSync('/usr/bin/orca')) {
  if (!canInstall || !aptGet('update') || !aptGet('install', '-y', '--no-install-recommends', ...screenReaderPackages))
    throw new Error(`Install these packages first: ${screenReaderPackages.join(' ')}`);
}
if (process.argv.includes('--engines')) {
  await installEngines();
  if (canInstall) installDebianEngines(aptGet);
  for (const line of missingEngines()) console.info(line);
}
