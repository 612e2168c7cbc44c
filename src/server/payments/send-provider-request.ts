import * as v from 'valibot';
import type { Language } from '#contract/fields.ts';
import { confirmingProviderSchema } from '#contract/next-step.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import { eq } from 'drizzle-orm';
import { paymentFailureOf } from '#contract/error-codes.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, isLiveState } from '#server/db/schema/attempts.ts';
import type { GatewayAnswer } from './gateway.ts';

/** Sends a request to a provider: `fetch` or a replacement. It rejects or never settles if the connection breaks. */
export type SendRequest = (request: Request) => Promise<Response>;

/** Longer than a provider needs, and shorter than the minute after which the customer's own call times out. */
export const providerTimeoutMs = 20_000;

export interface ProviderAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/**
 * Calls a provider. Undefined for anything but a complete, readable response of the expected shape: a broken
 * connection, a server error, a page of a proxy. Nothing may be concluded from it, so callers return the state
 * `unknown`. With `errors: 'read'` a refusal that a provider sends with status 500 is read.
 */
export async function sendProviderRequest<Schema extends v.GenericSchema>(
  send: SendRequest,
  request: Request,
  schema: Schema,
  { errors }: { errors?: 'read' } = {},
): Promise<ProviderAnswer<v.InferOutput<Schema>> | undefined> {
  try {
    const response = await send(
      // the address of a provider is configured; a redirect target is not
      new Request(request, { redirect: 'error', signal: AbortSignal.timeout(providerTimeoutMs) }),
    );
    const text = await response.text();
    if (response.status >= 500 && errors !== 'read') return undefined;
    // a response without content has no JSON
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), response.status === 204 ? 'null' : text);
    return parsed.success ? { status: response.status, body: parsed.output } : undefined;
  } catch {
    // The outcome is found by an inquiry. The error is not logged, because it may contain a card.
    return undefined;
  }
}

/** Daraja refuses callback addresses that contain the name of its own product. The gateway's name is accepted too. */
const neutralNames: Readonly<Record<string, string>> = { mpesa: 'mobile-money' };

/** The path to which a gateway's provider sends its notices, below the origin of a brand. */
export const webhookPath = (gateway: string): string => `/webhooks/${neutralNames[gateway] ?? gateway}`;

/** The gateway that the last segment of such a path names. */
export function gatewayOfPath(name: string): string {
  return Object.keys(neutralNames).find((gateway) => neutralNames[gateway] === name) ?? name;
}

/**
 * The address after a return from the provider, as the path of the result page. It names the payment, so that it can
 * be looked up in another browser without a session, and the gateway that must be notified of the return. Only the
 * language is in the query, for a browser without a stored one, because some providers break queries.
 */
export function returnPath(
  { orderId, resultToken }: Pick<OrderRow, 'orderId' | 'resultToken'>,
  { gateway }: Pick<AttemptRow, 'gateway'>,
  language: Language,
): string {
  const finish = v.is(confirmingProviderSchema, gateway) ? `/finish/${gateway}` : '';
  return `orderId/${orderId}/token/${resultToken}${finish}?language=${language}`;
}

/**
 * The part of an attempt that adapters may read whose provider stores less than the port requires: the provider's ID
 * and the step that the payer was shown.
 */
export type GatewayAttempt = Pick<
  typeof attempts.$inferSelect,
  'id' | 'amount' | 'currency' | 'state' | 'failureCode' | 'providerRef' | 'next' | 'createdAt' | 'expiresAt'
>;

export async function findAttempt(db: Database, key: string): Promise<GatewayAttempt | undefined> {
  const { id, amount, currency, state, failureCode, providerRef, next, createdAt, expiresAt } = attempts;
  const [row] = await db
    .select({ id, amount, currency, state, failureCode, providerRef, next, createdAt, expiresAt })
    .from(attempts)
    .where(eq(attempts.id, key))
    .limit(1);
  return row;
}

/** Runs `work` with the attempt of a key. An unknown attempt was never sent to the provider, and has failed. */
export async function withAttempt(
  db: Database,
  key: string,
  work: (attempt: GatewayAttempt) => Promise<GatewayAnswer>,
): Promise<GatewayAnswer> {
  const attempt = await findAttempt(db, key);
  return attempt ? work(attempt) : { state: 'failed', failure: 'paymentFailed' };
}

export const isLive = ({ state }: GatewayAttempt): boolean => isLiveState(state);

/** The outcome of an attempt that has ended, if its provider has nothing to add. */
export function outcomeOfEndedAttempt({ state, failureCode }: GatewayAttempt): GatewayAnswer {
  if (state === 'SUCCEEDED') return { state: 'succeeded' };
  if (state === 'EXPIRED') return { state: 'expired' };
  return { state: 'failed', failure: paymentFailureOf(failureCode) };
}
