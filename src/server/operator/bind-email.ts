import { looksRight } from '../auth/account-rules.ts';
import { startBinding } from '../email/bind-email.ts';
import { brandOption } from './brand-given.ts';
import { need, OperatorError, type Command } from './command.ts';
import { brandOf, customerOfBrand, inShop } from './open-shop.ts';

/** Asks an address whether it is to be bound to an account; its reader's yes binds it. */
export const bindEmailCommand: Command = {
  name: 'bind-email',
  says: 'mails an address the question whether it belongs to an account',
  options: {
    brand: brandOption,
    account: { required: true, value: 'account', says: 'the account: address, or number with its area code' },
    email: { required: true, value: 'address', says: 'the address to bind' },
  },
  run: async (given, { settings, explain }) => {
    const email = need(given, 'email').toLowerCase();
    const account = need(given, 'account');
    await inShop(settings, async (deps) => {
      const brand = brandOf(deps, need(given, 'brand'));
      if (!looksRight(brand, 'email', email))
        throw new OperatorError(`${email} is no address that ${brand.name} takes.`);
      const { uid } = await customerOfBrand(deps, brand, account);
      const outcome = await deps.db.transaction((tx) => startBinding(tx, { brand, uid, email }, deps));
      if (outcome === 'emailInUse') throw new OperatorError(`${email} belongs to another customer of ${brand.name}.`);
      if (outcome === 'accountNotFound') throw new OperatorError(`${brand.name} has no customer ${account}.`);
      explain(
        `A mail to ${email} is queued; the shop sends it as soon as it runs. Nothing changes before its reader says yes.`,
      );
    });
  },
};
