// Old versions of Chromium for the tests, from npm. They are downloaded once into a folder of the user, not into the
// project.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

/** A package with its exact version, and the hash that its archive must have. */
interface Engine {
  readonly version: number;
  readonly from: string;
  readonly sha512: string;
}

const engines: readonly Engine[] = [
  {
    version: 83,
    from: 'chrome-aws-lambda@3.1.1',
    sha512: 'ikOcpFgobiiUvDXtBft+jxVz2CsauRV58owDtVyF1ocl/YN+/eqdIrrmbItm3yeJGnb9RtKxzFAqGcpBTQbTCA==',
  },
  {
    version: 90,
    from: 'chrome-aws-lambda@8.0.2',
    sha512: 'a4VEX6DknxISPqGLksZa/JuEnjc4nLXaG0BMp5c9qERvJ/eBHPUJ7oCRQQC+SxSxuxsEwxbBj2RBlCQbivnihg==',
  },
  {
    version: 103,
    from: '@sparticuz/chromium@103.0.0',
    sha512: 'tFX5k5uWAT0fIxelUtpN4GN1VOTT61AHB6rRjeYzC296SjizKM1pNslEWj0YeuajKfsnNeDuHizB320TTTOrkA==',
  },
  {
    version: 110,
    from: '@sparticuz/chromium@110.0.1',
    sha512: 'LS7GKGoHSNUK2ugRp2k9/Rb+wSjsqPDTQTWd9nM2d2hCgm78WRLx2Vw+xwl3bst3M4+dqfawpx1UObUmt5vVYQ==',
  },
  {
    version: 119,
    from: '@sparticuz/chromium@119.0.2',
    sha512: 'VB6tHW13YpQ7HqyhKG1KU8Z1RIb/kfHMg8j/4ft5rk8mMvEm2YkBYFCHnj+yb0P/RPLcdgX3+VC58GuJilOtww==',
  },
];

/** These builds of Chromium exist for Linux on x64 only. */
export const enginesRunHere = process.platform === 'linux' && process.arch === 'x64';

/** The cache folder of the user, or one beside the temporary files where no home is writable. */
function cacheFolder(): string {
  const named = process.env['MARQUEE_ENGINES'];
  const usual = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'marquee/engines');
  for (const folder of [named || usual, join(tmpdir(), `marquee-engines-${process.getuid?.() ?? 'user'}`)]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch (error) {
      if (named) throw new Error(`MARQUEE_ENGINES names ${named}, where nothing can be written.`, { cause: error });
    }
  }
  throw new Error('There is no folder to keep old engines in: name one in MARQUEE_ENGINES.');
}

/** The folder of an engine after its installation. */
export const folderOf = (version: number) => join(cacheFolder(), `chromium-${version}`);

/** Downloads the archive of the package from the registry. None of its scripts run. */
function fetchArchive({ from, sha512 }: Engine, into: string): string {
  const npm = process.env['npm_execpath'];
  const args = ['pack', from, '--ignore-scripts', '--silent', '--pack-destination', into];
  const { status, stderr, error } = spawnSync(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, {
    cwd: into,
    encoding: 'utf8',
  });
  const archive = readdirSync(into).find((name) => name.endsWith('.tgz'));
  if (status !== 0 || !archive) {
    throw new Error(
      `${from} could not be fetched from the registry of npm: is it in reach?\n${error?.message ?? stderr}`,
    );
  }
  const hash = createHash('sha512')
    .update(readFileSync(join(into, archive)))
    .digest('base64');
  if (hash !== sha512) throw new Error(`${from} is not what it was: its archive has the hash ${hash}.`);
  return join(into, archive);
}

function untar(archive: string, into: string): void {
  const { status, stderr, error } = spawnSync('tar', ['-xf', archive, '-C', into], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tar could not unpack ${archive}: ${error?.message ?? stderr}`);
}

const unbrotli = (from: string, to: string) =>
  pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));

/** The browser is one compressed file; its libraries and fonts are compressed archives beside it. */
async function unpack(archive: string, into: string, unpacked: string): Promise<void> {
  untar(archive, into);
  const bin = join(into, 'package/bin');
  await unbrotli(join(bin, 'chromium.br'), join(unpacked, 'chromium'));
  chmodSync(join(unpacked, 'chromium'), 0o755);
  for (const name of readdirSync(bin).filter((file) => /^(aws|al2023|fonts)\.tar\.br$/.test(file))) {
    const tar = join(into, name.replace(/\.br$/, ''));
    await unbrotli(join(bin, name), tar);
    untar(tar, unpacked);
  }
}

/** The list of fonts in the packages refers to a folder of the service that they are made for. */
const fontList = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, '.fonts')}</dir>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  ${['system-ui', 'sans-serif'].map((name) => `<alias><family>${name}</family><prefer><family>Open Sans</family></prefer></alias>`).join('')}
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;

async function install(engine: Engine): Promise<void> {
  const folder = folderOf(engine.version);
  const work = mkdtempSync(`${folder}.`);
  try {
    const unpacked = join(work, 'made');
    mkdirSync(unpacked);
    await unpack(fetchArchive(engine, work), work, unpacked);
    writeFileSync(join(unpacked, 'fonts.conf'), fontList(folder));
    // Atomic: another process may look for the engine during the installation.
    rmSync(folder, { recursive: true, force: true });
    renameSync(unpacked, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Installs the old engines that are missing. */
export async function installEngines(): Promise<void> {
  if (!enginesRunHere) return;
  const missing = engines.filter(({ version }) => !existsSync(join(folderOf(version), 'chromium')));
  if (missing.length === 0) return;
  console.info(`Fetching Chromium ${missing.map(({ version }) => version).join(', ')} for the tests (once)…`);
  for (const engine of missing) await install(engine);
}
