import { and, asc, between, desc, eq, exists, inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { normalizeToken } from '#contract/normalize-text.ts';
import { hashesOfName } from '#server/billing/payer-names.ts';
import type { Database } from '#server/db/connect.ts';
import { brands } from '#server/db/schema/brands.ts';
import { payerNames, savedCards } from '#server/db/schema/cards.ts';
import { orders } from '#server/db/schema/orders.ts';
import { allNames, otherName, users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';

type UserRow = typeof users.$inferSelect;

export interface Search {
  /** three characters or more */
  readonly part: string;
  readonly brand?: string | undefined;
  readonly most: number;
}

/** Sorts after every text with the same prefix, in byte order. */
const last = '\u{10FFFF}';

/** A prefix condition in a form that an index with text_pattern_ops supports, and that stays so in cached plans. */
const startsWith = (name: SQLWrapper, start: string): SQL =>
  sql`${name} ~>=~ ${start} and ${name} ~<~ ${`${start}${last}`}`;

/**
 * The same for ids, whose letters and digits have the same order in every collation, so that their own index is used.
 */
const idStartsWith = (id: typeof users.uid | typeof orders.orderId, start: string, end: string): SQL | undefined =>
  and(between(id, start, start + end.repeat(24)), sql`starts_with(${id}, ${start})`);

/** An order by the start of its ID, such as the number that its customer reads aloud, with or without the hyphen. */
const orderStartsWith = (part: string): SQL | undefined =>
  idStartsWith(orders.orderId, part.toUpperCase().replace(/^([A-Z0-9]{5})[\s-]([A-Z0-9]+)$/, '$1$2'), 'Z');

const reversed = (text: string) => Array.from(text).toReversed().join('');

/** Customers with a saved card that ends with these digits, or with an order that such a card paid, the newest first. */
function byCard(db: Database, { part, brand, most }: Search): SQL[] {
  if (!/^\d{4}$/.test(part)) return [];
  // an index by brand and digits is used for all brands, too
  const all = db.select({ code: brands.code }).from(brands);
  const ofBrand = (column: typeof orders.brand | typeof savedCards.brand) =>
    brand === undefined ? inArray(column, all) : eq(column, brand);
  const saved = db
    .select({ uid: savedCards.uid })
    .from(savedCards)
    .where(and(ofBrand(savedCards.brand), eq(savedCards.last4, part)))
    .limit(most);
  const paid = db
    .select({ uid: orders.uid })
    .from(orders)
    .where(and(ofBrand(orders.brand), eq(orders.cardLast4, part)))
    .orderBy(desc(orders.createdAt))
    .limit(most);
  return [sql`${users.uid} = any(array${saved})`, sql`${users.uid} = any(array${paid})`];
}

/** Customers with a purchase in a name that has all these words ([Note: Payer names]); a condition for each brand. */
async function byPayer({ db, env }: Pick<Deps, 'db' | 'env'>, { part, brand, most }: Search): Promise<SQL[]> {
  // a dot ends a word, such as an initial; inside of one it is a login name
  if (!/^(?:[\p{L}\p{M}'’-]+\.?(?:\s+|$))+$/u.test(part)) return [];
  const codes = brand === undefined ? await db.select({ code: brands.code }).from(brands) : [{ code: brand }];
  return codes.flatMap(({ code }) => {
    const [first, ...others] = hashesOfName(env, code, part);
    if (!first) return [];
    const other = alias(payerNames, 'other');
    const hasAlso = (hashes: string[]) => {
      const same = and(eq(other.brand, code), inArray(other.word, hashes), eq(other.uid, payerNames.uid));
      return exists(db.select({ uid: other.uid }).from(other).where(same));
    };
    const named = db
      .selectDistinct({ uid: payerNames.uid })
      .from(payerNames)
      .where(and(eq(payerNames.brand, code), inArray(payerNames.word, first), ...others.map(hasAlso)))
      .limit(most);
    return [sql`${users.uid} = any(array${named})`];
  });
}

/**
 * A part of an address, a number or a nickname. Materialized, because with a limit the planner expects to find enough
 * in the first rows of the table.
 */
function containing(part: string, { brand, most }: Search): SQL {
  const pattern = `%${part.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const ofBrand = brand === undefined ? sql`` : sql` and ${users.brand} = ${brand}`;
  return sql`${users.uid} = any(array(
    with named as materialized (select uid from ${users} where ${allNames(users)} like ${pattern}${ofBrand})
    select uid from named limit ${most}))`;
}

/**
 * Finds customers by the prefix of an order id, of their uid, or of a login name, by its suffix, such as the last digits
 * of a number or the host of an address, by the last digits of a card, by words of a payer's name, or by any part of a
 * login name or nickname. Each is a separate statement that uses one index. Most searches end before the last one, which
 * uses the trigram index.
 */
export async function findCustomers(deps: Pick<Deps, 'db' | 'env'>, search: Search): Promise<UserRow[]> {
  const { db } = deps;
  const { part, brand, most } = search;
  const plain = normalizeToken(part);
  const name = /^[+\d().-]+$/.test(plain) ? plain.replaceAll(/\D/g, '') : part.toLowerCase();
  const byOrder = db.select({ uid: orders.uid }).from(orders).where(orderStartsWith(part)).limit(most);
  const conditions: SQL[] = [
    sql`${users.uid} = any(array${byOrder})`,
    sql`${idStartsWith(users.uid, part.toLowerCase(), 'z')}`,
    startsWith(users.account, name),
    startsWith(sql`(${otherName(users)})`, name),
    startsWith(sql`reverse(${users.account})`, reversed(name)),
    ...byCard(db, search),
    ...(await byPayer(deps, search)),
    containing(name, search),
  ];
  const found = new Map<string, UserRow>();
  for (const condition of conditions) {
    if (found.size >= most) break;
    const rows = await db
      .select()
      .from(users)
      .where(and(condition, brand === undefined ? undefined : eq(users.brand, brand)))
      .limit(most);
    for (const row of rows) found.set(row.uid, row);
  }
  return [...found.values()].slice(0, most);
}

/** Orders with this id prefix, or with the payment of this key, newest first. */
export async function findOrders(db: Database, { part, brand, most }: Search, attemptOrders: readonly string[]) {
  const byId = orderStartsWith(part);
  const byKey = attemptOrders.length > 0 ? inArray(orders.orderId, [...attemptOrders]) : undefined;
  return db
    .select()
    .from(orders)
    .where(and(byKey ?? byId, brand === undefined ? undefined : eq(orders.brand, brand)))
    .orderBy(asc(orders.orderId))
    .limit(most);
}
