import type { Deps } from '#server/deps.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { intentAnswer, sessionAnswer, unknown, type StripeAttempt } from './answers.ts';
import type { StripeClient } from './client.ts';
import { intentExpand, sessionExpand } from './requests.ts';
import { idOf, intentSchema, sessionSchema, type Intent, type Session } from './schemas.ts';

export interface StripeDeps extends Pick<Deps, 'db' | 'clock' | 'log'> {
  readonly client: StripeClient;
}

/** A Checkout page; `gone` if Stripe does not know it, undefined without a response. */
export async function readSession({ client }: StripeDeps, id: string): Promise<Session | 'gone' | undefined> {
  const answer = await client.send(
    (api) => api.checkout.sessions.retrieve(id, { expand: sessionExpand }),
    sessionSchema,
  );
  if (answer?.kind === 'done') return answer.body;
  return answer?.isMissing ? 'gone' : undefined;
}

async function readIntent({ client }: StripeDeps, id: string): Promise<Intent | 'gone' | undefined> {
  const answer = await client.send((api) => api.paymentIntents.retrieve(id, { expand: intentExpand }), intentSchema);
  if (answer?.kind === 'done') return answer.body;
  return answer?.isMissing ? 'gone' : undefined;
}

/** The state of a payment by Stripe's ID. A missing one belonged to another account: nothing is concluded. */
export async function readPayment(deps: StripeDeps, ref: string): Promise<GatewayAnswer> {
  const now = deps.clock();
  if (ref.startsWith('cs_')) {
    const session = await readSession(deps, ref);
    return session === undefined || session === 'gone' ? unknown : sessionAnswer(session, now);
  }
  const intent = await readIntent(deps, ref);
  return intent === undefined || intent === 'gone' ? unknown : intentAnswer(intent, now);
}

/**
 * Ends a waiting payment: its page, code or slip can no longer be paid. Stripe refuses if it is paid or under way;
 * then its current state is returned.
 */
export async function endPayment(deps: StripeDeps, ref: string): Promise<GatewayAnswer> {
  const { client, clock } = deps;
  if (ref.startsWith('cs_')) {
    const ended = await client.send(
      (api) => api.checkout.sessions.expire(ref, { expand: sessionExpand }),
      sessionSchema,
    );
    if (ended?.kind === 'done') return ended.body.status === 'expired' ? closed : sessionAnswer(ended.body, clock());
    return ended ? asClosed(await readPayment(deps, ref)) : unknown;
  }
  const ended = await client.send(
    (api) => api.paymentIntents.cancel(ref, { cancellation_reason: 'abandoned', expand: intentExpand }),
    intentSchema,
  );
  if (ended?.kind === 'done') return intentAnswer(ended.body, clock());
  return ended ? asClosed(await readPayment(deps, ref)) : unknown;
}

const closed = { state: 'failed', failure: 'paymentCancelled' } as const;

/** A payment that expired by itself is closed as well: it cannot be paid. */
const asClosed = (answer: GatewayAnswer): GatewayAnswer => (answer.state === 'expired' ? closed : answer);

/** The payment that a refund of the attempt refers to. Undefined if it does not exist, or without a response. */
export async function paymentOf(deps: StripeDeps, { providerRef }: StripeAttempt): Promise<string | undefined> {
  if (!providerRef?.startsWith('cs_')) return providerRef ?? undefined;
  const session = await readSession(deps, providerRef);
  return session === undefined || session === 'gone' ? undefined : idOf(session.payment_intent);
}
