import { sql } from 'drizzle-orm';
import type { Database } from './connect.ts';
import { attempts, brands, ledger, sandboxCharges, sandboxPaypalOrders } from './schema.ts';

/** The books of a brand hold money that only the sandbox has ever seen. */
export class PretendedMoney extends Error {
  constructor(brand: string) {
    super(
      `The brand ${brand} was tried with SANDBOX on, and its books hold payments that were only pretended. With ` +
        'SANDBOX=false they would count as money. Begin with an empty database (another DATA_DIR or DATABASE_URL) ' +
        'and write the rows of the brand into it',
    );
    this.name = 'PretendedMoney';
  }
}

/**
 * Refuses a database whose books would turn pretended payments into bought service; throws `PretendedMoney`. Those of the
 * demonstration's brands are left alone: nobody is served by them. A real shop has no charges of the sandbox, so this
 * costs it nothing.
 */
export async function assertNothingPretended(db: Database): Promise<void> {
  const pretended = sql`select ${sandboxCharges.key} from ${sandboxCharges}
    union all select ${sandboxPaypalOrders.customId} from ${sandboxPaypalOrders}`;
  const [found] = await db
    .select({ brand: brands.code })
    .from(brands)
    .where(
      sql`not ${brands.demo} and exists (select 1 from (${pretended}) as pretended (key)
        join ${attempts} on ${attempts.id} = pretended.key join ${ledger} on ${ledger.attemptId} = pretended.key
        where ${attempts.brand} = ${brands.code})`,
    )
    .limit(1);
  if (found) throw new PretendedMoney(found.brand);
}
