import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';

/**
 * Invalid tokens from one network. Valid ones are not counted: 256 bits cannot be guessed, so this only limits useless
 * requests, and never the link of a customer behind a carrier's shared address.
 */
const limit = { tries: 60, windowMs: 60 * 60_000 };

/**
 * Refuses an invalid email link with `linkGone`, or `tooFrequent` after too many. Never call it in a transaction: the
 * refusal would roll back the count.
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
