import { maskAccount } from '#contract/mask.ts';
import { clearBounce, findBounce } from '#server/messages/bounces.ts';
import { instantOf } from './answers.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { need, OperatorError, type ShopCommand } from './command.ts';

const options = { address: { required: true, value: 'address', summary: 'the address that mail goes to' } } as const;

export const showBounceCommand: ShopCommand = {
  name: 'bounces show',
  summary: 'says whether mail to an address comes back (permanent), or offers are called spam (complaint)',
  options,
  inShop: async (given, { deps, show }) => {
    const address = need(given, 'address');
    const bounce = await findBounce(deps, address);
    show({ address, bounces: bounce?.kind ?? null, since: instantOf(bounce?.at ?? null) });
  },
};

export const clearBounceCommand: ShopCommand = {
  name: 'bounces clear',
  summary: 'lets mail go to an address again that it came back from',
  options: { ...options, ...auditOptions },
  inShop: async (given, { deps, done }) => {
    const address = need(given, 'address');
    await deps.db.transaction(async (tx) => {
      if (!(await clearBounce({ ...deps, db: tx }, address)))
        throw new OperatorError(`No mail has come back from ${address}.`);
      const change = { command: 'bounces clear', brand: null, subject: maskAccount(address) };
      await writeAudit(tx, given, change, deps);
    });
    done(`Mail goes to ${address} again.`, { address });
  },
};
