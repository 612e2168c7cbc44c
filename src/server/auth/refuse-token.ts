import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';

/**
 * Tokens from one network address that open nothing. Those that do are not counted: guessing at 256 bits is hopeless,
 * so this bounds the noise of whoever tries, and never a customer's own link behind a carrier's shared address.
 */
const limit = { tries: 60, windowMs: 60 * 60_000 };

/**
 * Says that a mail's link is gone: `linkGone`, or -3031 to who has tried too many. Never call it in a transaction, which the
 * refusal would roll back together with what was counted.
 */
export async function refuseToken({
  deps,
  brand,
  ip,
  refuse,
}: RequestContext<'linkGone' | 'tooFrequent'>): Promise<never> {
  const taken = await countTryFrom(deps.db, `mail token ${brand.code}`, ip, limit, deps.clock());
  return taken.allowed ? refuse('linkGone') : refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
}
