import { sql, type SQL } from 'drizzle-orm';
import { type Database, statementRows } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { brands } from '#server/db/schema/brands.ts';
import { ledger } from '#server/db/schema/ledger.ts';

/** Where the sandbox stores the ids of its attempts: by name, because this check must not load the sandbox. */
interface KeysOfSandbox {
  readonly table: string;
  readonly key: string;
}
const charges: KeysOfSandbox = { table: 'sandbox_charges', key: 'key' };
const paypalOrders: KeysOfSandbox = { table: 'sandbox_paypal_orders', key: 'custom_id' };

/** The setting of SANDBOX contradicts the database. */
export class SandboxMismatch extends Error {}

/** A production shop whose owner has not confirmed that it becomes a demo. */
class ProductionInstallation extends SandboxMismatch {
  constructor(brand: string) {
    super(
      `This database belongs to a production shop (brand ${brand}). SANDBOX is not set, so it would be opened as a ` +
        'demo, which adds tables. Use the environment of the shop, with SANDBOX=false, or set SANDBOX=true',
    );
    this.name = 'ProductionInstallation';
  }
}

/** Throws `ProductionInstallation` for a database with brands that was never a demo; does not require migrations. */
export async function assertDemo(db: Database): Promise<void> {
  const [tables] = await statementRows(
    db,
    sql`select to_regclass('brands') is not null as brands, to_regclass(${charges.table}) is not null as sandbox`,
  );
  if (tables?.['brands'] !== true || tables['sandbox'] === true) return;
  const [known] = await db.select({ code: brands.code }).from(brands).limit(1);
  if (known) throw new ProductionInstallation(known.code);
}

/** The books of a brand contain money that exists only in the sandbox. */
class SimulatedMoney extends SandboxMismatch {
  constructor(brand: string) {
    super(
      `The brand ${brand} was used with SANDBOX on, and its ledger contains simulated payments. With ` +
        'SANDBOX=false they would count as real. Start with an empty database (another DATA_DIR or DATABASE_URL) ' +
        'and apply the brand to it',
    );
    this.name = 'SimulatedMoney';
  }
}

/**
 * Refuses a database whose books would turn simulated payments into paid service; throws `SimulatedMoney`. Demo brands
 * are ignored, because they are not served in production. A real shop has no sandbox charges, so this is cheap.
 */
export async function assertNoSimulatedMoney(db: Database): Promise<void> {
  const keys = [...(await keysIn(db, charges)), ...(await keysIn(db, paypalOrders))];
  if (keys.length === 0) return;
  const pretended = sql.join(keys, sql` union all `);
  const [found] = await db
    .select({ brand: brands.code })
    .from(brands)
    .where(
      sql`not ${brands.demo} and exists (select 1 from (${pretended}) as pretended (key)
        join ${attempts} on ${attempts.id} = pretended.key join ${ledger} on ${ledger.attemptId} = pretended.key
        where ${attempts.brand} = ${brands.code})`,
    )
    .limit(1);
  if (found) throw new SimulatedMoney(found.brand);
}

/** A query for the keys of a table; none where the sandbox was never on and the table does not exist. */
async function keysIn(db: Database, { table, key }: KeysOfSandbox): Promise<SQL[]> {
  const [found] = await statementRows(db, sql`select to_regclass(${table}) is not null as is_there`);
  return found?.is_there === true ? [sql`select ${sql.identifier(key)} from ${sql.identifier(table)}`] : [];
}
