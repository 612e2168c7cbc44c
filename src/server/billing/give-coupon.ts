import type { UserRow } from '#server/auth/find-user.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { type coupons, customerCoupons } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { couponMail } from '#server/messages/coupon-mail.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { planName } from '#server/site/plans.ts';

interface Gift {
  readonly brand: Brand;
  readonly user: UserRow;
  readonly coupon: typeof coupons.$inferSelect;
}

/**
 * Gives a coupon to a customer and sends an email if there is an address and the coupon has not expired. Returns false,
 * without an email, if the customer has it already. `tx` is a transaction.
 */
export async function giveCoupon(
  tx: Database,
  { brand, user, coupon }: Gift,
  deps: Pick<Deps, 'clock' | 'random'>,
): Promise<boolean> {
  const now = deps.clock();
  const { code, kind, value, currency, planIds, firstPurchaseOnly, startsAt, endsAt } = coupon;
  const written = await tx
    .insert(customerCoupons)
    .values({ brand: brand.code, uid: user.uid, code, givenAt: now })
    .onConflictDoNothing()
    .returning({ code: customerCoupons.code });
  if (written.length === 0) return false;
  if (user.email === null || endsAt <= now) return true;
  const { language } = user;
  const mail = couponMail(brand, language, {
    code,
    off: kind === 'percent' || currency === null ? value : { amount: value, currency },
    plans: planIds.map((id) => planName(brand, id, language) ?? id),
    firstPurchaseOnly,
    startsAt: startsAt > now ? startsAt : null,
    endsAt,
  });
  await queueMail(tx, { brand, to: user.email, ...mail }, deps);
  return true;
}
