// Installs what is missing. Runs on the system's own Node (20 or newer) without any package, because it installs the
// packages and the project's Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules/.marquee-lock');
const ownNode = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Prints the reason and stops: a partly installed project would fail later with unclear errors. */
function stop(reason) {
  process.stderr.write(`\n${reason}\n\n`);
  process.exit(1);
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) process.stderr.write(`${command}: ${error.message}\n`);
  return status === 0;
}

/** A hash of what determines the installed packages: the lockfile, the requested versions, and the machine. */
function packagesHash() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(JSON.stringify([dependencies, devDependencies, process.platform, process.arch]))
    .digest('hex');
}

function installed() {
  return existsSync(ownNode) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === packagesHash();
}

function installPackages() {
  if (installed()) return;
  console.log('Installing packages (once, one to two minutes)…');
  // not `npm ci`, which deletes installed packages first, also for a development server that uses them
  const npm = process.env.npm_execpath;
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  const done = npm ? run(process.execPath, [npm, ...args]) : run('npm', args, { shell: process.platform === 'win32' });
  if (!done) stop('The packages could not be installed. Check the network or the registry, then run the same again.');
  if (!existsSync(ownNode)) {
    stop('npm skipped the install scripts, so Node 26 is missing. Run `npm install --ignore-scripts=false`.');
  }
  writeFileSync(stampFile, packagesHash());
}

if (Number(process.versions.node.split('.')[0]) < 20) stop('Node 20 or newer is needed to begin with.');
installPackages();
const options = process.argv.slice(2);
if (options.length > 0 && !run(ownNode, [join(root, '.scripts/browsers.ts'), ...options])) process.exit(1);
