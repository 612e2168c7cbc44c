import { and, eq } from 'drizzle-orm';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import type { Bank } from '../bank/bank.ts';
import { sandboxNotices, sandboxPaypalAccounts, sandboxPaypalSetups } from '../schema.ts';
import {
  links,
  notFound,
  payerEmail,
  problem,
  removedAccountEvent,
  sandboxBase,
  savedAccountEvent,
  unprocessable,
} from './events.ts';
import { findAccount, newId, url, usagePattern } from './orders.ts';

/** A visit to the page that saves an account. Timestamps in epoch milliseconds. */
export type Setup = typeof sandboxPaypalSetups.$inferSelect;

/** How long a setup token can be approved and exchanged, in milliseconds: three hours. */
const setupMs = 3 * 60 * 60_000;

/** The accounts of the sandbox PayPal: saved without a payment, read and deleted (Payment Method Tokens API v3). */
export function mountAccounts(
  api: Hono,
  paypal: Bank,
  { own, limit }: Readonly<Record<'own' | 'limit', MiddlewareHandler>>,
): void {
  api.post('/v3/vault/setup-tokens', limit, own, (c) => createSetup(c, paypal));
  api.get('/v3/vault/setup-tokens/:id', own, async (c) => {
    const setup = await findSetup(paypal, c.req.param('id'));
    return setup ? c.json(setupView(setup)) : c.json(notFound, 404);
  });
  api.post('/v3/vault/payment-tokens', limit, own, (c) => exchange(c, paypal));
  api.get('/v3/vault/payment-tokens/:id', own, async (c) => {
    const account = await findAccount(paypal, c.req.param('id'));
    return account ? c.json({ id: account.id }) : c.json(notFound, 404);
  });
  api.delete('/v3/vault/payment-tokens/:id', own, async (c) => {
    const id = c.req.param('id');
    return (await deleteAccount(paypal, id)) ? c.body(null, 204) : c.json(notFound, 404);
  });
}

async function createSetup(c: Context, paypal: Bank): Promise<Response> {
  const requestId = c.req.header('paypal-request-id') ?? paypal.random.id();
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), setupSchema), await c.req.text());
  if (!parsed.success) return c.json(problem('INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX'), 400);
  const { customer, payment_source: source } = parsed.output;
  const { return_url: returnUrl, cancel_url: cancelUrl } = source.paypal.experience_context;
  const [written] = await paypal.db
    .insert(sandboxPaypalSetups)
    .values({
      id: newId(paypal),
      requestId,
      status: 'PAYER_ACTION_REQUIRED',
      customerId: customer.merchant_customer_id,
      returnUrl,
      cancelUrl,
      createdAt: paypal.clock(),
    })
    .onConflictDoNothing()
    .returning();
  if (written) return c.json(setupView(written), 201);
  const same = eq(sandboxPaypalSetups.requestId, requestId);
  const [known] = await paypal.db.select().from(sandboxPaypalSetups).where(same).limit(1);
  return known ? c.json(setupView(known), 200) : c.json(notFound, 404);
}

/** Exchanges an approved setup token for the saved account, once; a repeated request gets the same account. */
async function exchange(c: Context, paypal: Bank): Promise<Response> {
  const requestId = c.req.header('paypal-request-id') ?? paypal.random.id();
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), exchangeSchema), await c.req.text());
  if (!parsed.success) return c.json(problem('INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX'), 400);
  const setup = await findSetup(paypal, parsed.output.payment_source.token.id);
  if (!setup) return c.json(notFound, 404);
  if (setup.status === 'PAYER_ACTION_REQUIRED') return c.json(unprocessable('TOKEN_NOT_APPROVED'), 422);
  const isRepeated = setup.status === 'VAULTED';
  if (isRepeated && setup.exchangeId !== requestId) return c.json(unprocessable('TOKEN_ALREADY_VAULTED'), 422);
  const accountId = setup.accountId ?? newId(paypal).slice(0, 8).toLowerCase();
  if (!isRepeated && !(await saveSetup(paypal, setup, { exchangeId: requestId, accountId })))
    return c.json(unprocessable('TOKEN_ALREADY_VAULTED'), 422);
  const view = {
    id: accountId,
    customer: customerOf(setup),
    payment_source: { paypal: { email_address: payerEmail, usage_type: 'MERCHANT', customer_type: 'CONSUMER' } },
    links: links(['self', `/v3/vault/payment-tokens/${accountId}`]),
  };
  return c.json(view, isRepeated ? 200 : 201);
}

/** Returns false when another request has exchanged the setup token. */
function saveSetup(
  bank: Bank,
  { id, declines }: Setup,
  saved: { readonly exchangeId: string; readonly accountId: string },
): Promise<boolean> {
  return bank.db.transaction(async (tx) => {
    const exchanged = await tx
      .update(sandboxPaypalSetups)
      .set({ status: 'VAULTED', ...saved })
      .where(and(eq(sandboxPaypalSetups.id, id), eq(sandboxPaypalSetups.status, 'APPROVED')))
      .returning();
    if (exchanged.length === 0) return false;
    await tx.insert(sandboxPaypalAccounts).values({ id: saved.accountId, email: payerEmail, declines });
    await tx
      .insert(sandboxNotices)
      .values(savedAccountEvent(bank, undefined, { id: saved.accountId, email: payerEmail }));
    return true;
  });
}

/** Records the payer's approval. */
export async function approveSetup({ db }: Bank, { id }: Setup, { declines }: { declines: boolean }): Promise<void> {
  const waits = and(eq(sandboxPaypalSetups.id, id), eq(sandboxPaypalSetups.status, 'PAYER_ACTION_REQUIRED'));
  await db.update(sandboxPaypalSetups).set({ status: 'APPROVED', declines }).where(waits);
}

export async function findSetup({ db, clock }: Bank, id: string): Promise<Setup | undefined> {
  const [setup] = await db.select().from(sandboxPaypalSetups).where(eq(sandboxPaypalSetups.id, id)).limit(1);
  return setup && setup.createdAt + setupMs > clock() ? setup : undefined;
}

/** Deletes a saved account and notifies the shop. Returns false for an unknown ID. */
async function deleteAccount(bank: Bank, id: string): Promise<boolean> {
  return bank.db.transaction(async (tx) => {
    const gone = await tx.delete(sandboxPaypalAccounts).where(eq(sandboxPaypalAccounts.id, id)).returning();
    if (gone.length > 0) await tx.insert(sandboxNotices).values(removedAccountEvent(bank, id));
    return gone.length > 0;
  });
}

const customerOf = ({ customerId }: Setup) => ({ id: 'sandbox_payer', merchant_customer_id: customerId });

function setupView(setup: Setup) {
  const { id, status, returnUrl } = setup;
  const page = new URL(`${sandboxBase}/agreements/approve?approval_session_id=${id}`, returnUrl).href;
  const self = links(['self', `/v3/vault/setup-tokens/${id}`]);
  const approve = { href: page, rel: 'approve', method: 'GET' };
  return {
    id,
    customer: customerOf(setup),
    status,
    links: status === 'PAYER_ACTION_REQUIRED' ? [approve, ...self] : self,
  };
}

/** PayPal's fields and their limits (Payment Method Tokens API v3, "Create a setup token"). */
const setupSchema = v.object({
  customer: v.object({ merchant_customer_id: v.pipe(v.string(), v.regex(/^[\w\-.^*$@#]{1,64}$/)) }),
  payment_source: v.object({
    paypal: v.strictObject({
      usage_type: v.picklist(['MERCHANT', 'PLATFORM']),
      usage_pattern: v.optional(usagePattern),
      customer_type: v.optional(v.picklist(['CONSUMER', 'BUSINESS'])),
      permit_multiple_payment_tokens: v.optional(v.boolean()),
      description: v.optional(v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_'\-., :;!?"]{1,128}$/))),
      experience_context: v.strictObject({
        return_url: url,
        cancel_url: url,
        brand_name: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
        locale: v.pipe(v.string(), v.regex(/^[a-z]{2}-[A-Z]{2}$/)),
        shipping_preference: v.picklist(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']),
      }),
    }),
  }),
});

const exchangeSchema = v.object({
  payment_source: v.object({
    token: v.object({
      id: v.pipe(v.string(), v.regex(/^[0-9A-Z_-]{1,255}$/)),
      type: v.picklist(['SETUP_TOKEN', 'BILLING_AGREEMENT']),
    }),
  }),
});
