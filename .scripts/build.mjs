// Builds what is stale: the storefront (dist/site) and the renderer that the server uses (dist/render).
import { compressSite } from './compress.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'dist/.stamp');
const built = ['dist/site/index.html', 'dist/render/entry-server.js'];
const sources = [
  'index.html',
  'lingui.config.ts',
  'locales',
  'package-lock.json',
  'public',
  '.scripts/build.mjs',
  '.scripts/compress.mjs',
  '.scripts/import-map.ts',
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

const contents = (lines) => JSON.stringify(Object.entries(lines).map(([file, { hash }]) => [file, hash]));

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    // No stamp, or one that was cut: everything is stale.
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
  process.stderr.write(`failed\n${stdout}${stderr}`);
  process.exit(1);
}

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `This runs on Node 26, not ${process.versions.node}: start it with \`npm start\` or \`npm test\`.\n`,
  );
  process.exit(1);
}

const known = readStamp();
const now = manifest(known);
const present = built.every((file) => existsSync(join(root, file)));
if (present && contents(known) === contents(now)) {
  if (JSON.stringify(known) !== JSON.stringify(now)) writeFileSync(stampFile, JSON.stringify(now));
} else {
  const started = performance.now();
  process.stdout.write('Building the storefront… ');
  // A build that stops halfway leaves no stamp that could later be believed.
  rmSync(stampFile, { force: true });
  vite();
  vite('--ssr', 'src/web/entry-server.tsx');
  await compressSite(join(root, 'dist/site'));
  writeFileSync(stampFile, JSON.stringify(now));
  console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
