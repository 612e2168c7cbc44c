import type { Stripe } from 'stripe';
import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import { observed } from '#server/runtime/observe-provider.ts';
import { providerFetch } from '#server/runtime/outbound.ts';
import { providerTimeoutMs } from '../send-provider-request.ts';
import { NoticeRefused } from '../gateway.ts';
import { noticeWindowMs } from '../notice-signature.ts';

export interface StripeAccount {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** scheme and host that replace api.stripe.com */
  readonly base?: string | undefined;
  /** the timeout of a call */
  readonly timeoutMs?: number | undefined;
}

/** `refused` is a definite refusal by Stripe. `isDecline`: by the card or its bank. */
interface StripeRefusal {
  readonly kind: 'refused';
  /** codes, most specific first: the bank's decline code, Stripe's error code */
  readonly words: readonly (string | undefined)[];
  readonly isDecline: boolean;
  /** the invalid parameter */
  readonly param: string | undefined;
  /** the key was used for another request */
  readonly isUsedKey: boolean;
  /** the object does not exist */
  readonly isMissing: boolean;
}
export type StripeAnswer<Body> = { readonly kind: 'done'; readonly body: Body } | StripeRefusal;

export interface StripeClient {
  /**
   * Undefined if nothing may be concluded: no response, a broken connection, a server error, an unreadable response.
   */
  send<Schema extends v.GenericSchema>(
    call: (api: Stripe) => Promise<unknown>,
    schema: Schema,
  ): Promise<StripeAnswer<v.InferOutput<Schema>> | undefined>;
  /**
   * An event that Stripe signed within the last five minutes; undefined for another format, such as events of API v2.
   * Throws `NoticeRefused` for a wrong signature.
   */
  readEvent(signature: string, rawBody: string, now: number): Promise<StripeEvent | undefined>;
}

const eventSchema = v.object({
  id: v.string(),
  type: v.string(),
  /** epoch seconds */
  created: v.optional(v.number()),
  data: v.object({ object: v.unknown() }),
});
export type StripeEvent = v.InferOutput<typeof eventSchema>;

/**
 * Calls Stripe with its own package, which is loaded at the first call: a shop without Stripe does not pay for it. The
 * package retries only once, with the same key, if its connection was closed; lost calls are inquired about anyway.
 * Its errors contain what was sent, so none of them leaves this file.
 */
export function stripeClient(account: StripeAccount, deps: Pick<Deps, 'log' | 'metrics'>): StripeClient {
  const { log } = deps;
  let opened: Promise<Stripe> | undefined;
  const open = () => (opened ??= openStripe(account, deps));
  return {
    send: async (call, schema) => {
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

async function openStripe(
  { secretKey, base, timeoutMs = providerTimeoutMs }: StripeAccount,
  deps: Pick<Deps, 'log' | 'metrics'>,
): Promise<Stripe> {
  const { Stripe: Api } = await import('stripe');
  const address = base === undefined ? undefined : new URL(base);
  const send = observed(deps, 'stripe', providerFetch(address?.origin ?? 'https://api.stripe.com'));
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

/** An error of the package that carries a response of Stripe (docs.stripe.com/api/errors). */
const refusalSchema = v.object({
  statusCode: v.number(),
  rawType: v.optional(v.string()),
  code: v.optional(v.string()),
  decline_code: v.optional(v.string()),
  param: v.optional(v.string()),
  requestId: v.optional(v.string()),
});

/** Statuses that leave the outcome open: a rejected key of ours, a timeout, an idempotency key in use, rate limiting. */
const inconclusive = new Set([401, 403, 408, 409, 425, 429]);

function readRefusal(
  { statusCode, rawType, code, decline_code: declineCode, param, requestId }: v.InferOutput<typeof refusalSchema>,
  log: Deps['log'],
): StripeRefusal | undefined {
  if (statusCode === 401 || statusCode === 403) {
    log.error({ statusCode, code, requestId }, 'Stripe rejects the configured key, or the key lacks a permission');
  }
  if (statusCode < 400 || statusCode >= 500 || inconclusive.has(statusCode) || rawType === undefined) return undefined;
  return {
    kind: 'refused',
    words: [declineCode, code],
    isDecline: rawType === 'card_error',
    param,
    isUsedKey: rawType === 'idempotency_error',
    isMissing: statusCode === 404 || code === 'resource_missing',
  };
}
