import { and, eq, sql } from 'drizzle-orm';
import * as contract from '#contract/payment-steps.ts';
import type { UploadedFile } from '#contract/endpoint.ts';
import { refuseInput, type Refuse } from '#server/runtime/request/api-error.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { uploads } from '#server/db/schema/transfers.ts';
import { users } from '#server/db/schema/users.ts';
import { bind, type CustomerContext } from '#server/runtime/request/request-context.ts';
import { countTry, countTryFrom, type TryResult } from '#server/runtime/limits/throttle.ts';
import type { PaymentAnswer } from '#contract/billing.ts';
import { alertOperator } from '#server/messages/operator-alerts.ts';
import { performPaymentStep, type GatewayStep } from './act-on-payment.ts';
import { ownPurchase } from './orders.ts';

const dayMs = 24 * 60 * 60_000;
/** A customer needs one or two for a transfer. */
const aDay = { tries: 20, windowMs: dayMs };
/**
 * High, because many customers share a network; limited, because an attacker with many accounts must not fill the disk.
 */
const aDayFromOneNetwork = { tries: 200, windowMs: dayMs };
/** The most that is stored for one customer until it is purged (jobs/delete-expired-rows.ts). */
const maxFiles = 40;
const maxBytes = 40 * 1024 * 1024;

/** Authorizes and counts an upload before its body is read. */
async function admitProof(context: CustomerContext<'operationUnsupported' | 'tooFrequent'>): Promise<void> {
  const { deps, brand, user, ip } = context;
  if (!(await owesTransfer(context))) context.refuse('operationUnsupported');
  const now = deps.clock();
  assertAllowed(context.refuse, await countTry(deps.db, `upload ${brand.code} ${user.uid}`, aDay, now));
  assertAllowed(context.refuse, await countTryFrom(deps.db, `uploads from ${brand.code}`, ip, aDayFromOneNetwork, now));
}

async function storeProof(
  { file }: { readonly file: UploadedFile },
  { deps, brand, user, refuse }: CustomerContext<'tooFrequent'>,
) {
  const objectId = deps.random.token(16);
  const owner = { brand: brand.code, uid: user.uid };
  await deps.db.transaction(async (tx) => {
    await assertRoomFor(refuse, tx, owner, file.bytes.length);
    await tx
      .insert(uploads)
      .values({ ...owner, objectId, mediaType: file.type, content: file.bytes, createdAt: deps.clock() });
  });
  return { objectId };
}

/**
 * Proofs of transfers. A file is stored unchanged and never served by HTTP: only the operator's command opens it, so
 * nothing in an uploaded file can run on the shop's origin.
 */
export const uploadHandlers = {
  uploadObject: bind(contract.uploadObject, storeProof, { before: admitProof }),
  orderUpload: bind(contract.orderUpload, async ({ body }, context) => {
    const { orderId, objectId } = body;
    if (!(await isOwnUpload(context, objectId))) refuseInput('objectId');
    const accepts = ({ type }: { type: string }) => type === 'upload';
    const perform: GatewayStep = (gateway, key) => gateway.submitProof?.(key, objectId);
    const answer = await performPaymentStep(context, orderId, { accepts, perform });
    await reportProof(context, answer, objectId);
    return answer;
  }),
};

/** Tells the operator once that a proof waits for review, also when the customer's request is repeated. */
async function reportProof(
  context: CustomerContext<'orderNotFound'>,
  { orderId, next }: PaymentAnswer,
  objectId: string,
): Promise<void> {
  const { deps, brand } = context;
  if (next.type !== 'upload' || next.proof !== 'received') return;
  const once = { tries: 1, windowMs: dayMs };
  if (!(await countTry(deps.db, `proof ${objectId}`, once, deps.clock())).allowed) return;
  const { amount, currency } = (await ownPurchase(context, orderId)).attempt;
  await alertOperator(deps, brand, { kind: 'transfer_waiting', orderId, amount: { amount, currency } });
}

/** Whether the customer has a transfer that waits for a proof, even if its method is sold no longer. */
async function owesTransfer({ deps, brand, user }: CustomerContext): Promise<boolean> {
  const waits = sql`${attempts.next}->>'type' = 'upload' and ${attempts.next}->>'proof' <> 'received'`;
  const rows = await deps.db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.brand, brand.code), eq(attempts.uid, user.uid), eq(attempts.state, 'PENDING'), waits))
    .limit(1);
  return rows.length > 0;
}

function assertAllowed(refuse: Refuse<'tooFrequent'>, { allowed, waitSeconds }: TryResult): void {
  if (!allowed) refuse('tooFrequent', { waitSeconds });
}

/** Locks the customer's row, so that concurrent uploads are all counted. */
async function assertRoomFor(
  refuse: Refuse<'tooFrequent'>,
  tx: Database,
  { brand, uid }: { brand: string; uid: string },
  bytes: number,
) {
  await tx.select({ uid: users.uid }).from(users).where(eq(users.uid, uid)).for('no key update');
  const [stored] = await tx
    .select({
      files: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(octet_length(${uploads.content})), 0)::float8`,
    })
    .from(uploads)
    .where(and(eq(uploads.brand, brand), eq(uploads.uid, uid)));
  if (stored && (stored.files >= maxFiles || stored.bytes + bytes > maxBytes)) refuse('tooFrequent');
}

async function isOwnUpload({ deps, brand, user }: CustomerContext, objectId: string): Promise<boolean> {
  const own = and(eq(uploads.brand, brand.code), eq(uploads.uid, user.uid), eq(uploads.objectId, objectId));
  const rows = await deps.db.select({ objectId: uploads.objectId }).from(uploads).where(own).limit(1);
  return rows.length > 0;
}
