import type { GatewayCard } from '#server/payments/gateway.ts';
import { sessionLengthMs } from '#contract/limits.ts';
import { tokenHash } from '#server/auth/session.ts';
import type { PlanRow } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { chargeTime, noticeLeadMs } from '#server/billing/subscriptions/renewal-rules.ts';
import { cheapPassword } from '#tests/builders/cheap-password.ts';
import type { Bank } from './bank.ts';

const dayMs = 86_400_000;

/** A customer, and the charges that the customer agreed to. */
export interface Person {
  readonly uid: string;
  readonly account: string;
  readonly token: string;
  planId: string;
  /** whether the shop may charge the card automatically, and the highest price in minor units */
  wants: boolean;
  agreed: number;
  /** charges that were pending at the request of the deletion */
  onItsWay: ReadonlySet<string>;
  /** when the deletion of the account was requested, and when it is due; epoch milliseconds */
  leaves: { readonly asked: number; readonly due: number } | undefined;
  /** agreements in the account with their prices; they replace a notice */
  readonly yes: { readonly at: number; readonly price: number }[];
}

export const brand = 'lumen';
export const currency = 'BRL';

/**
 * Inserts customers who have just bought a plan with automatic renewal, as after a checkout, in a few statements. `now`
 * is epoch milliseconds.
 */
export async function putSubscribers(
  db: Database,
  { bank, plans, first, now }: { bank: Bank; plans: readonly PlanRow[]; first: number; now: number },
): Promise<Person[]> {
  const all = plans.map((plan, index) => aSubscriber(plan, { bank, number: first + index, now }));
  if (all.length === 0) return [];
  await db.transaction(async (tx) => {
    await tx.insert(users).values(all.map(({ user }) => user));
    await tx.insert(sessions).values(all.map(({ session }) => session));
    await tx.insert(savedCards).values(all.map(({ card }) => card));
    await tx.insert(orders).values(all.map(({ order }) => order));
    await tx.insert(attempts).values(all.map(({ attempt }) => attempt));
    await tx.insert(ledger).values(all.map(({ entry }) => entry));
    await tx.insert(subscriptions).values(all.map(({ subscription }) => subscription));
  });
  return all.map(({ person }) => person);
}

function personOf(customer: Pick<Person, 'uid' | 'account' | 'token' | 'planId' | 'agreed'>): Person {
  return { ...customer, wants: true, onItsWay: new Set(), leaves: undefined, yes: [] };
}

function aSubscriber(plan: PlanRow, { bank, number, now }: { bank: Bank; number: number; now: number }) {
  const uid = `sub-${number}`;
  const account = `${uid}@example.com`;
  const price = plan.prices[currency] ?? 0;
  const paidUntil = now + plan.days * dayMs;
  const owner = { brand, uid };
  const token = systemRandom.token(32);
  const savedCard = bank.newCard(uid);
  const key = systemRandom.id();
  bank.paidBefore({ key, uid, amount: price, currency, at: now });
  const paid = purchaseOf(plan, { owner, key, price, now, cardId: `${uid}-card` });
  return {
    person: personOf({ uid, account, token, planId: plan.id, agreed: price }),
    user: {
      ...owner,
      account,
      accountType: 'email' as const,
      email: account,
      passwordHash: cheapPassword.hash,
      language: 'en' as const,
      createdAt: now,
      planId: plan.id,
      limitCount: plan.devices,
      expiredTime: paidUntil,
    },
    session: { ...owner, tokenHash: tokenHash(token), createdAt: now, expiresAt: now + 400 * sessionLengthMs },
    card: cardRow(savedCard, owner, now),
    ...paid,
    subscription: {
      ...owner,
      id: `${uid}-renewal`,
      status: 'on' as const,
      planId: plan.id,
      days: plan.days,
      methodCode: 'card',
      cardId: `${uid}-card`,
      price,
      currency,
      paidUntil,
      nextChargeAt: chargeTime(paidUntil),
      dueAt: chargeTime(paidUntil) - noticeLeadMs(plan.days),
      createdAt: now,
      updatedAt: now,
    },
  };
}

type Owner = { readonly brand: string; readonly uid: string };

function cardRow({ brand: cardBrand, ...card }: GatewayCard, owner: Owner, now: number) {
  const at = { createdAt: now, usedAt: now };
  return { ...owner, ...card, ...at, cardBrand, cardId: `${owner.uid}-card`, gateway: 'sandbox', methodCode: 'card' };
}

interface PurchaseDetails {
  readonly owner: Owner;
  readonly key: string;
  readonly price: number;
  readonly cardId: string;
  readonly now: number;
}

function purchaseOf(plan: PlanRow, { owner, key, price, cardId, now }: PurchaseDetails) {
  const orderId = `FIRST${owner.uid.slice('sub-'.length).padStart(6, '0')}`;
  const money = { currency, installments: 1 };
  return {
    order: {
      ...owner,
      ...money,
      orderId,
      status: 'PAYMENT_SUCCEEDED' as const,
      planId: plan.id,
      planNames: {},
      days: plan.days,
      devices: plan.devices,
      methodCode: 'card',
      methodNames: {},
      original: price,
      discount: 0,
      total: price,
      resultToken: key,
      createdAt: now,
      paidAt: now,
      serviceStart: now,
      serviceEnd: now + plan.days * dayMs,
    },
    attempt: {
      ...owner,
      ...money,
      id: key,
      orderId,
      idempotencyKey: key,
      requestHash: key,
      gateway: 'sandbox',
      methodCode: 'card',
      amount: price,
      cardId,
      renewPrice: price,
      state: 'SUCCEEDED' as const,
      createdAt: now,
      updatedAt: now,
    },
    entry: {
      brand: owner.brand,
      id: key,
      orderId,
      attemptId: key,
      kind: 'capture' as const,
      amount: price,
      currency,
      at: now,
      giveBackAt: null,
    },
  };
}
