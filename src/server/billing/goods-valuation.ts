import type { goodsValuation } from '../../contract/billing.ts';
import type { Handler } from '../mount.ts';
import { endIfPaid } from '../site/availability.ts';
import { quoteLifetimeMs, signQuote } from './quote.ts';
import { valuate } from './valuation.ts';

export const handleGoodsValuation: Handler<typeof goodsValuation> = async ({ body }, context) => {
  const { user, deps } = context;
  const { plan, price, facts } = await valuate(context, body);
  const now = deps.clock();
  const validUntil = now + quoteLifetimeMs;
  const money = (amount: number) => ({ amount, currency: body.currency });
  return {
    original: money(price.original),
    discount: money(price.discount),
    total: money(price.total),
    quoteId: signQuote(deps.env.SIGNING_SECRET, facts, validUntil),
    validUntil,
    expiryAfter: endIfPaid(user, plan, now),
  };
};
