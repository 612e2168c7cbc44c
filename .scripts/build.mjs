// Builds what is stale: the storefront and the renderer that the server uses, into a folder of their own under
// dist/builds ([Note: Builds] in src/server/http/pages/builds.ts). `dist/site` leads to the newest one's site.
// Ours, because Vite builds whatever it is asked to: the hash of the sources tells what has to be built, and the names of
// builds let a shop go on serving the one before.
import { finishBuild, linkTo, servedBuilds, startBuild, switchTo } from './builds.mjs';
import { compressSite } from './compress.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'dist/.stamp');
const builds = join(root, 'dist/builds');
const links = { newest: join(root, 'dist/site'), before: join(root, 'dist/former-site') };
const sources = [
  'index.html',
  'lingui.config.ts',
  'locales',
  'package-lock.json',
  'package.json',
  'public',
  '.scripts/build.mjs',
  '.scripts/builds.mjs',
  '.scripts/chunks.ts',
  '.scripts/compress.mjs',
  '.scripts/floor.ts',
  '.scripts/kept-files.ts',
  '.scripts/notices.ts',
  '.scripts/script-loading.ts',
  '.scripts/second-minifier.ts',
  '.scripts/zoomed-viewport.ts',
  'src/contract',
  'src/sw',
  'src/web',
  'tsconfig.json',
  'vite.config.ts',
];

function filesUnder(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    const name = `${path}/${entry.name}`;
    if (entry.isDirectory()) return filesUnder(name);
    // The router's plugin writes this file while building, and tests are not built.
    return /routeTree\.gen\.ts$|\.test\.tsx?$/.test(name) ? [] : [name];
  });
}

/** `size:mtime:hash` of every source. The hash of a file is read again only when its size or time has changed. */
function manifest(known) {
  const lines = {};
  for (const file of sources.flatMap(filesUnder)) {
    const { size, mtimeMs } = statSync(join(root, file));
    const mark = `${size}:${mtimeMs}`;
    const old = known[file];
    const hash =
      old?.mark === mark
        ? old.hash
        : createHash('sha256')
            .update(readFileSync(join(root, file)))
            .digest('base64url');
    lines[file] = { mark, hash };
  }
  return lines;
}

/** The name of a build: the same sources have the same one, so going back to them builds nothing. */
const idOf = (lines) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(lines).map(([file, { hash }]) => [file, hash])))
    .digest('hex')
    .slice(0, 16);

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    // No stamp, or one that was cut: every source is read.
    return {};
  }
}

/** Runs Vite aside and keeps what it says to itself, unless it fails. */
function vite(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status === 0) return;
  throw new Error(`failed\n${stdout}${stderr}`);
}

/** Into a place where nobody looks, which gets its name when all of it is there. */
async function build(id) {
  const making = startBuild(builds);
  try {
    vite('--outDir', join(making, 'site'));
    vite('--ssr', 'src/web/entry-server.tsx', '--outDir', join(making, 'render'));
    await compressSite(join(making, 'site'));
    finishBuild(builds, making, id);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** For whoever serves the files by other means; links need a right on Windows that few have. */
function follow() {
  rmSync(join(root, 'dist/render'), { recursive: true, force: true });
  if (process.platform === 'win32') return;
  const [newest, before] = servedBuilds(builds);
  for (const [link, id] of [
    [links.newest, newest],
    [links.before, before],
  ]) {
    // a folder of the time before builds had their own
    if (lstatSync(link, { throwIfNoEntry: false })?.isDirectory()) rmSync(link, { recursive: true });
    if (id === undefined) rmSync(link, { force: true });
    else linkTo(link, join(builds, id, 'site'));
  }
}

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `This runs on Node 26, not ${process.versions.node}: start it with \`npm start\` or \`npm test\`.\n`,
  );
  process.exit(1);
}

const known = readStamp();
const now = manifest(known);
const id = idOf(now);
const started = performance.now();
mkdirSync(builds, { recursive: true });
if (JSON.stringify(known) !== JSON.stringify(now)) writeFileSync(stampFile, JSON.stringify(now));
const stale = !existsSync(join(builds, id));
if (stale) {
  process.stdout.write('Building the storefront… ');
  await build(id);
}
if (stale || servedBuilds(builds)[0] !== id) {
  switchTo(builds, id);
  follow();
}
if (stale) console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
