import type { Stripe } from 'stripe';
import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import { providerFetch } from '#server/runtime/outbound.ts';
import { providerTimeoutMs } from '../ask-provider.ts';
import { NoticeRefused } from '../gateway.ts';
import { noticeWindowMs } from '../notice-signature.ts';

export interface StripeAccount {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** scheme and host in place of api.stripe.com */
  readonly base?: string | undefined;
  /** for how long an answer is waited for */
  readonly timeoutMs?: number | undefined;
}

/** `refused` is Stripe's own, definite no. `isDecline`: it was the card's or its bank's. */
export interface StripeRefusal {
  readonly kind: 'refused';
  /** the more exact word first: why the bank declined, what Stripe calls it */
  readonly words: readonly (string | undefined)[];
  readonly isDecline: boolean;
  /** the parameter that does not fit */
  readonly param: string | undefined;
  /** the key was spent on another request */
  readonly isUsedKey: boolean;
  /** there is no such thing */
  readonly isMissing: boolean;
}
export type StripeAnswer<Body> = { readonly kind: 'done'; readonly body: Body } | StripeRefusal;

export interface StripeClient {
  /** Undefined where nothing may be concluded: no answer, a cut one, an error of Stripe's, an answer that cannot be read. */
  ask<Schema extends v.GenericSchema>(
    call: (api: Stripe) => Promise<unknown>,
    schema: Schema,
  ): Promise<StripeAnswer<v.InferOutput<Schema>> | undefined>;
  /**
   * An event that Stripe has signed no more than five minutes ago; undefined for one of another format, such as the events
   * of API v2. Throws `NoticeRefused` for what Stripe has not signed.
   */
  readEvent(signature: string, rawBody: string, now: number): Promise<StripeEvent | undefined>;
}

const eventSchema = v.object({ id: v.string(), type: v.string(), data: v.object({ object: v.unknown() }) });
export type StripeEvent = v.InferOutput<typeof eventSchema>;

/**
 * Calls Stripe by its own package, which is loaded at the first call: a shop without Stripe pays nothing for it. The
 * package repeats a call by itself only where its connection was closed under it, once and by the same key: what became of
 * a lost call is asked for anyway. Its errors hold what was sent, so none of them leaves this file.
 */
export function stripeClient(account: StripeAccount, { log }: Pick<Deps, 'log'>): StripeClient {
  let opened: Promise<Stripe> | undefined;
  const open = () => (opened ??= openStripe(account));
  return {
    ask: async (call, schema) => {
      const api = await open();
      try {
        const parsed = v.safeParse(schema, await call(api));
        if (!parsed.success)
          log.warn({ issues: v.flatten(parsed.issues).nested }, 'an answer of Stripe cannot be read');
        return parsed.success ? { kind: 'done', body: parsed.output } : undefined;
      } catch (error) {
        const refusal = v.safeParse(refusalSchema, error);
        if (!refusal.success) return undefined;
        return readRefusal(refusal.output, log);
      }
    },
    readEvent: async (signature, rawBody, now) => {
      const { webhooks } = await open();
      try {
        const window = noticeWindowMs / 1000;
        if (!webhooks.signature?.verifyHeader(rawBody, signature, account.webhookSecret, window, undefined, now))
          throw new Error('the package verifies no signature');
      } catch {
        throw new NoticeRefused('the signature or its time does not fit');
      }
      const event = v.safeParse(v.pipe(v.string(), v.parseJson(), eventSchema), rawBody);
      return event.success ? event.output : undefined;
    },
  };
}

async function openStripe({ secretKey, base, timeoutMs = providerTimeoutMs }: StripeAccount): Promise<Stripe> {
  const { Stripe: Api } = await import('stripe');
  const address = base === undefined ? undefined : new URL(base);
  const send = providerFetch(address?.origin ?? 'https://api.stripe.com');
  return new Api(secretKey, {
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    httpClient: Api.createFetchHttpClient(send),
    ...(address && {
      host: address.hostname,
      port: address.port || (address.protocol === 'http:' ? 80 : 443),
      protocol: address.protocol === 'http:' ? 'http' : 'https',
    }),
  });
}

/** An error of the package that carries an answer of Stripe's (docs.stripe.com/api/errors). */
const refusalSchema = v.object({
  statusCode: v.number(),
  rawType: v.optional(v.string()),
  code: v.optional(v.string()),
  decline_code: v.optional(v.string()),
  param: v.optional(v.string()),
  requestId: v.optional(v.string()),
});

/** Statuses after which the same may still happen, or has: a key in use, a lock, too many requests, an error of Stripe's. */
const sayNothing = new Set([401, 403, 408, 409, 425, 429]);

function readRefusal(
  { statusCode, rawType, code, decline_code: declineCode, param, requestId }: v.InferOutput<typeof refusalSchema>,
  log: Deps['log'],
): StripeRefusal | undefined {
  if (statusCode === 401 || statusCode === 403) {
    log.error({ statusCode, code, requestId }, 'Stripe does not take the key that is configured, or not for this');
  }
  if (statusCode < 400 || statusCode >= 500 || sayNothing.has(statusCode) || rawType === undefined) return undefined;
  return {
    kind: 'refused',
    words: [declineCode, code],
    isDecline: rawType === 'card_error',
    param,
    isUsedKey: rawType === 'idempotency_error',
    isMissing: statusCode === 404 || code === 'resource_missing',
  };
}
