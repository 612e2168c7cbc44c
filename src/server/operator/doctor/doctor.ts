import { missingBrandSettings } from '#server/runtime/wiring/open-production.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { openCatalog, type Catalog } from '#server/brand/catalog.ts';
import { type Database, statementRows, databaseProblemOf } from '#server/db/connect.ts';
import { openMemory, connectForMigrations } from '#server/db/open-database.ts';
import type { Settings } from '#server/env.ts';
import { createLog } from '#server/runtime/log.ts';
import { createMetrics } from '#server/runtime/metrics.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { hasOption, OperatorError, type LocalCommand } from '../command.ts';
import { okFinding, wrongFinding, noteFinding, reasonOf, type Finding } from './finding.ts';
import { checkProviders } from './check-providers.ts';
import { checkSettings, checkSecret, checkNumbers } from './check-settings.ts';
import { checkClock, checkHosts, checkUploads, type CheckedBrand } from './check-from-outside.ts';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { countPendingMigrations, productionContents } from '#server/db/migrate.ts';

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
  const database = await checkDatabase(settings);
  // without a usable database, gateways get an empty one
  const spare = database.db ? undefined : await openMemory(productionContents);
  try {
    const db = database.db ?? spare?.db;
    const found = db ? await lookAround(settings, db, { ...look, knowsBrands: database.db !== undefined }) : [];
    const secret = database.db ? await checkSecret(settings, database.db) : [];
    const numbers = database.db ? await checkNumbers(database.db) : [];
    return [...findings, ...database.findings, ...secret, ...numbers, ...found];
  } finally {
    await database.close();
    await spare?.close();
  }
}

async function lookAround(settings: Settings, db: Database, look: Look & { knowsBrands: boolean }): Promise<Finding[]> {
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
  const outside = placesOf(settings, catalog, look.knowsBrands).map((place) => checkHosts(place, gateways, clock));
  const places = look.sendsUploads ? placesOf(settings, catalog, look.knowsBrands) : [];
  const uploads = Promise.all(places.map((place) => checkUploads(place)));
  const found = await Promise.all([checkProviders(shop), ...outside, uploads, checkClock(look.clockOf, clock)]);
  return [...(look.knowsBrands ? lookAtBrands(settings, catalog) : []), ...found.flat()];
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

function lookAtBrands(settings: Settings, catalog: Catalog): Finding[] {
  const brands = catalog.all();
  const missing = missingBrandSettings(settings, brands).map(({ name, remedy }) =>
    wrongFinding('brands', `${name}: ${remedy}`),
  );
  return missing.length > 0
    ? missing
    : [okFinding('brands', brands.map(({ code, origin }) => `${code} at ${origin}`).join(', '))];
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

interface Looked {
  readonly findings: readonly Finding[];
  /** only where this version can read all of it */
  readonly db?: Database;
  close(): Promise<void>;
}

const nothing = (...findings: Finding[]): Looked => ({ findings, close: () => Promise.resolve() });

/** Opens the database read-only: nothing is created, migrated or written. Missing settings are reported elsewhere. */
async function checkDatabase({ DATABASE_URL }: Settings): Promise<Looked> {
  if (DATABASE_URL === undefined) return nothing();
  try {
    const client = await connectForMigrations(DATABASE_URL);
    return await lookInside(drizzle({ client }), () => client.end());
  } catch (error) {
    return nothing(wrongFinding('database', `DATABASE_URL: ${databaseProblemOf(error) ?? reasonOf(error)}`));
  }
}

async function lookInside(db: Database, close: () => Promise<void>): Promise<Looked> {
  const [server] = await statementRows(db, sql`select current_setting('server_version') as version`);
  const there = okFinding('database', `PostgreSQL ${String(server?.['version'])} answers`);
  const { waiting, newer } = await countPendingMigrations(db);
  const migrations =
    newer > 0
      ? wrongFinding(
          'migrations',
          `a newer version of the shop has been here: ${newer} of its migrations are unknown to this one`,
        )
      : waiting > 0
        ? noteFinding('migrations', `${waiting} are pending; the next start runs them`)
        : okFinding('migrations', 'all have run');
  return { findings: [there, migrations], close, ...(waiting + newer === 0 && { db }) };
}
