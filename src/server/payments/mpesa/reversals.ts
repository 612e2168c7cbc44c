import { eq } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import type { KnownAttempt } from '../find-attempt.ts';
import type { RefundAnswer } from '../terms.ts';
import { toMpesa } from './currencies.ts';
import { callbackSecret, callbackUrl, type MpesaDeps } from './callback-address.ts';
import { findPush, recordReversalRequest } from './pushes.ts';
import { acceptedSchema } from './schemas.ts';

/** How long a delayed callback may still arrive, in milliseconds. */
const callbackWithinMs = 24 * 60 * 60_000;

/**
 * Requests that M-Pesa reverses a payment (Reversals). The call only queues the request and a callback reports the
 * result, so this returns true once that has arrived; until then the job repeats it. M-Pesa reverses a payment once: a
 * second request ends with R000001, "already reversed".
 *
 * Without the API user for reversals, or without the receipt that only a callback contains, an operator reverses it in
 * the portal of the short code.
 */
export async function reverse(deps: MpesaDeps, attempt: KnownAttempt): Promise<RefundAnswer> {
  const { db, clock, account, client, log } = deps;
  const { id: key } = attempt;
  const push = await findPush(db, key);
  if (!push) return false;
  if (push.reversedAt !== null) return true;
  const { initiator, shortCode } = account;
  if (!initiator) return { never: 'MPESA_INITIATOR is not set, so reverse it in the portal of the short code' };
  // its callback may still arrive with the receipt
  if (push.receipt === null && clock() - attempt.createdAt < callbackWithinMs) return false;
  if (push.receipt === null)
    return {
      never: 'its receipt was never told, so look for it in the statement of the short code and reverse it there',
    };
  const [row] = await db.select({ brand: attempts.brand }).from(attempts).where(eq(attempts.id, key));
  const brand = row?.brand ?? '';
  await recordReversalRequest(db, key, { reversalAskedAt: clock() });
  const body = {
    Initiator: initiator.name,
    SecurityCredential: initiator.securityCredential,
    CommandID: 'TransactionReversal',
    TransactionID: push.receipt,
    Amount: toMpesa(attempt),
    ReceiverParty: Number(shortCode),
    // the misspelling is the API's
    RecieverIdentifierType: '11',
    ResultURL: callbackUrl(deps, brand, callbackSecret(deps.env, 'reversal', key)),
    QueueTimeOutURL: callbackUrl(deps, brand, callbackSecret(deps.env, 'timeout', key)),
    Remarks: 'Paid twice',
  };
  const answer = await client.call('/mpesa/reversal/v1/request', body, acceptedSchema);
  const isTaken = answer?.kind === 'done' && answer.body.ResponseCode === '0';
  if (!isTaken)
    log.warn(
      { attemptId: key, errorCode: answer?.kind === 'refused' ? answer.errorCode : undefined },
      'Daraja has not taken a reversal',
    );
  return false;
}
