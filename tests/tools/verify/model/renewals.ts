import * as assert from 'node:assert/strict';
import { and, eq, like } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import type { Deps } from '#server/deps.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { deleteAccounts } from '#server/jobs/delete-accounts.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import type { Fault } from './gateway-faults.ts';
import type { Story } from './purchase.ts';
import { passTime } from './world.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Cards that succeed in the checkout; the sandbox's README documents their response to a renewal. */
export const renewingCards = [
  '4242424242424242',
  '5555555555554444',
  '4000000000003014',
  '4000000000003022',
  '4000000000004012',
  '4000000000002024',
  '4000000000005043',
  '4000000000005035',
  '4000000000002057',
] as const;
export type RenewingCard = (typeof renewingCards)[number];

/** The plans of the demo brands for one device that can renew. */
export const renewingPlans: Readonly<Record<string, readonly string[]>> = {
  lumen: ['101', '102', '103'],
  mego: ['201', '202', '203'],
};

const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
const cardOf = (number: RenewingCard) => ({
  number,
  code: '123',
  expiry: '12/39',
  holderFirstName: 'Ana',
  holderLastName: 'Lima',
});

interface SubscribeStep {
  readonly plan: number;
  readonly card: RenewingCard;
}

/** The body to buy a renewing plan by card; undefined when the brand has none. */
export async function wishToRenew({ world }: Story, { plan, card }: SubscribeStep) {
  const { connection, host, customer } = world;
  const plans = renewingPlans[customer.brand] ?? [];
  const planId = plans[plan % plans.length];
  const currency = customer.brand === 'lumen' ? 'BRL' : 'USD';
  if (planId === undefined) return undefined;
  const quoted = { planId, methodCode: 'card', currency };
  const quote = await connection.call(endpoints.goodsValuation, { body: quoted }, { host, token: customer.token });
  if (!quote.ok || !quote.data.renewal) return undefined;
  const body = { ...quoted, card: cardOf(card), payer, installments: 1, renew: true, returnUrl: '/paymentResult' };
  return { ...body, quoteId: quote.data.quoteId, source: 'WEB' as const };
}

export type Rule = 'on' | 'off' | 'newCard' | 'savedCard';

/** The customer turns the renewal on or off, or changes its card. */
export async function rule(story: Story, what: Rule, card: RenewingCard): Promise<void> {
  const { connection, host, customer } = story.world;
  const options = { host, token: customer.token };
  if (what === 'off') {
    const reply = await connection.call(endpoints.updateRenewStatus, { body: { status: 'off' } }, options);
    return assertRefusedOnlyWith(reply, [6201, 6202, 6204, 6207]);
  }
  if (what === 'on') {
    const info = await connection.call(endpoints.renewInfo, { body: {} }, options);
    if (!info.ok) return assertRefusedOnlyWith(info, [6201]);
    const body = { status: 'on', price: info.data.terms.price } as const;
    const allowedCodes = [6201, 6202, 6206, 6207, 1015, 2001, 4599];
    return assertRefusedOnlyWith(await connection.call(endpoints.updateRenewStatus, { body }, options), allowedCodes);
  }
  const saved = await connection.call(endpoints.listCard, { body: {} }, options);
  const cardId = saved.ok && what === 'savedCard' ? saved.data.at(-1)?.cardId : undefined;
  const body = cardId === undefined ? { methodCode: 'card', card: cardOf(card), payer } : { cardId };
  const keyed = { ...options, idempotencyKey: crypto.randomUUID() };
  const allowedCodes = [6201, 6202, 6207, 1020, 2002, -2502, 4599];
  assertRefusedOnlyWith(await connection.call(endpoints.changeCard, { body }, keyed), allowedCodes);
}

function assertRefusedOnlyWith(reply: { ok: true } | { ok: false; errCode: number }, codes: readonly number[]): void {
  if (!reply.ok) assert.ok(codes.includes(reply.errCode), `refused with ${reply.errCode}`);
}

interface DailyHooks {
  withFault(fault: Fault | undefined, work: () => Promise<void>): Promise<void>;
  afterDay(): Promise<void>;
}

/**
 * Advances days, on each of which two processes run the renewal jobs; on the last day the clock is set back for them.
 */
export async function liveThrough(
  story: Story,
  { days, backHours, fault }: { days: number; backHours: number; fault?: Fault | undefined },
  { withFault, afterDay }: DailyHooks,
): Promise<void> {
  const { world } = story;
  for (let done = 1; done <= days; done += 1) {
    const isLast = done === days;
    passTime(world, day - (isLast ? backHours * hour : 0));
    await withFault(isLast ? fault : undefined, () => runRenewalJobs(world.shop.deps));
    if (isLast) passTime(world, backHours * hour);
    await world.shop.deliver();
    await afterDay();
  }
}

async function runRenewalJobs(deps: Deps): Promise<void> {
  await Promise.all([renewDue(deps), renewDue(deps)]);
  await reconcile(deps);
  await deleteAccounts(deps);
}

/** The number of automatic charges while the renewal is off, which must not grow; undefined while it is on. */
export async function ownTriesWhileOff({ world }: Pick<Story, 'world'>): Promise<number | undefined> {
  const { stage, customer } = world;
  const [row] = await stage.db.select().from(subscriptions).where(eq(subscriptions.uid, customer.uid));
  if (row && row.status !== 'off' && row.status !== 'ended') return undefined;
  const own = and(eq(attempts.uid, customer.uid), like(attempts.idempotencyKey, 'renewal %'));
  return stage.db.$count(attempts, own);
}
