import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { strayNotices } from '#server/db/schema/ledger.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { instantOf, numberOption, OperatorError, requireOption, type ShopCommand } from './command.ts';
import { brandCodeOption } from './open-shop.ts';

const doneName = 'orders done';

/** Not marked as done by an operator. The state is kept, because the provider may still send a notice. */
const isOrphanOpen = sql`${attempts.state} = 'ORPHANED' and not exists (select 1 from ${auditLog}
  where ${auditLog.brand} = ${attempts.brand} and ${auditLog.subject} = ${attempts.id} and ${auditLog.command} = ${doneName})`;
const isUnknownOpen = sql`not exists (select 1 from ${auditLog}
  where ${auditLog.brand} is null and ${auditLog.subject} = ${strayNotices.key} and ${auditLog.command} = ${doneName})`;

/** Lists payments that ended without a response, for an operator who can check them at the provider. */
export const orphansCommand: ShopCommand = {
  name: 'orders orphans',
  summary: 'lists payments whose gateway is no longer installed and whose outcome is unknown',
  options: { brand: { value: 'code', summary: 'of this brand only' } },
  inShop: async (given, { deps, row, explain }) => {
    const brand = brandCodeOption(deps, given['brand']);
    const rows = await deps.db
      .select()
      .from(attempts)
      .where(and(isOrphanOpen, brand === undefined ? undefined : eq(attempts.brand, brand)))
      .orderBy(asc(attempts.createdAt));
    for (const { orderId, brand: of, amount, currency, gateway, id, providerRef, createdAt } of rows) {
      row({
        orderId,
        brand: of,
        amount: { amount, currency },
        gateway,
        key: id,
        providerRef,
        since: instantOf(createdAt),
      });
    }
    explain(
      rows.length === 0
        ? 'No orphaned payments.'
        : 'Order, brand, amount, gateway, key at the provider, its own id, since. Look each up at the provider and refund ' +
            'what was charged, then `orders done <key>`; or install the gateway again, and the shop queries them.',
    );
  },
};

/** Money that providers reported for no order of this shop, as after a restore ([Note: Restore]). */
export const unknownPaymentsCommand: ShopCommand = {
  name: 'orders unknown',
  summary: 'lists payments that a provider reported and this shop does not have, for example after a restore',
  options: { limit: { value: 'number', summary: 'lines at most (100)' } },
  inShop: async (given, { deps, row, explain }) => {
    const most = numberOption(given, 'limit', { usual: 100, most: 10_000 });
    const rows = await deps.db
      .select()
      .from(strayNotices)
      .where(isUnknownOpen)
      .orderBy(desc(strayNotices.receivedAt))
      .limit(most);
    for (const { receivedAt, gateway, kind, key, providerRef, amount, currency } of rows) {
      const money = amount !== null && currency !== null ? { amount, currency } : null;
      row({ at: instantOf(receivedAt), gateway, kind, amount: money, key, providerRef });
    }
    explain(
      rows.length === 0
        ? 'No provider has reported an unknown payment.'
        : 'Time, gateway, kind, amount, key, its own id. Look each up at the provider: the customer paid and received nothing. ' +
            'Then `orders done <key>`.',
    );
  },
};

/** Only the lists change: the payment itself is known to its provider alone. */
export const doneOrderCommand: ShopCommand = {
  name: doneName,
  summary: 'takes a payment that you looked up at its provider off `orders orphans` and `orders unknown`',
  words: ['key'],
  options: auditOptions,
  inShop: async (given, { deps, done }) => {
    const key = requireOption(given, 'key');
    await deps.db.transaction(async (tx) => {
      const [orphan] = await tx
        .select({ brand: attempts.brand })
        .from(attempts)
        .where(and(eq(attempts.id, key), isOrphanOpen));
      const [unknown] = await tx
        .select({ key: strayNotices.key })
        .from(strayNotices)
        .where(and(eq(strayNotices.key, key), isUnknownOpen))
        .limit(1);
      if (!orphan && !unknown)
        throw new OperatorError(`Neither 'orders orphans' nor 'orders unknown' has a payment ${key}.`);
      await writeAudit(tx, given, { command: doneName, brand: orphan?.brand ?? null, subject: key }, deps);
    });
    done(`Payment ${key} is off the lists.`, { key });
  },
};
