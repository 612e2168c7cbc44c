import * as v from 'valibot';
import type { Deps } from '#server/deps.ts';
import type { AuthoriseRequest, GatewayAnswer, ReturningGateway } from '../gateway.ts';
import type { MethodTerms, ProviderCheck } from '../terms.ts';
import {
  failed,
  sessionAnswer,
  unknown,
  findStripeCustomer,
  findAttempt,
  readToken,
  type StripeAttempt,
} from './answers.ts';
import { chargeAnswer, chargeOffSession, removeStoredCard, openCardPage, takeCard } from './cards.ts';
import { stripeClient, type StripeAccount } from './client.ts';
import { amountTerms, isAcceptedByStripe, toStripe } from './currencies.ts';
import { failureOf } from './decline-codes.ts';
import { findLostPayment } from './find-lost-payment.ts';
import { readStripeNotice } from './notices.ts';
import { endPayment, readPayment, type StripeDeps } from './payments.ts';
import { refundPart, refundPayment } from './refunds.ts';
import { boletoCharge, onSessionCharge, paymentPage, pixCharge, setupPage } from './requests.ts';
import { intentSchema, sessionSchema } from './schemas.ts';

/** The Stripe gateway by its name, if an account is configured. */
export function openStripe(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'env' | 'metrics'>,
  { timeoutMs }: Pick<StripeAccount, 'timeoutMs'> = {},
): { stripe?: StripeGateway } {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: base } = deps.env;
  if (secretKey === undefined || webhookSecret === undefined) return {};
  return { stripe: stripeGateway({ secretKey, webhookSecret, base, timeoutMs }, deps) };
}

/**
 * Stripe: cards, Apple Pay, Google Pay, Alipay and PayNow are paid on a Checkout page, so no card passes through the
 * server; Pix and Boleto are shown in the storefront. Saved cards are charged without a page, unless their bank requires
 * one. No installments are offered: Stripe has them for few countries, and offers them on its own page.
 */
function stripeGateway(account: StripeAccount, base: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>): StripeGateway {
  const deps: StripeDeps = { ...base, client: stripeClient(account, base) };
  const withAttempt = async <Answer>(
    key: string,
    act: (attempt: StripeAttempt) => Promise<Answer>,
    none: NoInfer<Answer>,
  ) => {
    const attempt = await findAttempt(deps.db, key);
    return attempt ? act(attempt) : none;
  };
  const readState = (key: string) =>
    withAttempt(key, ({ providerRef: ref }) => (ref === null ? unknownYet() : readPayment(deps, ref)), unknown);
  return {
    takes: isAcceptedByStripe,
    terms: (methodCode, currency) => ({ ...terms[methodCode], ...amountTerms(methodCode, currency) }),
    authorise: (request) => withAttempt(request.key, (attempt) => authorise(deps, request, attempt), unknown),
    inquire: (key) =>
      withAttempt(
        key,
        (attempt) =>
          attempt.providerRef === null ? findLostPayment(deps, attempt) : readPayment(deps, attempt.providerRef),
        failed('paymentFailed'),
      ),
    cancel: (key) => withAttempt(key, (attempt) => cancel(deps, attempt), failed('paymentCancelled')),
    refund: (key) => withAttempt(key, (attempt) => refundPayment(deps, attempt), false),
    refundPart: (part) => withAttempt(part.key, (attempt) => refundPart(deps, attempt, part), false),
    confirm: readState,
    reopen: readState,
    chargeSaved: (charge) => chargeOffSession(deps, charge),
    openCardPage: (request) => openCardPage(deps, request),
    takeCard: (visit, owner) => takeCard(deps, visit, owner),
    removeStoredCard: (token) => removeStoredCard(deps, token),
    verifyNotice: (headers, rawBody, now) => readStripeNotice(deps, { headers, rawBody, now }),
    check: () => check(deps),
  };
}

type StripeGateway = ReturningGateway & Required<Pick<ReturningGateway, 'chargeSaved' | 'openCardPage' | 'check'>>;

const ofWallet = { flow: 'redirect', maxInstallments: 1, savesAccount: true } as const;

const terms: Readonly<Record<string, MethodTerms>> = {
  card: { cardPage: true, flow: 'redirect', maxInstallments: 1 },
  applepay: { ...ofWallet, wallet: 'applePay' },
  googlepay: { ...ofWallet, wallet: 'googlePay' },
  alipay: { flow: 'redirect', maxInstallments: 1 },
  paynow: { flow: 'redirect', maxInstallments: 1 },
  pix: { flow: 'qr', maxInstallments: 1 },
  boleto: { flow: 'ticket', maxInstallments: 1 },
};

/** The response that would name the payment has not arrived yet. */
const unknownYet = async (): Promise<GatewayAnswer> => unknown;

async function authorise(deps: StripeDeps, request: AuthoriseRequest, attempt: StripeAttempt): Promise<GatewayAnswer> {
  const counted = toStripe(request);
  if (!counted) return failed('currencyUnsupported');
  if (request.amount === 0) return openPage(deps, request, await setupFor(deps, request, attempt));
  const { client } = deps;
  const options = { idempotencyKey: request.key };
  if (request.savedCard) {
    const token = readToken(request.savedCard.token);
    if (!token) return failed('invalidCard');
    const params = onSessionCharge(request, counted, token);
    return chargeAnswer(
      deps,
      request.key,
      await client.send((api) => api.paymentIntents.create(params, options), intentSchema),
    );
  }
  if (request.methodCode === 'pix') return payByPix(deps, request, counted);
  const slip = request.methodCode === 'boleto' ? boletoCharge(request, counted, attempt.email) : undefined;
  if (slip)
    return chargeAnswer(
      deps,
      request.key,
      await client.send((api) => api.paymentIntents.create(slip, options), intentSchema),
    );
  const customer = request.savesCard ? await findStripeCustomer(deps.db, attempt.brand, attempt.uid) : undefined;
  return openPage(deps, request, paymentPage(request, counted, { ...attempt, customer }));
}

/** A purchase that costs nothing and renews: the card is saved on a page without a charge. */
async function setupFor(deps: StripeDeps, { key, returnUrl, currency }: AuthoriseRequest, attempt: StripeAttempt) {
  const customer = await findStripeCustomer(deps.db, attempt.brand, attempt.uid);
  return setupPage({ returnUrl, currency }, { keeper: { attempt: key }, customer, language: attempt.language });
}

async function payByPix(
  deps: StripeDeps,
  request: AuthoriseRequest,
  counted: { amount: number; currency: string },
): Promise<GatewayAnswer> {
  const send = (withTaxId: boolean) => {
    const params = pixCharge(request, counted, { withTaxId });
    return deps.client.send((api) => api.paymentIntents.create(params, { idempotencyKey: request.key }), intentSchema);
  };
  const answer = await send(false);
  // invalid parameters do not use up the key
  const wantsTaxId = answer?.kind === 'refused' && (answer.param?.includes('tax_id') ?? false);
  return chargeAnswer(deps, request.key, wantsTaxId ? await send(true) : answer);
}

async function openPage(
  { client, clock, log }: StripeDeps,
  { key }: AuthoriseRequest,
  params: ReturnType<typeof paymentPage>,
): Promise<GatewayAnswer> {
  const answer = await client.send(
    (api) => api.checkout.sessions.create(params, { idempotencyKey: key }),
    sessionSchema,
  );
  if (!answer) return unknown;
  if (answer.kind === 'done') return sessionAnswer(answer.body, clock());
  if (answer.isUsedKey) return unknown;
  log.warn({ attemptId: key, words: answer.words, param: answer.param }, 'Stripe refused to open a page');
  return failed(failureOf(answer.words, answer));
}

/** If the response was lost, the payment is searched for, or its key closed (`find-lost-payment.ts`). */
async function cancel(deps: StripeDeps, attempt: StripeAttempt): Promise<GatewayAnswer> {
  if (attempt.providerRef !== null) return endPayment(deps, attempt.providerRef);
  const found = await findLostPayment(deps, attempt);
  return found.state === 'pending' && found.providerRef !== undefined ? endPayment(deps, found.providerRef) : found;
}

/** Reads the newest Checkout page, which requires the permission that every payment needs. */
async function check({ client }: StripeDeps): Promise<ProviderCheck> {
  const answer = await client.send(
    (api) => api.checkout.sessions.list({ limit: 1 }),
    v.object({ data: v.array(v.unknown()) }),
  );
  if (answer?.kind === 'done') return { isReachable: true, says: 'Stripe knows STRIPE_SECRET_KEY' };
  return {
    isReachable: false,
    says: answer ? `Stripe refuses: ${answer.words.join(' ')}` : 'no answer, or STRIPE_SECRET_KEY is refused',
  };
}
