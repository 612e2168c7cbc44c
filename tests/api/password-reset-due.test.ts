import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { users } from '#server/db/schema/users.ts';
import { aCard, aShop } from '#tests/builders/a-shop.ts';

describe('a customer who has to reset the password', () => {
  it('is refused at each step of a purchase until the password is reset', async () => {
    const shop = await aShop();
    try {
      const ana = await shop.buyer();
      const declined = await ana.pay({ card: aCard('4000000000000002') });
      const due = (passwordResetDue: boolean) =>
        shop.db.update(users).set({ passwordResetDue }).where(eq(users.uid, ana.uid));
      await due(true);
      expect((await ana.pay()).errCode).toBe(2500);
      expect((await ana.repay(declined.params.orderId ?? '')).errCode).toBe(2500);
      const check = () => shop.request(endpoints.checkPlanAvailable, { body: { planId: '101' } }, { token: ana.token });
      expect((await check()).errCode).toBe(2500);
      expect((await shop.books()).orders).toHaveLength(1);
      await due(false);
      expect((await check()).code).toBe(0);
      expect((await ana.pay()).code).toBe(0);
    } finally {
      await shop.close();
    }
  });
});
