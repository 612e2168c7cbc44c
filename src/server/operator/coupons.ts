import { dayAfter, timeZoneOf } from '#server/brand/time-zone.ts';
import { and, eq } from 'drizzle-orm';
import * as v from 'valibot';
import { discountCodeSchema, normalizeCoupon } from '#contract/coupons.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { coupons } from '#server/db/schema/orders.ts';
import { findCoupon as findReduction, type CouponErrors } from '#server/billing/coupons.ts';
import { giveCoupon } from '#server/billing/give-coupon.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  amountOf,
  amountOption,
  hasOption,
  OperatorError,
  requireOption,
  type OptionText,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
} from './command.ts';
import { findNamedCustomer, customerOptions, type NamedCustomer } from './customers.ts';
import { brandOf, brandOption } from './open-shop.ts';

export const codeOption = { required: true, value: 'code', summary: 'letters, digits and dashes' } as const;

/** The coupon is listed in the customer's account, the checkout offers it, and a mail reports it. */
export const giveCouponCommand: ShopCommand = {
  name: 'coupons give',
  summary: 'gives a coupon to a customer',
  options: { ...customerOptions, code: codeOption, ...auditOptions },
  inShop: async (given, { deps, done, ...shop }) => {
    const code = codeOf(given);
    const { brand, user, account } = await findNamedCustomer(given, { deps, ...shop });
    const coupon = await findCoupon({ deps }, brand, code);
    await assertUsable({ deps }, coupon, { brand, user, account });
    const isNew = await deps.db.transaction(async (tx) => {
      const isGiven = await giveCoupon(tx, { brand, user, coupon }, deps);
      const change = { command: 'coupons give', brand: brand.code, subject: user.uid, detail: { code } };
      if (isGiven) await writeAudit(tx, given, change, deps);
      return isGiven;
    });
    const facts = { brand: brand.code, uid: user.uid, code, isNew };
    done(`${account} has the coupon ${code} ${isNew ? 'now' : 'already'}.`, facts);
  },
};

/** Throws `OperatorError` for a coupon that no purchase of the customer could use. */
async function assertUsable(
  { deps }: Pick<ShopContext, 'deps'>,
  { brand, code, planIds, currency, startsAt }: typeof coupons.$inferSelect,
  { user, account }: NamedCustomer,
): Promise<void> {
  const fitting = { planId: planIds[0] ?? '', currency: currency ?? '', orderId: undefined };
  const use = { brand, uid: user.uid, code, ...fitting };
  // one that starts later may be given before
  const found = await findReduction(deps.db, use, Math.max(deps.clock(), startsAt));
  // an open order that reserves it may still release it
  if (!('refused' in found) || found.orderId !== undefined) return;
  const reasons: Partial<Record<CouponErrors, string>> = {
    couponUnavailable: 'has ended',
    couponUsedUp: 'is used up',
    couponNotVerified: `is for a first purchase, and ${account} has bought before`,
  };
  throw new OperatorError(`The coupon ${code} ${reasons[found.refused] ?? 'does not exist any more'}.`);
}

/** The coupon with this code, in any spelling. */
export async function findCoupon({ deps }: Pick<ShopContext, 'deps'>, brand: Brand, code: string) {
  const [coupon] = await deps.db
    .select()
    .from(coupons)
    .where(ofBrand(brand, normalizeCoupon(code)));
  if (coupon) return coupon;
  throw new OperatorError(`${brand.name} has no coupon ${code}.`);
}

export const ofBrand = ({ code: brand }: Brand, code: string) => and(eq(coupons.brand, brand), eq(coupons.code, code));

const termsOptions = {
  percent: { value: '1-100', summary: 'what it takes off, or else:' },
  amount: { value: '12.34', summary: 'what it takes off, of --currency' },
  currency: { value: 'code', summary: 'of --amount, such as BRL' },
  until: { required: true, value: 'date', summary: 'its last day by the time zone of the brand, as 2027-12-31' },
  plans: { value: 'ids', summary: 'plans that it is valid for, comma-separated; default: all' },
  first: { summary: 'for a first purchase only' },
} as const satisfies Record<string, OptionText>;

export const createCouponCommand: ShopCommand = {
  name: 'coupons create',
  summary: 'makes a coupon that takes off a percentage or an amount',
  options: {
    brand: brandOption,
    code: codeOption,
    ...termsOptions,
    uses: { required: true, value: 'number', summary: 'maximum number of orders, of all customers together' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const code = codeOf(given);
    const { brand, terms, off } = termsGiven(given, shop);
    const maxUses = wholeNumber(given, 'uses', 1e9);
    const change = { subject: code, command: 'coupons create', detail: { off, uses: maxUses } };
    await insertCoupons(shop, given, change, [{ ...terms, maxUses, code }]);
    shop.done(`${brand.name} has the coupon ${code} now: ${off} off.`, { brand: brand.code, code, off });
  },
};

/** No look-alikes such as O and 0. Eight characters are 40 bits, too many to guess within the checkout's rate limits. */
const codeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Prints the codes one per line, so that standard output is a file of codes. */
export const generateCouponsCommand: ShopCommand = {
  name: 'coupons generate',
  summary: 'makes many coupons with random codes, each for one order, and prints the codes',
  options: {
    brand: brandOption,
    count: { required: true, value: 'number', summary: 'how many, 10000 at most' },
    prefix: { required: true, value: 'word', summary: 'how the codes begin: SPRING makes SPRING-7KQ2M9XA' },
    ...termsOptions,
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const { deps, row, explain } = shop;
    const count = wholeNumber(given, 'count', 10_000);
    const prefix = v.safeParse(discountCodeSchema, requireOption(given, 'prefix'));
    if (!prefix.success || prefix.output.length > 20) throw wrong('--prefix has 2 to 20 letters, digits and dashes.');
    const { brand, terms, off } = termsGiven(given, shop);
    const codes = new Set<string>();
    while (codes.size < count) codes.add(`${prefix.output}-${deps.random.text(codeAlphabet, 8)}`);
    const change = { subject: prefix.output, command: 'coupons generate', detail: { off, count } };
    const rows = Array.from(codes, (code) => ({ ...terms, maxUses: 1, code }));
    await insertCoupons(shop, given, change, rows);
    for (const code of codes) row({ code });
    explain(`${brand.name} has ${count} coupons more: ${off} off, each for one order.`);
  },
};

type CouponRow = typeof coupons.$inferInsert;

function termsGiven(given: OptionValues, { deps }: ShopContext) {
  const brand = brandOf(deps, requireOption(given, 'brand'));
  const discount = whatItTakesOff(given, brand);
  const startsAt = deps.clock();
  const validity = { startsAt, endsAt: endOf(given, brand, startsAt) };
  return {
    brand,
    off: offOf(discount),
    terms: { brand: brand.code, ...discount, ...whatItIsFor(given, brand), ...validity },
  };
}

/** Parameters of a statement are limited to 65,535. */
const rowsAtOnce = 1000;

/** All of them or none, with the record of the change. */
async function insertCoupons(
  { deps }: ShopContext,
  given: OptionValues,
  change: { command: string; subject: string; detail: Record<string, string | number> },
  rows: readonly CouponRow[],
): Promise<void> {
  const brand = brandOf(deps, requireOption(given, 'brand'));
  await deps.db.transaction(async (tx) => {
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const part = rows.slice(from, from + rowsAtOnce);
      const made = await tx.insert(coupons).values(part).onConflictDoNothing().returning({ code: coupons.code });
      const there = part.find(({ code }) => !made.some((one) => one.code === code));
      if (there) throw new OperatorError(`${brand.name} has a coupon ${there.code} already.`);
    }
    await writeAudit(tx, given, { ...change, brand: brand.code }, deps);
  });
}

export function offOf({
  kind,
  value,
  currency,
}: Pick<typeof coupons.$inferSelect, 'kind' | 'value' | 'currency'>): string {
  return kind === 'percent' ? `${value}%` : amountOf({ amount: value, currency: currency ?? '' });
}

export const wrong = (message: string) => new OperatorError(message, { badUsage: true });

export function codeOf(given: OptionValues): string {
  const code = v.safeParse(discountCodeSchema, requireOption(given, 'code'));
  if (!code.success) throw wrong('--code has 2 to 32 letters, digits and dashes.');
  return code.output;
}

function wholeNumber(given: OptionValues, name: string, most: number): number {
  const number = Number(requireOption(given, name));
  if (!Number.isInteger(number) || number < 1 || number > most) throw wrong(`--${name} is a number from 1 to ${most}.`);
  return number;
}

function whatItTakesOff(given: OptionValues, { currencies, name }: Brand) {
  if ((given['percent'] === undefined) === (given['amount'] === undefined)) throw wrong('Give --percent or --amount.');
  if (given['percent'] !== undefined)
    return { kind: 'percent' as const, value: wholeNumber(given, 'percent', 100), currency: null };
  const currency = requireOption(given, 'currency');
  if (!currencies.includes(currency)) throw wrong(`${name} sells in ${currencies.join(', ')}.`);
  const value = amountOption(given, currency) ?? 0;
  if (value > 1e9) throw wrong('--amount is too large.');
  return { kind: 'amount' as const, value, currency };
}

function whatItIsFor(given: OptionValues, brand: Brand) {
  const planIds = (given['plans'] ?? '').split(',').flatMap((id) => id.trim() || []);
  const unknown = planIds.filter((id) => !brand.plans.some((plan) => plan.id === id));
  if (unknown.length > 0) throw wrong(`${brand.name} sells no plan ${unknown.join(', ')}.`);
  return { planIds, firstPurchaseOnly: hasOption(given, 'first') };
}

/** The end of the last day in the brand's time zone. */
function endOf(given: OptionValues, { config }: Brand, now: number): number {
  const end = dayAfter(requireOption(given, 'until'), timeZoneOf(config));
  if (end === undefined || end <= now) throw wrong('--until must be a future day, such as 2027-12-31.');
  return end;
}
