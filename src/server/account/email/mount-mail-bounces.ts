import * as v from 'valibot';
import { bodyLimitBytes } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { recordBounce } from '#server/messages/bounces.ts';
import { smsSignatureHeader, smsTimestampHeader } from '#server/messages/sms-budget.ts';
import { isSignedNotice } from '#server/payments/notice-signature.ts';
import { refusalOf } from '#server/runtime/request/api-error.ts';
import { readText } from '#server/runtime/request/read-bytes.ts';
import type { App } from '#server/runtime/request/request-context.ts';

/** `transient` is a full mailbox or a server that is down: the mail provider retries, so nothing is stored. */
const noticeSchema = v.object({
  events: v.pipe(
    v.array(
      v.object({
        address: v.pipe(v.string(), v.minLength(3), v.maxLength(320)),
        type: v.picklist(['permanent', 'transient', 'complaint']),
      }),
    ),
    v.maxLength(500),
  ),
});

const empty = (status: number) => new Response(null, { status, headers: { 'cache-control': 'no-store' } });

/**
 * The mail provider's endpoint for bounces: `POST /webhooks/mail` with `{ events: [{ address, type }] }`, signed like
 * the shop's own calls with `MAIL_BOUNCE_SECRET`, at most five minutes old. Repeats change nothing, so they are not
 * counted. 401: not signed. 400: not readable. 204: stored.
 */
export function mountMailBounces(app: App, deps: Deps): void {
  const { env, db, clock, log } = deps;
  const secret = env.MAIL_BOUNCE_SECRET;
  if (secret === undefined) return;
  app.post('/webhooks/mail', async (c) => {
    c.set('route', '/webhooks/mail');
    const timestamp = c.req.header(smsTimestampHeader) ?? null;
    const signature = c.req.header(smsSignatureHeader) ?? null;
    // the body is not read without a signature
    const isUnsigned = timestamp === null || signature === null;
    const body = isUnsigned ? '' : await readText(c, deps, { maxBytes: bodyLimitBytes }).catch(refusalOf);
    if (typeof body !== 'string') return empty(body.status);
    if (isUnsigned || !isSignedNotice(secret, { timestamp, signature, body }, clock())) {
      log.warn({ traceId: c.get('traceId') }, 'a bounce notification was rejected');
      return empty(401);
    }
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), noticeSchema), body);
    if (!parsed.success) return empty(400);
    for (const { address, type } of parsed.output.events)
      if (type !== 'transient') await recordBounce({ db, env }, address, type, clock());
    return empty(204);
  });
}
