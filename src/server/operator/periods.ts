import { and, asc, eq, gte, inArray, isNull, not, sql } from 'drizzle-orm';
import type { Brand } from '#server/brand/catalog.ts';
import { startOfDay, timeZoneOf } from '#server/brand/time-zone.ts';
import { grantDays } from '#server/billing/grant-days.ts';
import { periodsOf, lastPeriodOf } from '#server/site/periods.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { daysGivenMail } from '#server/messages/renewal-chosen-mail.ts';
import { deletedUserType, lockCustomer, type UserRow } from '#server/auth/users.ts';
import type { Database } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { users } from '#server/db/schema/users.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  hasOption,
  instantOf,
  numberOption,
  OperatorError,
  requireOption,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
} from './command.ts';
import { customerOptions, findNamedCustomer } from './customers.ts';
import { brandOf, brandOption } from './open-shop.ts';
import { readInParts, rowsAtOnce } from './order-list.ts';
import { dayGiven } from './report.ts';
import { counted } from './wording.ts';

const mostDays = 366;

/** For an apology or a prize: days that no order paid for. */
export const grantDaysCommand: ShopCommand = {
  name: 'periods grant',
  summary: 'gives a customer days without a payment, behind the existing ones, and tells them',
  options: {
    ...customerOptions,
    days: { required: true, value: 'number', summary: `how many, ${mostDays} at most` },
    plan: { value: 'id', summary: 'the plan of the days; needed for a customer who never had one' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    requireOption(given, 'days');
    const days = numberOption(given, 'days', { usual: 1, most: mostDays });
    const { brand, user, account } = await findNamedCustomer(given, shop);
    const until = await deps.db.transaction(async (tx) => {
      const plan = await planOf(given, { ...deps, db: tx }, { brand, user });
      if (plan === 'unknown') throw new OperatorError('The customer has no plan. Give --plan.', { badUsage: true });
      const ends = await give(tx, given, shop, { brand, user, days, plan });
      if (ends === undefined) throw new OperatorError(`${brand.name} has no customer ${account}.`);
      return ends;
    });
    const facts = { brand: brand.code, uid: user.uid, days, until: instantOf(until) };
    done(`${account} has ${days} days more. Access ends at ${facts.until}.`, facts);
  },
};

interface GivenDays {
  readonly brand: Brand;
  readonly user: UserRow;
  readonly days: number;
  readonly plan: { readonly id: string; readonly devices: number } | undefined;
  /** of a gift to many customers */
  readonly name?: string;
}

/** Gives the days, tells the customer and writes the audit record. Undefined for an unknown customer. */
async function give(
  tx: Database,
  given: OptionValues,
  { deps }: ShopContext,
  { brand, user, days, plan, name }: GivenDays,
): Promise<number | undefined> {
  const endsAt = await grantDays(tx, { brand: brand.code, uid: user.uid, days, plan }, deps.clock());
  if (endsAt === undefined) return undefined;
  if (user.email !== null)
    await queueMail(tx, { brand, to: user.email, ...daysGivenMail(brand, user.language, { days, endsAt }) }, deps);
  const detail = { days, ...(plan && { plan: plan.id }), ...(name !== undefined && { name }) };
  await writeAudit(tx, given, { command: grantDaysCommand.name, brand: brand.code, subject: user.uid, detail }, deps);
  return endsAt;
}

/** For an outage. Each customer is a transaction of its own, so an interrupted run has given some of them their days. */
export const grantAllCommand: ShopCommand = {
  name: 'periods grant-all',
  summary: 'gives days to every customer with access, and tells them; run again, it resumes where it stopped',
  options: {
    brand: brandOption,
    days: { required: true, value: 'number', summary: `how many, ${mostDays} at most` },
    name: { required: true, value: 'name', summary: 'of this gift; a customer receives the same gift once' },
    since: { value: 'date', summary: 'also those whose access ended on this day or later, for any reason' },
    'dry-run': { summary: 'gives nothing: counts the customers' },
    by: auditOptions.by,
    why: { value: 'reason', summary: `${auditOptions.why.summary}; needed to give` },
  },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    requireOption(given, 'days');
    const days = numberOption(given, 'days', { usual: 1, most: mostDays });
    const brand = brandOf(deps, requireOption(given, 'brand'));
    const name = requireOption(given, 'name');
    const timeZone = timeZoneOf(brand.config);
    const since = given['since'] === undefined ? deps.clock() : startOfDay(dayGiven(given, 'since'), timeZone);
    const isDry = hasOption(given, 'dry-run');
    if (!isDry) requireOption(given, 'why');
    let [due, before] = [0, 0];
    for await (const user of customersWithAccess(deps.db, brand, since)) {
      const isNew = isDry
        ? !(await hasGift(deps.db, user, name))
        : await giveOnce(given, shop, { brand, user, days, name });
      if (isNew) due += 1;
      else before += 1;
    }
    const rest = before === 0 ? '' : `; ${counted(before, 'customer')} had them before`;
    const what = isDry ? 'Nothing is given. Days are due to' : `${counted(days, 'day')} given to`;
    done(`${what} ${counted(due, 'customer')}${rest}.`, { brand: brand.code, name, days, customers: due, before });
  },
};

/** Customers whose access ends after an instant in epoch milliseconds. Not those who are blocked or leaving. */
async function* customersWithAccess(db: Database, brand: Brand, since: number): AsyncGenerator<UserRow> {
  const { uid, expiredTime } = users;
  const wanted = and(
    eq(users.brand, brand.code),
    gte(expiredTime, since),
    isNull(users.leavesAt),
    not(inArray(users.userType, ['BLOCKED', deletedUserType])),
  );
  const parts = readInParts<UserRow>((last) =>
    db
      .select()
      .from(users)
      .where(and(wanted, last && sql`(${expiredTime}, ${uid}) > (${last.expiredTime}, ${last.uid})`))
      .orderBy(asc(expiredTime), asc(uid))
      .limit(rowsAtOnce),
  );
  // days that are given or bought meanwhile move a customer behind those who are still to come
  const seen = new Set<string>();
  for await (const rows of parts) {
    yield* rows.filter((user) => !seen.has(user.uid));
    for (const user of rows) seen.add(user.uid);
  }
}

/** Whether the audit log has the gift of this name to a customer. */
async function hasGift(db: Database, { brand, uid }: UserRow, name: string): Promise<boolean> {
  const isGift = sql`${auditLog.detail} ->> 'name' = ${name}`;
  const [gift] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(eq(auditLog.brand, brand), eq(auditLog.subject, uid), eq(auditLog.command, grantDaysCommand.name), isGift),
    )
    .limit(1);
  return gift !== undefined;
}

/** False if the customer has the gift already. The lock keeps two runs at once from giving it twice. */
async function giveOnce(
  given: OptionValues,
  shop: ShopContext,
  gift: Omit<GivenDays, 'plan'> & { readonly name: string },
): Promise<boolean> {
  return shop.deps.db.transaction(async (tx) => {
    const user = await lockCustomer(tx, gift.user);
    if (!user || (await hasGift(tx, user, gift.name))) return false;
    const known = await planOf({}, { ...shop.deps, db: tx }, { brand: gift.brand, user });
    // access that the app gave, without a plan of this shop, lasts longer as well
    const plan = known === 'unknown' ? undefined : known;
    return (await give(tx, given, shop, { ...gift, user, plan })) !== undefined;
  });
}

/**
 * The plan of the days, undefined if it stays as it is. A customer with days keeps the plan of their row, because it belongs to days that were given
 * before.
 */
async function planOf(
  given: OptionValues,
  deps: Pick<ShopContext['deps'], 'db' | 'clock'>,
  { brand, user }: { brand: Brand; user: UserRow },
): Promise<GivenDays['plan'] | 'unknown'> {
  const id = given['plan']?.trim();
  const [running] = await periodsOf(deps.db, user, deps.clock());
  if (id !== undefined) {
    if (running) throw new OperatorError('--plan is for a customer without days. These follow with the present plan.');
    const plan = brand.plans.find((one) => one.id === id);
    if (plan) return { id, devices: plan.devices };
    throw new OperatorError(`${brand.name} sells no plan ${id}.`);
  }
  if (user.planId !== null) return undefined;
  const last = running ?? (await lastPeriodOf(deps.db, user));
  if (last?.planId) return { id: last.planId, devices: last.devices };
  return 'unknown';
}
