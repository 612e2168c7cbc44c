// Builds the storefront and the server's renderer if the sources have changed, into a folder of their own under
// dist/builds (src/server/http/pages/builds.ts). `dist/site` links to the site of the newest build. Not plain Vite,
// because that always builds: a hash of the sources decides what to build, and named folders let a server still serve
// the files of the previous build.
import { finishBuild, replaceSymlink, servedBuilds, startBuild, activateBuild } from './builds.ts';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const builds = join(root, 'dist/builds');
const folders = '{.scripts,locales,public,src/contract,src/sw,src/web}/**/*.*';
const sources = [folders, 'index.html', 'lingui.config.ts', 'package*.json', 'tsconfig.json', 'vite.config.ts'];
// the router's plugin writes the first during a build, and tests are not built
const isNotBuilt = /routeTree\.gen\.ts$|\.test\.tsx?$/;

/** The id of a build is a hash of its sources, so returning to earlier sources builds nothing. */
function idOfSources() {
  const hash = createHash('sha256');
  const files = globSync(sources, { cwd: root }).filter((file) => !isNotBuilt.test(file));
  for (const file of files.map((name) => name.replaceAll('\\', '/')).sort())
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Runs Vite and shows its output only if it fails. */
function vite(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`failed\n${stdout}${stderr}`);
}

/** Builds into a folder that is not served and renames it when it is complete. */
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

/** Updates the links for web servers that serve the files directly; Windows rarely permits links. */
function follow() {
  if (process.platform === 'win32') return;
  const served = servedBuilds(builds);
  for (const [place, name] of ['site', 'former-site'].entries()) {
    const link = join(root, 'dist', name);
    // a folder from before builds had folders of their own
    if (lstatSync(link, { throwIfNoEntry: false })?.isDirectory()) rmSync(link, { recursive: true });
    if (served[place] === undefined) rmSync(link, { force: true });
    else replaceSymlink(link, join(builds, served[place], 'site'));
  }
}

// Writes a compressed copy beside every text file of the built site, which the server sends. A Vite plugin would run
// before the service worker and its precache list are written.
const text = /\.(js|css|svg|html|txt|json)$/;
/** In bytes. Smaller files gain nothing; above it a third, and a page loads several such files. */
const smallest = 300;

async function compressSite(folder) {
  const files = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => text.test(path) && statSync(path).size >= smallest);
  await Promise.all(
    files.map(async (path) => {
      const plain = readFileSync(path);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(plain, { params }));
      writeFileSync(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }));
    }),
  );
}

const id = idOfSources();
const started = performance.now();
mkdirSync(builds, { recursive: true });
const stale = !existsSync(join(builds, id));
if (stale) {
  process.stdout.write('Building the storefront… ');
  await build(id);
}
if (stale || servedBuilds(builds)[0] !== id) {
  activateBuild(builds, id);
  follow();
}
if (stale) console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
