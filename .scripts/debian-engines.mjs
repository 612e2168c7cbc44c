// Engines of other families for the tests, from packages of Debian. Runs on Node 20.
import { existsSync, readdirSync } from 'node:fs';

/** MiniBrowser stands in a folder that is named after the machine's architecture and the version of the library. */
function miniBrowser() {
  const libraries = '/usr/lib';
  if (!existsSync(libraries)) return undefined;
  const folders = readdirSync(libraries).flatMap((name) =>
    ['4.1', '4.0'].map((version) => `${libraries}/${name}/webkit2gtk-${version}/MiniBrowser`),
  );
  return folders.find((path) => existsSync(path));
}

const programOf = (name) => [`/usr/bin/${name}`].find((path) => existsSync(path));

/** What each engine needs: programs, and the packages that have them. */
const engines = [
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

const isWhole = (programs) => Object.values(programs).every((path) => path !== undefined);

/** The paths of an engine's programs; undefined where it is not installed. */
export function programsOf(name) {
  const programs = engines.find((engine) => engine.name === name)?.find() ?? {};
  return isWhole(programs) && Object.keys(programs).length > 0 ? programs : undefined;
}

const missing = () => engines.filter(({ name }) => !programsOf(name));

/** One line for each engine that is not on this machine, so that its tests are skipped. */
export const missingEngines = () =>
  missing().map(
    ({ name, packages }) =>
      `${name} is not installed, so its tests are skipped: apt-get install --no-install-recommends ${packages.join(' ')}`,
  );

/** Installs what is missing, each engine by itself: a package that another system lacks must not cost the others. */
export function installDebianEngines(aptGet) {
  const wanted = missing();
  if (wanted.length === 0 || !aptGet('update')) return;
  console.log(`Installing ${wanted.map(({ name }) => name).join(', ')} for the tests (once)…`);
  for (const { packages } of wanted) aptGet('install', '-y', '--no-install-recommends', ...packages);
}
