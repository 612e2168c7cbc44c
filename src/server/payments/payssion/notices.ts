import * as v from 'valibot';
import { findAttempt } from '../send-provider-request.ts';
import { NoticeRefused, type GatewayAnswer, type GatewayNotice } from '../gateway.ts';
import { answerOf, findTransaction, isSignedBy, keyOf, type PayssionDeps } from './client.ts';

const unknown: GatewayAnswer = { state: 'unknown' };

const text = v.nullish(v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.maxLength(200)), '');

/**
 * The signed fields of a notice, and the signature (payssion-php, samples/sample_postback.php). All else is dropped
 * unread.
 */
const noticeSchema = v.object({
  pm_id: text,
  amount: text,
  currency: text,
  order_id: text,
  state: text,
  notify_sig: text,
});

/** What a state says besides the payment itself. Payssion has one state for a dispute, and reports nothing after it. */
const reversals: Readonly<Record<string, Pick<GatewayNotice, 'kind' | 'stage'>>> = {
  refunded: { kind: 'refund', stage: 'succeeded' },
  chargeback: { kind: 'chargeback', stage: 'succeeded' },
};

/**
 * Reads a notice, as form data or JSON. It has no timestamp, and neither the transaction nor the paid amount is
 * signed. So it only names the payment to inquire about, and the notice contains its current state, in whatever order
 * notices come. If Payssion cannot be reached the answer is `unknown`, and the next notice is inquired about again.
 */
export async function readNotice(
  deps: PayssionDeps,
  { headers, rawBody, now }: { headers: Headers; rawBody: string; now: number },
): Promise<GatewayNotice> {
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  const parsed = isJson
    ? v.safeParse(v.pipe(v.string(), v.parseJson(), noticeSchema), rawBody)
    : v.safeParse(noticeSchema, Object.fromEntries(new URLSearchParams(rawBody)));
  if (!parsed.success) throw new NoticeRefused('the body cannot be read');
  const { pm_id: pmId, amount, currency, order_id: orderId, state, notify_sig: signature } = parsed.output;
  if (!isSignedBy(deps.account, [pmId, amount, currency, orderId, state], signature))
    throw new NoticeRefused('it is not signed by Payssion');
  const key = keyOf(orderId);
  const attempt = key === undefined ? undefined : await findAttempt(deps.db, key);
  if (!key || !attempt) return { eventId: `${orderId} ${state}`, key: key ?? orderId, kind: 'charge', answer: unknown };
  const found = await findTransaction(deps, key);
  if (typeof found !== 'object') return { eventId: `${orderId} unasked ${now}`, key, kind: 'charge', answer: unknown };
  const eventId = `${found.transaction_id} ${found.state}`;
  if (found.state === 'paid_partial' || found.state === 'paid_more')
    deps.log.error(
      { attemptId: key, state: found.state },
      'another amount than asked for was paid at Payssion: settle it there',
    );
  if (found.state === 'refund_failed') deps.log.error({ attemptId: key }, 'Payssion could not refund a payment');
  const reversal = Object.hasOwn(reversals, found.state) ? reversals[found.state] : undefined;
  return { eventId, key, kind: 'charge', ...reversal, answer: answerOf(found, attempt, now) };
}
