import { missingBrandSettings } from '#server/runtime/wiring/open-production.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { openCatalog, type Catalog } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { openMemory } from '#server/db/open-database.ts';
import type { Settings } from '#server/env.ts';
import { createLog } from '#server/runtime/log.ts';
import { createMetrics } from '#server/runtime/metrics.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { hasOption, OperatorError, type LocalCommand } from '../command.ts';
import { okFinding, wrongFinding, noteFinding, type Finding } from './finding.ts';
import { checkProviders } from './check-providers.ts';
import { checkNumbers } from './check-numbers.ts';
import { checkSettings, checkSecret } from './check-settings.ts';
import { checkClock, checkHosts, checkUploads, type CheckedBrand } from './check-from-outside.ts';
import { productionContents } from '#server/db/migrate.ts';
import { checkDatabase, checkProcesses, readingDatabase } from './check-database.ts';

type Environment = Readonly<Record<string, string | undefined>>;
interface Look {
  readonly clock: () => number;
  /** the server whose `Date` header the clock is compared with */
  readonly clockOf: string;
  /** whether a large file is sent to each public origin */
  readonly sendsUploads?: boolean;
}

/**
 * Checks a running shop, or a configuration before its first start, and changes nothing: no migration, no mail, no
 * charge. It opens the same services with the same settings and code as the shop, and sends each provider a harmless
 * request.
 */
export async function runChecks(environment: Environment, look: Look): Promise<Finding[]> {
  const { settings, findings } = checkSettings(environment);
  if (!settings) return [...findings];
  const database = await checkDatabase(settings, look.clock);
  // without a usable database, gateways get an empty one
  const spare = database.db ? undefined : await openMemory(productionContents);
  try {
    const { db } = database;
    const inside = db ? await readingDatabase(() => lookInside(settings, db)) : [];
    const around = await readingDatabase(async () => {
      const usable = db ?? spare?.db;
      return usable ? lookAround(settings, usable, { ...look, environment, knowsBrands: db !== undefined }) : [];
    });
    return [...findings, ...database.findings, ...inside, ...around];
  } finally {
    await database.close();
    await spare?.close();
  }
}

async function lookInside(settings: Settings, db: Database): Promise<Finding[]> {
  return [...(await checkSecret(settings, db)), ...(await checkProcesses(db, settings)), ...(await checkNumbers(db))];
}

interface LookAround extends Look {
  readonly environment: Environment;
  readonly knowsBrands: boolean;
}

async function lookAround(settings: Settings, db: Database, look: LookAround): Promise<Finding[]> {
  const log = createLog('silent');
  const { clock } = look;
  const catalog = await openCatalog(db, {
    demo: false,
    defaultBrand: settings.DEFAULT_BRAND,
    extraHosts: settings.EXTRA_HOSTS,
    publicOrigin: settings.PUBLIC_ORIGIN,
    port: settings.PORT,
    log,
  });
  // nothing is signed here
  const env = { ...settings, SIGNING_SECRET: settings.SIGNING_SECRET ?? '' };
  const shop = { db, clock, random: systemRandom, env, catalog, log, metrics: createMetrics() };
  const gateways = openGateways(shop, null);
  const context = { gateways, clock, metricsToken: settings.METRICS_TOKEN };
  const outside = placesOf(settings, catalog, look.knowsBrands).map((place) => checkHosts(place, context));
  const places = look.sendsUploads ? placesOf(settings, catalog, look.knowsBrands) : [];
  const uploads = Promise.all(places.map((place) => checkUploads(place)));
  const found = await Promise.all([checkProviders(shop), ...outside, uploads, checkClock(look.clockOf, clock)]);
  return [...(look.knowsBrands ? lookAtBrands(settings, catalog, look.environment) : []), ...found.flat()];
}

/** Where only the running shop can read the brands, the origin of the default one is still known. */
function placesOf(
  { PUBLIC_ORIGIN: origin, DEFAULT_BRAND: code }: Settings,
  catalog: Catalog,
  known: boolean,
): readonly CheckedBrand[] {
  if (known) return catalog.all();
  return origin === undefined ? [] : [{ code, origin, hosts: [] }];
}

function lookAtBrands(settings: Settings, catalog: Catalog, environment: Environment): Finding[] {
  const brands = catalog.all();
  const missing = missingBrandSettings(settings, brands).map(({ name, remedy }) =>
    wrongFinding('brands', `${name}: ${remedy}`),
  );
  const found =
    missing.length > 0
      ? missing
      : [okFinding('brands', brands.map(({ code, origin }) => `${code} at ${origin}`).join(', '))];
  return brands.length > 0 ? [...found, ...lookAtDefault(settings, catalog, environment)] : found;
}

/** Whether the brand of `PUBLIC_ORIGIN` and `EXTRA_HOSTS` exists. Each brand of the database has hosts of its own. */
function lookAtDefault(settings: Settings, catalog: Catalog, environment: Environment): Finding[] {
  const { DEFAULT_BRAND: code, PUBLIC_ORIGIN: origin, EXTRA_HOSTS: hosts } = settings;
  if (catalog.byCode(code)) return [];
  const lost = [...(origin === undefined ? [] : [origin]), ...hosts];
  const remedy = `set it to one of: ${catalog
    .all()
    .map((brand) => brand.code)
    .join(', ')}`;
  const says = `DEFAULT_BRAND: there is no brand ${code}`;
  if (lost.length > 0)
    return [wrongFinding('brands', `${says}, so customers find no shop at ${lost.join(', ')}; ${remedy}`)];
  return environment['DEFAULT_BRAND'] ? [noteFinding('brands', `${says}; ${remedy}, or remove it`)] : [];
}

export const doctorCommand: LocalCommand = {
  name: 'doctor',
  summary: 'checks settings, database, mail, SMS, gateways, hosts and clock, and lists what to fix',
  options: {
    uploads: { summary: 'also sends 4 MiB through the address of each brand, as a proof of payment has at most' },
    clock: { value: 'url', summary: 'the server to compare the clock with (https://letsencrypt.org)' },
  },
  run: async (given, { environment, clock, json, print }) => {
    const clockOf = given['clock'] ?? 'https://letsencrypt.org';
    if (!/^https?:$/.test(URL.parse(clockOf)?.protocol ?? '')) {
      throw new OperatorError(`--clock ${clockOf} must be a URL such as https://letsencrypt.org.`, { badUsage: true });
    }
    const findings = await runChecks(environment, { clock, clockOf, sendsUploads: hasOption(given, 'uploads') });
    for (const finding of findings) print(json ? JSON.stringify(finding) : lineOf(finding));
    const count = findings.filter(({ state }) => state === 'wrong').length;
    if (count > 0) throw new OperatorError(count === 1 ? '1 check failed.' : `${count} checks failed.`);
  },
};

const lineOf = ({ state, what, says }: Finding) => `${state.padEnd(5)}  ${what.padEnd(20)}  ${says}`;
