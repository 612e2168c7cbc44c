import { and, eq, inArray, lte } from 'drizzle-orm';
import * as v from 'valibot';
import { transferFlavourSchema } from '#contract/next-step.ts';
import type { Database } from '#server/db/connect.ts';
import { transfers } from '#server/db/schema/transfers.ts';
import type { Deps } from '#server/deps.ts';
import type { AuthoriseRequest, GatewayAnswer, PaymentGateway } from '../gateway.ts';
import { answerOf, payloadOf, transferLifetimeMs, type Transfer } from './transfer-state.ts';
import { isKnownCurrency } from '#contract/money.ts';

/**
 * Transfers by PayNow and caishen to the brand's own account, which no provider reports. The customer uploads a
 * picture of the transfer, and the brand's staff compare it with the account (`billing/review-transfer.ts`, operator
 * commands). So the state is a row of our own table.
 *
 * A row moves waiting -> reviewing -> accepted, or back to waiting if the proof is rejected; each move is one
 * compare-and-set. Waiting ends by time and by cancelling, reviewing does not end by time. An ended transfer can still
 * be accepted when its money arrives. Refunds are transferred by hand.
 */
export function transferGateway({ db, clock }: Pick<Deps, 'db' | 'clock'>): PaymentGateway {
  const shown = (transfer: Transfer): GatewayAnswer => answerOf(transfer, clock());
  return {
    takes: isAcceptedByTransfer,
    authorise: async (request) => {
      const transfer = newTransfer(request, clock());
      if (!transfer) return { state: 'failed', failure: 'noReceivingAccount' };
      return shown(await openTransfer(db, transfer));
    },
    inquire: async (key) => {
      await db
        .update(transfers)
        .set({ state: 'closed' })
        .where(and(eq(transfers.key, key), eq(transfers.state, 'waiting'), lte(transfers.expiresAt, clock())));
      return shown((await findTransfer(db, key)) ?? (await closeUnknown(db, key, clock())));
    },
    submitProof: async (key, objectId) => {
      await takeProof(db, key, objectId);
      const transfer = await findTransfer(db, key);
      if (!transfer) return { state: 'unknown' };
      const isOther = transfer.state === 'reviewing' && transfer.objectId !== objectId;
      return { ...shown(transfer), ...(isOther && { refusal: { error: 'operationUnsupported' } as const }) };
    },
    cancel: async (key) => {
      await db
        .update(transfers)
        .set({ state: 'closed' })
        .where(and(eq(transfers.key, key), inArray(transfers.state, ['waiting', 'reviewing'])));
      return shown((await findTransfer(db, key)) ?? (await closeUnknown(db, key, clock())));
    },
    refundsByHand: true,
    refund: (key) => markRefunded(db, key),
    // only recorded here; the brand's staff transfer it
    refundPart: async ({ key }) => (await findTransfer(db, key))?.state === 'accepted',
  };
}

const referenceParts = { ofOrder: 8, ofAttempt: 4 } as const;
const referenceLength = referenceParts.ofOrder + referenceParts.ofAttempt;
const referencePattern = /^[A-HJ-NP-Z2-9]{8}[\dA-F]{4}$/;

/**
 * The reference in a line of a bank's file, where other words may be around it and spaces within it, as banks break
 * lines. Undefined if the line has none, or several.
 */
export function referenceIn(text: string): string | undefined {
  const words = text.toUpperCase().match(/[A-Z\d]+/g) ?? [];
  const whole = new Set(words.filter((word) => referencePattern.test(word)));
  const found = whole.size > 0 ? whole : new Set(words.flatMap((_, first) => joinedFrom(words.slice(first)) ?? []));
  return found.size === 1 ? [...found][0] : undefined;
}

/** The reference that the first words are, joined. */
function joinedFrom(words: readonly string[]): string | undefined {
  let text = '';
  for (const word of words) {
    text += word;
    if (text.length >= referenceLength) break;
  }
  return referencePattern.test(text) ? text : undefined;
}

/** Undefined for a method that is not a transfer, or without a receiver. */
function newTransfer(request: AuthoriseRequest, now: number): Transfer | undefined {
  const { key, brand, methodCode, amount, currency, receiver, orderLabel } = request;
  if (!receiver || !v.is(transferFlavourSchema, methodCode)) return undefined;
  const wanted = {
    flavour: methodCode,
    receiver,
    // short enough to type, long enough to be unique per attempt, and only letters and digits, for any bank's form
    reference: orderLabel.slice(-referenceParts.ofOrder) + key.slice(0, referenceParts.ofAttempt).toUpperCase(),
    amount,
    currency,
    expiresAt: now + transferLifetimeMs,
  };
  return { ...blank(key, now), ...wanted, brand, payload: payloadOf(wanted), state: 'waiting' };
}

/** An inquiry about an unknown key closes it, so that a delayed request cannot open it afterwards. */
function closeUnknown(db: Database, key: string, now: number): Promise<Transfer> {
  return openTransfer(db, blank(key, now));
}

function blank(key: string, now: number): Transfer {
  return {
    key,
    brand: '',
    flavour: 'paynow',
    reference: '',
    amount: 0,
    currency: '',
    payload: null,
    receiver: { name: '', account: '' },
    state: 'closed',
    proofRejected: false,
    rejection: null,
    objectId: null,
    createdAt: now,
    expiresAt: now,
    reviewedAt: null,
  };
}

/** Writes a transfer, once per key; a repeated call returns the first one. */
async function openTransfer(db: Database, transfer: Transfer): Promise<Transfer> {
  const [written] = await db.insert(transfers).values(transfer).onConflictDoNothing().returning();
  return written ?? (await findTransfer(db, transfer.key)) ?? transfer;
}

async function findTransfer(db: Database, key: string): Promise<Transfer | undefined> {
  const [row] = await db.select().from(transfers).where(eq(transfers.key, key)).limit(1);
  return row;
}

/** A late proof is accepted until the transfer is closed: money may have moved. */
async function takeProof(db: Database, key: string, objectId: string): Promise<void> {
  await db
    .update(transfers)
    .set({ state: 'reviewing', objectId, proofRejected: false, rejection: null, reviewedAt: null })
    .where(and(eq(transfers.key, key), eq(transfers.state, 'waiting')));
}

/** Records that the money must be refunded; the brand's staff transfer it, and `transfers` lists it. */
async function markRefunded(db: Database, key: string): Promise<boolean> {
  const marked = await db
    .update(transfers)
    .set({ state: 'refunded' })
    .where(and(eq(transfers.key, key), inArray(transfers.state, ['accepted', 'refunded'])))
    .returning({ key: transfers.key });
  return marked.length > 0;
}

/**
 * Transfers that the brand's staff compare with an account: PayNow moves Singapore dollars, caishen any currency of its receiver.
 */
export function isAcceptedByTransfer(methodCode: string, currency: string): boolean {
  if (!v.is(transferFlavourSchema, methodCode)) return false;
  return methodCode === 'paynow' ? currency === 'SGD' : isKnownCurrency(currency);
}
