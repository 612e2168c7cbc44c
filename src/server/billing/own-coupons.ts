import { and, asc, desc, eq, inArray, isNotNull } from 'drizzle-orm';
import type { addCoupon, listCoupons, OwnCoupon } from '#contract/coupons.ts';
import { coupons, customerCoupons, isOpenOrder, orders } from '#server/db/schema/orders.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import { planName } from '#server/site/plan.ts';
import { couponParams, type CouponErrors, type CouponRefusal, couponRefusal } from './coupons.ts';
import { ownedBy } from './orders.ts';
import { countCouponTry } from './valuation.ts';

type CouponRow = typeof coupons.$inferSelect;

/** More than any customer has. */
const shown = 100;

export const handleListCoupons: Handler<typeof listCoupons> = async (_, context) => {
  const given = await givenCoupons(context);
  const use = await usesOfCoupons(context, given);
  return { items: [...given, ...use.reservedByOthers].map((coupon) => couponView(context, coupon, use)) };
};

/**
 * Adds a coupon that the checkout would accept for at least one plan, or that an open order of the customer reserves.
 */
export const handleAddCoupon: Handler<typeof addCoupon> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const { uncount } = await countCouponTry(context);
  const [coupon] = await deps.db
    .select()
    .from(coupons)
    .where(and(eq(coupons.brand, brand.code), eq(coupons.code, body.code)));
  if (!coupon) return context.refuse('invalidCoupon');
  await uncount();
  const use = await usesOfCoupons(context, [coupon]);
  const view = couponView(context, coupon, use);
  const refusal = refusalOf(coupon, use);
  if (view.state !== 'held') {
    refuseIf(context, refusal ?? (view.state === 'usable' ? undefined : { refused: 'couponNotUsable' }));
  }
  await deps.db
    .insert(customerCoupons)
    .values({ brand: brand.code, uid: user.uid, code: coupon.code, givenAt: deps.clock() })
    .onConflictDoNothing();
  return view;
};

function refuseIf(context: CustomerContext<CouponErrors>, refusal: CouponRefusal | undefined): void {
  if (refusal) context.refuse(refusal.refused, couponParams(refusal, context));
}

async function givenCoupons({ deps, brand, user }: CustomerContext): Promise<CouponRow[]> {
  const rows = await deps.db
    .select({ coupon: coupons })
    .from(customerCoupons)
    .innerJoin(coupons, and(eq(coupons.brand, customerCoupons.brand), eq(coupons.code, customerCoupons.code)))
    .where(and(eq(customerCoupons.brand, brand.code), eq(customerCoupons.uid, user.uid)))
    .orderBy(desc(customerCoupons.givenAt), asc(customerCoupons.code))
    .limit(shown);
  return rows.map(({ coupon }) => coupon);
}

/** How the customer's orders use coupons. */
interface CouponUses {
  /** IDs of open orders by the code that they reserve, oldest first */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** coupons that open orders reserve, besides those in question */
  readonly reservedByOthers: readonly CouponRow[];
  /** codes of reserved coupons that are for a first purchase */
  readonly reservedFirstPurchases: readonly string[];
  /** the last paid order by its coupon code */
  readonly paid: ReadonlyMap<string, string>;
  readonly bought: boolean;
  readonly now: number;
}

async function usesOfCoupons(context: CustomerContext, asked: readonly CouponRow[]): Promise<CouponUses> {
  const { db, clock } = context.deps;
  const columns = { orderId: orders.orderId, code: orders.discountCode };
  const mine = ownedBy(context);
  const open = await db
    .select(columns)
    .from(orders)
    .where(and(mine, isOpenOrder(orders), isNotNull(orders.discountCode)))
    .orderBy(asc(orders.createdAt), asc(orders.orderId));
  const holders = byCode(open);
  const codes = [...new Set([...asked.map(({ code }) => code), ...holders.keys()])];
  const isMine = and(mine, isNotNull(orders.paidAt));
  const [first] = await db.select({ orderId: orders.orderId }).from(orders).where(isMine).limit(1);
  const used = await db
    .select(columns)
    .from(orders)
    .where(and(isMine, inArray(orders.discountCode, codes)))
    .orderBy(desc(orders.paidAt));
  const held = await db
    .select()
    .from(coupons)
    .where(and(eq(coupons.brand, context.brand.code), inArray(coupons.code, [...holders.keys()])));
  return {
    holders,
    reservedByOthers: held.filter(({ code }) => !asked.some((one) => one.code === code)),
    reservedFirstPurchases: held.filter(({ firstPurchaseOnly }) => firstPurchaseOnly).map(({ code }) => code),
    paid: new Map([...byCode(used)].map(([code, [orderId = '']]) => [code, orderId])),
    bought: first !== undefined,
    now: clock(),
  };
}

function byCode(rows: readonly { orderId: string; code: string | null }[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { orderId, code } of rows) found.set(code ?? '', [...(found.get(code ?? '') ?? []), orderId]);
  return found;
}

/** How the checkout would refuse the coupon, for a plan and a currency that it is valid for. */
function refusalOf(
  coupon: CouponRow,
  { holders, reservedFirstPurchases, bought, now }: CouponUses,
): CouponRefusal | undefined {
  const others = coupon.firstPurchaseOnly ? reservedFirstPurchases.filter((code) => code !== coupon.code) : [];
  return couponRefusal(
    coupon,
    { planId: coupon.planIds[0] ?? '', currency: coupon.currency ?? '', orderId: undefined },
    {
      holders: holders.get(coupon.code) ?? [],
      others: others.flatMap((code) => holders.get(code) ?? []),
      bought,
      now,
    },
  );
}

function couponView({ brand, language }: CustomerContext, coupon: CouponRow, use: CouponUses): OwnCoupon {
  const { code, kind, value, currency, planIds, firstPurchaseOnly, startsAt, endsAt } = coupon;
  const sold = planIds.filter((id) => brand.plans.some((plan) => plan.id === id));
  const plans = sold.map((planId) => ({ planId, planName: planName(brand, planId, language) ?? planId }));
  const isForNoPlan =
    (planIds.length > 0 && sold.length === 0) || (currency !== null && !brand.currencies.includes(currency));
  return {
    code,
    percent: kind === 'percent' ? value : null,
    amount: kind === 'amount' && currency !== null ? { amount: value, currency } : null,
    plans,
    firstPurchaseOnly,
    startsAt,
    endsAt,
    ...stateOf(coupon, use, isForNoPlan),
  };
}

function stateOf(coupon: CouponRow, use: CouponUses, isForNoPlan: boolean): Pick<OwnCoupon, 'state' | 'orderId'> {
  const { holders, paid, now } = use;
  const [holder] = holders.get(coupon.code) ?? [];
  if (holder !== undefined) return { state: 'held', orderId: holder };
  const refusal = refusalOf(coupon, use);
  if (!refusal) return { state: isForNoPlan ? 'unavailable' : 'usable', orderId: null };
  if (refusal.orderId !== undefined) return { state: 'held', orderId: refusal.orderId };
  const usedBy = paid.get(coupon.code);
  if (usedBy !== undefined) return { state: 'used', orderId: usedBy };
  if (now < coupon.startsAt) return { state: 'later', orderId: null };
  return { state: now >= coupon.endsAt ? 'expired' : 'unavailable', orderId: null };
}
