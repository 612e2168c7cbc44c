import { refuse } from '../api-error.ts';
import type { CustomerContext } from '../request-context.ts';
import { giveBackTry, giveBackTryFrom, takeTry, takeTryFrom } from '../throttle.ts';

const windowMs = 15 * 60_000;
/** Codes of one customer that do not exist. Whoever copies one from a leaflet mistypes it once or twice. */
const ofCustomer = { tries: 10, windowMs };
/** And of all customers of one network, where a guesser may have many accounts. */
const fromNetwork = { tries: 100, windowMs };
/** Misses that a customer has in any case, so that a guesser behind the same carrier is not noticed. */
const always = 3;

/**
 * Counts a try at a coupon before anyone looks for it, so that simultaneous ones count too. Refuses with -3031 and
 * `waitSeconds` where no try is left. The answer takes the try back: to be called when there is such a coupon.
 */
export async function countCouponTry({ deps, brand, user, ip }: CustomerContext): Promise<() => Promise<void>> {
  const { db } = deps;
  const now = deps.clock();
  const own = `coupon ${brand.code} ${user.uid}`;
  const network = `coupons from ${brand.code}`;
  const mine = await takeTry(db, own, ofCustomer, now);
  if (!mine.allowed) refuse(-3031, { waitSeconds: mine.waitSeconds });
  const theirs = await takeTryFrom(db, network, ip, fromNetwork, now);
  if (!theirs.allowed && mine.count > always) refuse(-3031, { waitSeconds: theirs.waitSeconds });
  return async () => {
    await giveBackTry(db, own);
    await giveBackTryFrom(db, network, ip);
  };
}
