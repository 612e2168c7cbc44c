import { and, eq, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { attempts } from '#server/db/schema/attempts.ts';
import { unsealBuyer } from '#server/billing/check-payer.ts';
import { unsealPayer } from '#server/billing/cards/payer.ts';
import { payerNames, savedPayers, savedCards } from '#server/db/schema/cards.ts';
import { checkoutHandovers } from '#server/db/schema/handovers.ts';
import { invoices } from '#server/db/schema/invoices.ts';
import { ledger, refunds } from '#server/db/schema/ledger.ts';
import { coupons, customerCoupons, orders } from '#server/db/schema/orders.ts';
import { isWaitingMessage, outbox } from '#server/db/schema/outbox.ts';
import { passkeyChallenges, passkeys } from '#server/db/schema/passkeys.ts';
import { pushMessages, pushSubscriptions, pushWatches } from '#server/db/schema/push.ts';
import { deviceGrants, mailLinks, messageRequests, verificationCodes } from '#server/db/schema/sign-in.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { transfers, uploads } from '#server/db/schema/transfers.ts';
import type { Env } from '#server/env.ts';
import { loginRecords, sessions, users } from '#server/db/schema/users.ts';

/** The customer whose rows are selected; `names` are used for login, email and SMS. */
export interface Owner {
  readonly brand: string;
  readonly uid: string;
  readonly names: readonly string[];
}

export const ownerOf = ({
  brand,
  uid,
  account,
  email,
  phone,
}: Pick<typeof users.$inferSelect, 'brand' | 'uid' | 'account' | 'email' | 'phone'>): Owner => ({
  brand,
  uid,
  names: [...new Set([account, email, phone].filter((name) => name !== null))],
});

/** A table with rows of customers. */
interface PersonalTable {
  readonly table: PgTable;
  readonly isOwnedBy: (owner: Owner) => SQL | undefined;
  /** columns that are never shown: secrets, and data for the gateway only; `all` if there are no others */
  readonly hidden: readonly string[] | 'all';
  /** decrypts a row for its owner */
  readonly readable?: (row: Record<string, unknown>, owner: Owner, env: Env) => Record<string, unknown>;
  /** what happens to the rows when the account is deleted; `kept` for tax law, without personal data */
  readonly atEnd: 'removed' | 'kept' | 'emptied';
}

export type CustomerTable = PgTable & { readonly brand: PgColumn; readonly uid: PgColumn };
export const isOwnedByCustomer = (table: CustomerTable) => (owner: Pick<Owner, 'brand' | 'uid'>) =>
  and(eq(table.brand, owner.brand), eq(table.uid, owner.uid));
type Named = PgTable & { readonly brand: PgColumn; readonly account: PgColumn };
const byName = (table: Named) => (owner: Owner) =>
  and(eq(table.brand, owner.brand), inArray(table.account, [...owner.names]));

const ownOrders = (owner: Owner) =>
  sql`(select ${orders.orderId} from ${orders} where ${isOwnedByCustomer(orders)(owner)})`;

/**
 * Every table with data of a customer, in an order in which rows can be deleted. A table with a column `uid` that is
 * missing here fails a test (tests/api/my-data.test.ts), so that new data is neither missing in an export nor left
 * after a deletion.
 */
export const personalTables: Readonly<Record<string, PersonalTable>> = {
  account: {
    table: users,
    isOwnedBy: isOwnedByCustomer(users),
    hidden: ['passwordHash', 'evictions', 'evictedAt'],
    atEnd: 'emptied',
  },
  signIns: {
    table: loginRecords,
    isOwnedBy: isOwnedByCustomer(loginRecords),
    hidden: ['sessionHash'],
    atEnd: 'removed',
  },
  pushMessages: {
    table: pushMessages,
    isOwnedBy: (owner) => ofDevices(pushMessages.subscriptionId, owner),
    hidden: [],
    atEnd: 'removed',
  },
  pushWatches: {
    table: pushWatches,
    isOwnedBy: (owner) => ofDevices(pushWatches.subscriptionId, owner),
    hidden: [],
    atEnd: 'removed',
  },
  pushSubscriptions: {
    table: pushSubscriptions,
    isOwnedBy: isOwnedByCustomer(pushSubscriptions),
    hidden: ['sessionHash', 'endpoint', 'p256dh', 'auth', 'vapidKey'],
    atEnd: 'removed',
  },
  sessions: {
    table: sessions,
    isOwnedBy: isOwnedByCustomer(sessions),
    hidden: ['tokenHash', 'openerHash', 'keyHash'],
    atEnd: 'removed',
  },
  passkeys: {
    table: passkeys,
    isOwnedBy: isOwnedByCustomer(passkeys),
    hidden: ['credentialId', 'userHandle', 'publicKey', 'counter'],
    atEnd: 'removed',
  },
  passkeyChallenges: {
    table: passkeyChallenges,
    isOwnedBy: (owner) => and(eq(passkeyChallenges.brand, owner.brand), eq(passkeyChallenges.uid, owner.uid)),
    hidden: 'all',
    atEnd: 'removed',
  },
  boxesThatWait: {
    table: deviceGrants,
    isOwnedBy: isOwnedByCustomer(deviceGrants),
    hidden: ['deviceCodeHash', 'userCodeHash'],
    atEnd: 'removed',
  },
  handedCheckouts: {
    table: checkoutHandovers,
    isOwnedBy: isOwnedByCustomer(checkoutHandovers),
    hidden: ['sessionHash', 'userCodeHash'],
    atEnd: 'removed',
  },
  mailLinks: {
    table: mailLinks,
    isOwnedBy: isOwnedByCustomer(mailLinks),
    hidden: ['tokenHash', 'before'],
    atEnd: 'removed',
  },
  codes: { table: verificationCodes, isOwnedBy: byName(verificationCodes), hidden: 'all', atEnd: 'removed' },
  mailsAskedFor: { table: messageRequests, isOwnedBy: byName(messageRequests), hidden: 'all', atEnd: 'removed' },
  mailsThatWait: {
    table: outbox,
    // sent messages are empty, and deleted within a day
    isOwnedBy: ({ brand, names }) =>
      and(eq(outbox.brand, brand), inArray(outbox.recipient, [...names]), isWaitingMessage(outbox)),
    hidden: ['text', 'html', 'lastAnswer'],
    atEnd: 'removed',
  },
  renewal: { table: subscriptions, isOwnedBy: isOwnedByCustomer(subscriptions), hidden: [], atEnd: 'removed' },
  ownCoupons: { table: customerCoupons, isOwnedBy: isOwnedByCustomer(customerCoupons), hidden: [], atEnd: 'removed' },
  savedCards: { table: savedCards, isOwnedBy: isOwnedByCustomer(savedCards), hidden: ['token'], atEnd: 'removed' },
  payer: {
    table: savedPayers,
    isOwnedBy: isOwnedByCustomer(savedPayers),
    hidden: [],
    readable: ({ sealed, ...row }, owner, env) => ({ ...row, ...unsealPayer(env, owner, String(sealed)) }),
    atEnd: 'removed',
  },
  payerNames: { table: payerNames, isOwnedBy: isOwnedByCustomer(payerNames), hidden: 'all', atEnd: 'removed' },
  uploads: {
    table: uploads,
    isOwnedBy: isOwnedByCustomer(uploads),
    // its owner has the picture; the export only lists it
    hidden: ['content'],
    atEnd: 'removed',
  },
  coupons: {
    table: coupons,
    isOwnedBy: (owner) =>
      and(
        eq(coupons.brand, owner.brand),
        sql`${coupons.code} in (select ${orders.discountCode} from ${orders} where ${isOwnedByCustomer(orders)(owner)})`,
      ),
    hidden: ['maxUses', 'used'],
    atEnd: 'kept',
  },
  invoices: {
    table: invoices,
    isOwnedBy: isOwnedByCustomer(invoices),
    hidden: [],
    readable: withBuyer,
    atEnd: 'kept',
  },
  ledger: {
    table: ledger,
    isOwnedBy: (owner) => inOrders(ledger.orderId, owner),
    hidden: ['giveBackAt', 'invoiceAt'],
    atEnd: 'kept',
  },
  refunds: {
    table: refunds,
    isOwnedBy: (owner) => inOrders(refunds.orderId, owner),
    hidden: ['providerRef', 'why', 'nextTryAt'],
    atEnd: 'kept',
  },
  transfers: {
    table: transfers,
    isOwnedBy: (owner) =>
      sql`${transfers.key} in (select ${attempts.id} from ${attempts} where ${inOrders(attempts.orderId, owner)})`,
    hidden: ['payload'],
    atEnd: 'kept',
  },
  attempts: {
    table: attempts,
    isOwnedBy: (owner) => and(eq(attempts.brand, owner.brand), inOrders(attempts.orderId, owner)),
    hidden: ['idempotencyKey', 'requestHash', 'providerRef', 'next'],
    readable: withBuyer,
    atEnd: 'kept',
  },
  orders: {
    table: orders,
    isOwnedBy: isOwnedByCustomer(orders),
    hidden: ['resultToken'],
    readable: withBuyer,
    atEnd: 'kept',
  },
};

function withBuyer({ buyerSealed, buyer, ...row }: Record<string, unknown>, owner: Owner, env: Env) {
  return { ...row, buyer: typeof buyerSealed === 'string' ? unsealBuyer(env, owner, buyerSealed) : buyer };
}

/** Selects by the notified device, as the indexes do. */
const ofDevices = (subscriptionId: PgColumn, owner: Owner) =>
  sql`${subscriptionId} in (select ${pushSubscriptions.id} from ${pushSubscriptions} where ${isOwnedByCustomer(pushSubscriptions)(owner)})`;

const inOrders = (orderId: PgColumn, owner: Owner) => sql`${orderId} in ${ownOrders(owner)}`;

/** The columns of a table that are shown to its owner, by name. */
export function shownColumns({ table, hidden }: PersonalTable): Record<string, PgColumn> {
  if (hidden === 'all') return {};
  const shown = Object.entries(getTableColumns(table)).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(shown);
}

/** A proof that waits for a review is needed for the money of its transfer; a job deletes it later. */
export const underReview: SQL = sql`exists (select 1 from ${transfers} where ${transfers.objectId} = ${uploads.objectId}
  and ${transfers.state} = 'reviewing')`;
