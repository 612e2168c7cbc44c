// Browser engines of other families for the tests, from Debian packages.
import { existsSync, readdirSync } from 'node:fs';

/** MiniBrowser is in a folder named after the architecture of the machine and the version of the library. */
function miniBrowser(): string | undefined {
  const libraries = '/usr/lib';
  if (!existsSync(libraries)) return undefined;
  const folders = readdirSync(libraries).flatMap((name) =>
    ['4.1', '4.0'].map((version) => `${libraries}/${name}/webkit2gtk-${version}/MiniBrowser`),
  );
  return folders.find((path) => existsSync(path));
}

const programOf = (name: string) => [`/usr/bin/${name}`].find((path) => existsSync(path));

interface Programs {
  Firefox: { readonly browser: string };
  WebKitGTK: { readonly browser: string; readonly driver: string; readonly display: string };
  'WPE WebKit': { readonly browser: string; readonly driver: string };
}

interface Engine {
  readonly name: DebianEngine;
  readonly packages: readonly string[];
  readonly find: () => Readonly<Record<string, string | undefined>>;
}

/** The programs that each engine needs, and the packages that contain them. */
const engines: readonly Engine[] = [
  { name: 'Firefox', packages: ['firefox-esr'], find: () => ({ browser: programOf('firefox-esr') }) },
  {
    name: 'WebKitGTK',
    packages: ['webkit2gtk-driver', 'xvfb'],
    find: () => ({ browser: miniBrowser(), driver: programOf('WebKitWebDriver'), display: programOf('Xvfb') }),
  },
  {
    name: 'WPE WebKit',
    packages: ['cog', 'wpewebkit-driver'],
    find: () => ({ browser: programOf('cog'), driver: programOf('WPEWebDriver') }),
  },
];

/** An engine from a Debian package. */
export type DebianEngine = keyof Programs;

const isComplete = (programs: object) => Object.values(programs).every((path) => path !== undefined);

/** The paths of the programs of an engine; undefined where it is not installed. */
export function programsOf<Name extends DebianEngine>(name: Name): Programs[Name] | undefined {
  const programs = engines.find((engine) => engine.name === name)?.find() ?? {};
  // as: each engine finds its own programs, and none is missing
  return isComplete(programs) && Object.keys(programs).length > 0 ? (programs as Programs[Name]) : undefined;
}

const missing = () => engines.filter(({ name }) => !programsOf(name));

/** One line for each engine that is not on this machine, whose tests are therefore skipped. */
export const missingEngines = (): string[] =>
  missing().map(
    ({ name, packages }) =>
      `${name} is not installed, so its tests are skipped: apt-get install --no-install-recommends ${packages.join(' ')}`,
  );

/** Installs each missing engine separately: a package that another system lacks must not prevent the others. */
export function installDebianEngines(aptGet: (...args: string[]) => boolean): void {
  const wanted = missing();
  if (wanted.length === 0 || !aptGet('update')) return;
  console.info(`Installing ${wanted.map(({ name }) => name).join(', ')} for the tests (once)…`);
  for (const { packages } of wanted) aptGet('install', '-y', '--no-install-recommends', ...packages);
}
