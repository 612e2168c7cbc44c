import { and, eq } from 'drizzle-orm';
import { users } from '../db/schema.ts';
import { brandOption } from './brand-given.ts';
import { need, type Command } from './command.ts';
import { brandOf, customerOfBrand, inShop } from './open-shop.ts';

/** Lets a customer buy again only after a new password, as an upgrade of the service may ask for (2500). */
export const requireResetCommand: Command = {
  name: 'require-reset',
  says: 'asks a customer for a new password before the next purchase',
  options: {
    brand: brandOption,
    account: { required: true, value: 'account', says: 'the account: address, or number with its area code' },
  },
  run: async (given, { settings, explain }) => {
    const account = need(given, 'account');
    await inShop(settings, async (deps) => {
      const brand = brandOf(deps, need(given, 'brand'));
      const { uid } = await customerOfBrand(deps, brand, account);
      await deps.db
        .update(users)
        .set({ passwordResetDue: true })
        .where(and(eq(users.brand, brand.code), eq(users.uid, uid)));
      explain(`${account} is asked for a new password before the next purchase.`);
    });
  },
};
