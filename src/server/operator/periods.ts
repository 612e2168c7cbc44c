import type { Brand } from '#server/brand/catalog.ts';
import { grantDays } from '#server/billing/grant-days.ts';
import { periodsOf, lastPeriodOf } from '#server/site/periods.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { daysGivenMail } from '#server/messages/renewal-chosen-mail.ts';
import type { UserRow } from '#server/auth/users.ts';
import { auditOptions, writeAudit } from './audit.ts';
import {
  instantOf,
  numberOption,
  OperatorError,
  requireOption,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
} from './command.ts';
import { customerOptions, findNamedCustomer } from './customers.ts';

const mostDays = 366;

/** For an apology or a prize: days that no order paid for. */
export const grantDaysCommand: ShopCommand = {
  name: 'periods grant',
  summary: 'gives a customer days without a payment, behind the existing ones, and tells them',
  options: {
    ...customerOptions,
    days: { required: true, value: 'number', summary: `how many, ${mostDays} at most` },
    plan: { value: 'id', summary: 'the plan of the days; needed for a customer who never had one' },
    ...auditOptions,
  },
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    requireOption(given, 'days');
    const days = numberOption(given, 'days', { usual: 1, most: mostDays });
    const { brand, user, account } = await findNamedCustomer(given, shop);
    const until = await deps.db.transaction(async (tx) => {
      const plan = await planOf(given, { ...deps, db: tx }, { brand, user });
      const now = deps.clock();
      const ends = await grantDays(tx, { brand: brand.code, uid: user.uid, days, plan }, now);
      if (ends === undefined) throw new OperatorError(`${brand.name} has no customer ${account}.`);
      if (user.email !== null)
        await queueMail(
          tx,
          { brand, to: user.email, ...daysGivenMail(brand, user.language, { days, endsAt: ends }) },
          deps,
        );
      const detail = { days, ...(plan && { plan: plan.id }) };
      await writeAudit(tx, given, { command: 'periods grant', brand: brand.code, subject: user.uid, detail }, deps);
      return ends;
    });
    const facts = { brand: brand.code, uid: user.uid, days, until: instantOf(until) };
    done(`${account} has ${days} days more. Access ends at ${facts.until}.`, facts);
  },
};

/**
 * The plan of the days. A customer with days keeps the plan of their row, because it belongs to days that were given
 * before.
 */
async function planOf(
  given: OptionValues,
  deps: Pick<ShopContext['deps'], 'db' | 'clock'>,
  { brand, user }: { brand: Brand; user: UserRow },
): Promise<{ id: string; devices: number } | undefined> {
  const id = given['plan']?.trim();
  const [running] = await periodsOf(deps.db, user, deps.clock());
  if (id !== undefined) {
    if (running) throw new OperatorError('--plan is for a customer without days. These follow with the present plan.');
    const plan = brand.plans.find((one) => one.id === id);
    if (plan) return { id, devices: plan.devices };
    throw new OperatorError(`${brand.name} sells no plan ${id}.`);
  }
  if (user.planId !== null) return undefined;
  const last = running ?? (await lastPeriodOf(deps.db, user));
  if (last?.planId) return { id: last.planId, devices: last.devices };
  throw new OperatorError('The customer has no plan. Give --plan.', { badUsage: true });
}
