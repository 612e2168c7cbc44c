import * as v from 'valibot';
import { isKnownCurrency } from '#contract/money.ts';
import type { ConfirmingProvider } from '#contract/next-step.ts';
import {
  NoticeRefused,
  type AuthoriseRequest,
  type CardToSave,
  type GatewayAnswer,
  type GatewayNotice,
  type SaveCardAnswer,
  type PaymentGateway,
  type SavedCardCharge,
} from '#server/payments/gateway.ts';
import type { KnownProvider } from '#server/payments/known-providers.ts';
import type { PartialRefund, RefundAnswer } from '#server/payments/terms.ts';
import { isSignedNotice } from '#server/payments/notice-signature.ts';
import { sendProviderRequest, type SendRequest } from '#server/payments/send-provider-request.ts';
import {
  bankBase,
  chargeViewSchema,
  saveCardViewSchema,
  noticeSchema,
  refundViewSchema,
  signatureHeader,
  timestampHeader,
  bankKey,
  noticeSecret,
  type refundRequestSchema,
  type ChargeKind,
  type ChargeRequest,
  type ChargeStep,
} from './protocol.ts';
import type { Deps } from '#server/deps.ts';
import { providerFetch } from '#server/runtime/outbound.ts';
import { bankApi } from '#sandbox/bank/api.ts';

const takesAll: KnownProvider = { takes: (_, currency) => isKnownCurrency(currency) };
/** The providers that the sandbox bank simulates, by the name that `payment_methods.gateway` refers to. */
export const simulatedProviders = {
  sandbox: takesAll,
  useepay: takesAll,
  payssion: takesAll,
  wallet: takesAll,
  liquido: takesAll,
  coins: { takes: (_, currency) => currency === 'USD' }, // the simulated chains have rates in dollars only
} satisfies Readonly<Record<string, KnownProvider>>;

type ProviderName = keyof typeof simulatedProviders;
interface SandboxProvider {
  readonly name: ProviderName;
  readonly kindOf: (methodCode: string) => ChargeKind;
  /** set if the money is only taken after the customer's return */
  readonly finish?: ConfirmingProvider;
}

/** Connection to the bank. */
interface SandboxBankAccess {
  /** scheme and host of the bank */
  readonly origin: string;
  readonly send: SendRequest;
  readonly apiKey: string;
  readonly noticeSecret: string;
}

type BankAnswer = GatewayAnswer & { readonly approved?: boolean };

const unknown = { state: 'unknown' } as const;

/**
 * The adapters of all providers that the sandbox bank simulates, each with the methods of its payment kind. A real
 * adapter installed under the same name replaces one.
 */
export function sandboxGateways(bank: SandboxBankAccess) {
  const toStep = (key: string, step: ChargeStep) => callBank(bank, `/charges/${key}/step`, step);
  const returning = {
    confirm: (key: string) => toStep(key, { type: 'confirm' }),
    reopen: (key: string) => toStep(key, { type: 'reopen' }),
  };
  const gateway = (provider: SandboxProvider) => sandboxGateway(bank, provider);
  const cardGateway = (provider: SandboxProvider) => ({
    ...gateway(provider),
    chargeSaved: (charge: SavedCardCharge) => callBank(bank, '/charges', savedCardRequest(provider, charge)),
    storeCard: (card: CardToSave) => storeCard(bank, card),
    removeStoredCard: (token: string) => isDone(bank, `/cards/${encodeURIComponent(token)}/forget`),
  });
  return {
    sandbox: cardGateway({ name: 'sandbox', kindOf: (method) => kinds[method] ?? 'card' }),
    useepay: { ...cardGateway({ name: 'useepay', kindOf: () => 'card', finish: 'useepay' }), ...returning },
    // as with Payssion itself: full refunds only
    payssion: withoutPartialRefunds({
      ...gateway({ name: 'payssion', kindOf: () => 'wallet', finish: 'payssion' }),
      ...returning,
    }),
    wallet: gateway({ name: 'wallet', kindOf: () => 'wallet' }),
    liquido: {
      ...gateway({ name: 'liquido', kindOf: () => 'mobile' }),
      submitCode: (key: string, code: string) => toStep(key, { type: 'submitCode', code }),
    },
    coins: {
      ...gateway({ name: 'coins', kindOf: () => 'coin' }),
      chooseCoin: (key: string, coin: string) => toStep(key, { type: 'chooseCoin', coin }),
    },
  } satisfies Record<ProviderName, PaymentGateway>;
}

const withoutPartialRefunds = <Gateway extends PaymentGateway>({ refundPart: _none, ...gateway }: Gateway) => gateway;

const kinds: Readonly<Record<string, ChargeKind>> = { pix: 'pix', boleto: 'slip' };

/** What all of them share. */
function sandboxGateway(bank: SandboxBankAccess, provider: SandboxProvider) {
  return {
    takes: simulatedProviders[provider.name].takes,
    authorise: (request: AuthoriseRequest) => callBank(bank, '/charges', chargeRequest(provider, request)),
    // an inquiry about an unknown key closes it, so that a request still in transit cannot charge it afterwards
    inquire: async (key: string) => {
      const answer = await callBank(bank, `/charges/${key}/inquire`);
      // approved, but the payer did not return: the payment is captured all the same
      return answer.approved ? callBank(bank, `/charges/${key}/step`, { type: 'confirm' }) : answer;
    },
    cancel: (key: string) => callBank(bank, `/charges/${key}/cancel`),
    refund: (key: string) => refund(bank, key),
    refundPart: ({ key, number, amount }: PartialRefund) => refund(bank, key, { part: { number, amount } }),
    verifyNotice: (headers: Headers, body: string, now: number) => verifyNotice(bank, { headers, body, now }),
  };
}

async function callBank(bank: SandboxBankAccess, path: string, body?: object): Promise<BankAnswer> {
  const answer = await sendProviderRequest(bank.send, requestTo(bank, path, body), chargeViewSchema);
  return answer?.status === 200 ? answerOf(answer.body) : unknown;
}

async function storeCard(
  bank: SandboxBankAccess,
  { brand, customer, currency, card }: CardToSave,
): Promise<SaveCardAnswer> {
  const answer = await sendProviderRequest(
    bank.send,
    requestTo(bank, '/cards', { brand, customer, currency, card }),
    saveCardViewSchema,
  );
  if (answer?.status !== 200) return unknown;
  const { savedCard, declineCode = 'paymentFailed' } = answer.body;
  return savedCard ? { state: 'saved', savedCard } : { state: 'refused', failure: declineCode };
}

async function refund(
  bank: SandboxBankAccess,
  key: string,
  body: v.InferInput<typeof refundRequestSchema> = {},
): Promise<RefundAnswer> {
  const answer = await sendProviderRequest(
    bank.send,
    requestTo(bank, `/charges/${key}/refund`, body),
    refundViewSchema,
  );
  if (answer?.status !== 200) return false;
  const { done, never: permanentFailure } = answer.body;
  return permanentFailure === undefined ? done : { permanentFailure };
}

async function isDone(bank: SandboxBankAccess, path: string): Promise<boolean> {
  const answer = await sendProviderRequest(bank.send, requestTo(bank, path), v.object({ done: v.boolean() }));
  return answer?.body.done ?? false;
}

function requestTo({ origin, apiKey }: SandboxBankAccess, path: string, body: object = {}): Request {
  return new Request(origin + bankBase + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  });
}

function chargeRequest({ name, kindOf, finish }: SandboxProvider, request: AuthoriseRequest): ChargeRequest {
  const { orderLabel: label, key, brand, customer, merchantName, methodCode, amount, currency } = request;
  const { installments, card, savedCard, diallingCode, payer, returnUrl } = request;
  const order = { key, brand, customer, merchantName, methodCode, amount, currency, installments, label, returnUrl };
  return { ...order, card, savedCard, diallingCode, payer, gateway: name, kind: kindOf(methodCode), finish };
}

function savedCardRequest({ name }: SandboxProvider, charge: SavedCardCharge): ChargeRequest {
  const { orderLabel: label, token, key, brand, customer, merchantName, methodCode, amount, currency } = charge;
  const offSession = { installments: 1, payer: {}, returnUrl: '' };
  const order = { key, brand, customer, merchantName, methodCode, amount, currency };
  return { ...order, ...offSession, label, gateway: name, kind: 'card', savedCard: { token } };
}

async function verifyNotice(
  bank: SandboxBankAccess,
  { headers, body, now }: { headers: Headers; body: string; now: number },
): Promise<GatewayNotice> {
  const timestamp = headers.get(timestampHeader);
  const signature = headers.get(signatureHeader);
  if (!isSignedNotice(bank.noticeSecret, { timestamp, signature, body }, now)) {
    throw new NoticeRefused('the signature or its time does not fit');
  }
  const notice = readNotice(body);
  // the step may have changed since the notice was written: an outdated notice must not require more from the payer
  const answer = notice.answer.next ? await callBank(bank, `/charges/${notice.key}/inquire`) : notice.answer;
  return { ...notice, answer };
}

function answerOf(charge: v.InferOutput<typeof chargeViewSchema>): BankAnswer {
  const { amount, currency, publicId: providerRef, expiresAt, todo, savedCard, refusal } = charge;
  const known = { providerRef, amount, currency };
  switch (charge.status) {
    case 'paid':
    case 'refunded':
      return { state: 'succeeded', ...known, savedCard };
    case 'declined':
      return {
        state: 'failed',
        providerRef,
        failure: charge.declineCode ?? 'paymentFailed',
        asksHolder: charge.asksHolder,
      };
    case 'expired':
      return { state: 'expired', providerRef };
    case 'challenge':
    case 'waiting':
    case 'approved':
      return {
        state: 'pending',
        ...known,
        expiresAt: expiresAt ?? undefined,
        next: todo,
        refusal,
        unpaid: charge.unpaid,
        approved: charge.status === 'approved',
      };
  }
}

function readNotice(body: string): GatewayNotice {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), noticeSchema), body);
  if (!parsed.success) throw new NoticeRefused('the body cannot be read');
  const { id: eventId, event: kind, stage, part, disputed, respondBy, ...charge } = parsed.output;
  return { eventId, key: charge.key, kind, stage, part, disputed, respondBy, answer: answerOf(charge) };
}

/** The bank in process or, with `SANDBOX_WIRE`, over a real connection that a test can break. */
export function openSandboxBank(deps: Pick<Deps, 'db' | 'clock' | 'random' | 'env'>): SandboxBankAccess {
  const { env } = deps;
  const bank = bankApi(deps);
  const keys = { apiKey: bankKey(env), noticeSecret: noticeSecret(env) };
  return env.SANDBOX_WIRE === undefined
    ? { origin: 'http://sandbox.bank', send: async (request) => bank.fetch(request), ...keys }
    : { origin: env.SANDBOX_WIRE, send: providerFetch(env.SANDBOX_WIRE), ...keys };
}
