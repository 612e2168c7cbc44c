import { and, desc, eq, isNotNull, or } from 'drizzle-orm';
import * as v from 'valibot';
import { buyerSchema, type Buyer } from '#contract/receipts.ts';
import { savedPayerOf, maskDocument } from './cards/payer.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/runtime/sealed.ts';

type Owner = Pick<OrderRow, 'brand' | 'uid'>;
type Stored = Owner & Pick<OrderRow, 'buyerSealed' | 'buyer'>;

const purpose = 'buyer';

/** Encrypts the buyer for orders and attempts, so that a copy of the database shows no name and no document. */
export function sealBuyer(deps: Pick<Deps, 'env' | 'random'>, owner: Owner, buyer: Buyer | null): string | null {
  return buyer && seal(deps, purpose, owner, buyer);
}

/** The buyer of an order or an attempt; null when there is none, or when the signing secret has changed. */
export function buyerOf(env: Deps['env'], { buyerSealed, buyer, ...owner }: Stored): Buyer | null {
  return buyerSealed === null ? buyer : openBuyer(env, owner, buyerSealed);
}

export function openBuyer(env: Deps['env'], owner: Owner, sealed: string): Buyer | null {
  const read = v.safeParse(buyerSchema, unseal(env, purpose, owner, sealed));
  return read.success ? read.output : null;
}

/** The buyer as sent to the customer's browser: recognisable, but with a document number that cannot be used. */
export function maskedBuyer(buyer: Buyer | null): Buyer | null {
  return buyer && { ...buyer, document: buyer.document && maskDocument(buyer.document) };
}

/**
 * The buyer that a receipt names. Saved cards and renewals send no name, so the stored payer is used, then the buyer of
 * the customer's last purchase.
 */
export async function buyerToName(deps: Pick<Deps, 'db' | 'env'>, attempt: AttemptRow): Promise<Buyer | null> {
  const { cardId, brand, uid } = attempt;
  const buyer = buyerOf(deps.env, attempt);
  if (cardId === null || (buyer?.name && buyer.document)) return buyer;
  const known = (await storedBuyer(deps, { brand, uid })) ?? (await lastBuyer(deps, { brand, uid }));
  return known && { name: buyer?.name ?? known.name, document: buyer?.document ?? known.document };
}

async function storedBuyer(deps: Pick<Deps, 'db' | 'env'>, owner: Owner): Promise<Buyer | undefined> {
  const payer = await savedPayerOf(deps, owner);
  const name = [payer?.firstName, payer?.lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : { name, document: payer?.document ?? null };
}

async function lastBuyer({ db, env }: Pick<Deps, 'db' | 'env'>, { brand, uid }: Owner): Promise<Buyer | null> {
  const named = or(isNotNull(orders.buyerSealed), isNotNull(orders.buyer));
  const [last] = await db
    .select({ buyerSealed: orders.buyerSealed, buyer: orders.buyer })
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.uid, uid), named))
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return last ? buyerOf(env, { brand, uid, ...last }) : null;
}
