import * as v from 'valibot';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { timingSafeEqual } from 'node:crypto';
import { errorCode } from '#contract/error-codes.ts';
import type { Env } from '#server/env.ts';
import {
  bankBase,
  bankKey,
  chargeRequestSchema,
  saveCardRequestSchema,
  refundRequestSchema,
  stepSchema,
  type ChargeRequest,
  type ChargeStep,
  type ChargeView,
  type saveCardViewSchema,
  type refundViewSchema,
} from '#sandbox/gateway/protocol.ts';
import type { Bank, Charge } from './bank.ts';
import { changeIfUnchanged, findChargeByKey, isWaiting, openCharge, toChargeView, noticeOf } from './charges.ts';
import { families } from './families.ts';
import { blankCharge } from './family.ts';
import { removeStoredCard, storeCard, cardAnswer } from './stored-cards.ts';
import { and, eq, sql } from 'drizzle-orm';
import { sandboxCharges, sandboxNotices } from '#sandbox/schema.ts';

type SaveCardRequest = v.InferOutput<typeof saveCardRequestSchema>;
type BankWithKey = Bank & { readonly env: Pick<Env, 'SIGNING_SECRET'> };

/**
 * The bank's API for the server's adapters (`gateway/protocol.ts`). First names of payers trigger faults, for every
 * family: OUTAGE fails before anything is done, LOSTANSWER after the charge, REFUSED is declined.
 */
export function bankApi(bank: BankWithKey): Hono {
  const api = new Hono().basePath(bankBase);
  // the server's adapter logs the failure; Hono's message would repeat the values of a statement
  api.onError((_error, c) => c.json({ error: 'broken' }, 503));
  const expected = Buffer.from(`Bearer ${bankKey(bank.env)}`);
  api.use(bodyLimit({ maxSize: 32 * 1024, onError: (c) => c.json({ error: 'too large' }, 413) }), async (c, next) => {
    const sent = Buffer.from(c.req.header('authorization') ?? '');
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return c.json({ error: 'key' }, 401);
    return next();
  });
  api.post('/charges', async (c) => {
    const request = v.safeParse(chargeRequestSchema, await c.req.json());
    if (!request.success) return c.json({ error: v.getDotPath(request.issues[0]) ?? 'body' }, 422);
    const name = firstNameOf(request.output);
    if (name === 'OUTAGE') return c.json({ error: 'outage' }, 503);
    const { charge, isNew } = await openOrFindCharge(bank, request.output);
    const isLost = name === 'LOSTANSWER' || (isNew && charge.details['answerLost'] === true);
    return isLost ? c.json({ error: 'timeout' }, 504) : c.json(viewOf(bank, charge));
  });
  api.post('/charges/:key/inquire', async (c) => c.json(await inquireCharge(bank, c.req.param('key'))));
  api.post('/charges/:key/cancel', async (c) => c.json(await cancelCharge(bank, c.req.param('key'))));
  api.post('/charges/:key/step', async (c) => {
    const step = v.safeParse(stepSchema, await c.req.json());
    const view = step.success ? await applyStep(bank, c.req.param('key'), step.output) : undefined;
    return view ? c.json(view) : c.json({ error: 'no such charge or step' }, 404);
  });
  api.post('/charges/:key/refund', async (c) => {
    const view = await handleRefund(bank, c.req.param('key'), await c.req.json());
    return view ? c.json(view.body, view.status) : c.json({ error: 'body' }, 422);
  });
  api.post('/cards', async (c) => {
    const request = v.safeParse(saveCardRequestSchema, await c.req.json());
    if (!request.success) return c.json({ error: v.getDotPath(request.issues[0]) ?? 'body' }, 422);
    if (request.output.card.holderFirstName === 'OUTAGE') return c.json({ error: 'outage' }, 503);
    return c.json(await verifyAndStoreCard(bank, request.output));
  });
  api.post('/cards/:token/forget', async (c) => c.json({ done: await removeStoredCard(bank, c.req.param('token')) }));
  return api;
}

async function handleRefund(bank: Bank, key: string, body: unknown) {
  const request = v.safeParse(refundRequestSchema, body);
  if (!request.success) return undefined;
  const { part } = request.output;
  if (!part) return { status: 200, body: { done: await refundCharge(bank, key) } } as const;
  const view = await refundPart(bank, key, { name: String(part.number), amount: part.amount });
  return view === 'lost'
    ? ({ status: 504, body: { error: 'timeout' } } as const)
    : ({ status: 200, body: view } as const);
}

const firstNameOf = ({ payer, card }: ChargeRequest) => payer.firstName ?? card?.holderFirstName;

/** A repeated key returns its first charge, whatever it contains now. */
async function openOrFindCharge(bank: Bank, request: ChargeRequest): Promise<{ charge: Charge; isNew: boolean }> {
  const known = await findChargeByKey(bank, request.key);
  if (known) return { charge: known, isNew: false };
  const { charge, notices } =
    firstNameOf(request) === 'REFUSED'
      ? {
          charge: {
            ...blankCharge(bank, request),
            status: 'declined' as const,
            declineCode: errorCode('paymentFailed'),
          },
        }
      : await families[request.kind].open(bank, request);
  return { charge: await openCharge(bank, charge, notices), isNew: true };
}

/** Verifies the card at its bank and stores it; the same card gets the same token. */
async function verifyAndStoreCard(
  bank: Bank,
  { card, currency, ...owner }: SaveCardRequest,
): Promise<v.InferInput<typeof saveCardViewSchema>> {
  const answer = cardAnswer(card, currency, bank.clock());
  if (answer.does === 'decline') return { declineCode: errorCode(answer.error) };
  const savedCard = await storeCard(bank, owner, card);
  return savedCard ? { savedCard } : { declineCode: errorCode('cardExpired') };
}

/** An inquiry about an unknown key closes it, so that a request still in transit cannot charge it afterwards. */
async function inquireCharge(bank: Bank, key: string): Promise<ChargeView> {
  return viewOf(bank, (await findChargeByKey(bank, key)) ?? (await closeKey(bank, key)));
}

async function cancelCharge(bank: Bank, key: string): Promise<ChargeView> {
  const charge = (await findChargeByKey(bank, key)) ?? (await closeKey(bank, key));
  if (isWaiting(charge) && families[charge.kind].mayCancel?.(charge) !== false) {
    // compare-and-set: a payment that arrives meanwhile is not cancelled
    await changeIfUnchanged(bank, charge, {
      status: 'declined',
      declineCode: errorCode('paymentCancelled'),
      scheduledOutcome: null,
      scheduledAt: null,
    });
  }
  return inquireCharge(bank, key);
}

async function applyStep(bank: Bank, key: string, step: ChargeStep): Promise<ChargeView | undefined> {
  const charge = await findChargeByKey(bank, key);
  if (!charge) return undefined;
  const refusal = isWaiting(charge) ? await families[charge.kind].performStep?.(bank, charge, step) : undefined;
  return { ...(await inquireCharge(bank, key)), ...(refusal && { refusal }) };
}

function closeKey(bank: Bank, key: string): Promise<Charge> {
  const nothing = { key, gateway: '', kind: 'card', methodCode: '', brand: '', amount: 0, currency: '' } as const;
  const rest = { merchantName: '', installments: 1, payer: {}, returnUrl: '', label: '' };
  const charge = blankCharge(bank, { ...nothing, ...rest });
  return openCharge(bank, { ...charge, status: 'declined', declineCode: errorCode('paymentFailed') });
}

function viewOf(bank: Bank, charge: Charge): ChargeView {
  const nextStep = isWaiting(charge) ? families[charge.kind].nextStep(charge, bank.clock()) : undefined;
  return { ...toChargeView(charge, nextStep), ...(isUnpaid(charge) && { unpaid: true }) };
}

/** Whether the payer has not answered yet. A slow wallet's pending answer counts as an answer. */
const isUnpaid = ({ status, scheduledOutcome }: Charge) =>
  (status === 'waiting' || status === 'challenge') && scheduledOutcome === null;

type RefundView = v.InferOutput<typeof refundViewSchema>;

/** Refunds the remaining amount, once. False if nothing was charged. */
export async function refundCharge({ db }: Bank, key: string): Promise<boolean> {
  const updated = await db
    .update(sandboxCharges)
    .set({ status: 'refunded' })
    .where(sql`${sandboxCharges.key} = ${key} and ${sandboxCharges.status} in ('paid', 'refunded')`)
    .returning({ key: sandboxCharges.key });
  return updated.length > 0;
}

const partsSchema = v.object({
  refunds: v.optional(v.record(v.string(), v.object({ amount: v.number(), doneAt: v.number() })), {}),
});

/** The partial refunds of a charge, in minor units; `names` are numbers of the server, or names of the bank's own. */
export function partsOf({ details }: Pick<Charge, 'details'>): { readonly sum: number; readonly names: string[] } {
  const { refunds } = v.parse(partsSchema, details);
  const sum = Object.values(refunds).reduce((all, { amount }) => all + amount, 0);
  return { sum, names: Object.keys(refunds) };
}

/** Delay of a late partial refund, in milliseconds. */
const lateMs = 60_000;

/**
 * Refunds a part, once for each name. The last two digits of the amount decide: 91 is refused for good, 92 is refunded
 * and its answer lost the first time, 93 is recorded and refunded a minute later, with a notice.
 */
async function refundPart(
  bank: Bank,
  key: string,
  { name, amount }: { readonly name: string; readonly amount: number },
): Promise<RefundView | 'lost'> {
  return bank.db.transaction(async (tx) => {
    const [charge] = await tx.select().from(sandboxCharges).where(eq(sandboxCharges.key, key)).for('update');
    if (!charge) return { done: false, never: 'the bank does not know this payment' };
    const now = bank.clock();
    const { refunds } = v.parse(partsSchema, charge.details);
    const known = refunds[name];
    if (known) return known.amount === amount ? { done: known.doneAt <= now } : refused('another part has this number');
    if (charge.status !== 'paid') return refused('there is nothing left of this payment');
    if (amount <= 0 || partsOf(charge).sum + amount > charge.amount) return refused('that is more than is left');
    if (amount % 100 === 91) return refused('the bank gives no part of this payment back');
    const isLate = amount % 100 === 93;
    const updated = { ...refunds, [name]: { amount, doneAt: isLate ? now + lateMs : now } };
    await tx
      .update(sandboxCharges)
      .set({ details: { ...charge.details, refunds: updated } })
      .where(and(eq(sandboxCharges.key, key)));
    if (isLate) {
      const part = { number: Number(name), amount };
      const notice = noticeOf(bank, charge, 'refund', { stage: 'succeeded', part, delayMs: lateMs });
      await tx.insert(sandboxNotices).values(notice);
      return { done: false };
    }
    return amount % 100 === 92 ? 'lost' : { done: true };
  });
}

const refused = (never: string): RefundView => ({ done: false, never });
