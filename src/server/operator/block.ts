import { block, unblock } from '../auth/block.ts';
import { brandOption } from './brand-given.ts';
import { need, OperatorError, type Command } from './command.ts';
import { brandOf, customerOfBrand, inShop } from './open-shop.ts';

const options: Command['options'] = {
  brand: brandOption,
  account: { required: true, value: 'account', says: 'the account: address, or number with its area code' },
};

/** Shuts out a customer who abuses the service; every session ends at once. */
export const blockCommand: Command = {
  name: 'block',
  says: 'shuts a customer out, and ends every session of theirs now',
  options,
  run: async (given, { settings, clock, explain }) => {
    const account = need(given, 'account');
    await inShop(settings, async (deps) => {
      const brand = brandOf(deps, need(given, 'brand'));
      const user = await customerOfBrand(deps, brand, account);
      if (user.userType === 'RESELLER') throw new OperatorError(`${account} is a reseller, who has no way in here.`);
      await block(deps.db, user, clock());
      explain(`${account} is blocked and signed out everywhere. What was paid stays paid; unblock lets them in again.`);
    });
  },
};

export const unblockCommand: Command = {
  name: 'unblock',
  says: 'lets a blocked customer in again',
  options,
  run: async (given, { settings, explain }) => {
    const account = need(given, 'account');
    await inShop(settings, async (deps) => {
      const brand = brandOf(deps, need(given, 'brand'));
      const user = await customerOfBrand(deps, brand, account);
      if (user.userType !== 'BLOCKED') throw new OperatorError(`${account} is not blocked.`);
      await unblock(deps.db, user);
      explain(`${account} may log in again.`);
    });
  },
};
