import { countryOf } from '#contract/postal-rules.ts';
import { findAttempt, type GatewayAttempt, withAttempt } from '../send-provider-request.ts';
import {
  NoticeRefused,
  type AuthoriseRequest,
  type GatewayAnswer,
  type GatewayNotice,
  type ReturningGateway,
} from '../gateway.ts';
import type { ProviderCheck } from '../terms.ts';
import {
  answerOf,
  queriedTransaction,
  failureOf,
  notFound,
  pageOf,
  readTransaction,
  useepayClient,
  type UseepayAccount,
} from './answers.ts';
import {
  keyOfRefund,
  readPartId,
  refundPart,
  refundPayment,
  type UseepayDeps,
  isAcceptedByUseepay,
  maxUseepayAmount,
  toUseepay,
} from './refunds.ts';

/**
 * UseePay's gateway 1.0 (useepay.gitbook.io/developer, github.com/useepay2020/useepay-java): the payer is redirected
 * to a page of UseePay ("cashier"), so no card passes through the server. The attempt's ID is the transaction ID,
 * which UseePay accepts once while it waits or is paid. A page can be paid only by a payer who was redirected to it,
 * so a payment whose response was lost is closed by that. The API returns no token for later charges, so cards are not
 * saved and nothing renews.
 */
export function useepayGateway(
  account: UseepayAccount,
  base: Omit<UseepayDeps, 'account' | 'client'>,
): ReturningGateway {
  const deps: UseepayDeps = { ...base, account, client: useepayClient(account, base) };
  const inquire = (key: string) => withAttempt(base.db, key, (attempt) => inquireOf(deps, attempt));
  return {
    takes: (_method, currency) => isAcceptedByUseepay(currency),
    // installments are agreed between the payer and the bank: the page charges the whole amount
    terms: () => ({ cardPage: true, flow: 'redirect', maxInstallments: 1, maximum: maxUseepayAmount }),
    authorise: (request) => authorise(deps, request),
    inquire,
    confirm: inquire,
    reopen: (key) => withAttempt(base.db, key, (attempt) => reopen(deps, attempt)),
    cancel: (key) => withAttempt(base.db, key, (attempt) => cancel(deps, attempt)),
    refund: async (key, left) => {
      const attempt = await findAttempt(base.db, key);
      return attempt ? refundPayment(deps, attempt, left) : false;
    },
    refundPart: (part) => refundPart(deps, part),
    check: () => check(deps),
    verifyNotice: (_headers, rawBody) => readNotice(deps, rawBody),
  };
}

/** How long a page is open, in minutes; UseePay allows 1 to 120. */
const openForMinutes = 30;
const unknown: GatewayAnswer = { state: 'unknown' };

async function authorise(deps: UseepayDeps, request: AuthoriseRequest): Promise<GatewayAnswer> {
  const { client, clock, db, log } = deps;
  const { key } = request;
  const before = await findAttempt(db, key);
  // requested before: the page that was shown stays the only one
  if (before && pageOf(before)) return inquireOf(deps, before);
  const counted = toUseepay(request);
  if (counted === undefined) return { state: 'failed', failure: 'currencyUnsupported' };
  const expiresAt = clock() + openForMinutes * 60_000;
  const answer = await client.ask('/cashier', cashierFields(deps, request, counted));
  if (!answer) return unknown;
  const { resultCode = '', errorCode = '', issuerResponse = '', redirectUrl, reference: providerRef } = answer;
  if (resultCode === 'received' && redirectUrl !== undefined && URL.canParse(redirectUrl)) {
    const next = { type: 'redirect', url: redirectUrl, expiresAt, finish: 'useepay' } as const;
    return { state: 'pending', providerRef, next, expiresAt };
  }
  log.warn({ attemptId: key, resultCode, errorCode }, 'UseePay has opened no page');
  return resultCode === 'failed' ? { state: 'failed', failure: failureOf({ errorCode, issuerResponse }) } : unknown;
}

/** The fields of the request for a page ("pay" under "checkout"). Nested values are JSON text. */
function cashierFields(
  { account, catalog }: UseepayDeps,
  request: AuthoriseRequest,
  counted: string,
): Record<string, string> {
  const { key, currency, merchantName, orderLabel, payer, pmId = 'credit_card' } = request;
  const shop = catalog.byCode(request.brand);
  // UseePay requires an email address: without the customer's own, the brand's is sent
  const email = request.email ?? shop?.config.helpShowEmail;
  const { phone: phoneNo } = payer;
  const { firstName, lastName } = namesOf(payer);
  const address = { firstName, lastName, email, phoneNo, ...homeOf(payer, currency) };
  const subject = `${merchantName} ${orderLabel}`;
  const goods = { id: orderLabel, name: merchantName, body: subject, quantity: 1, price: Number(counted) };
  return {
    transactionType: 'pay',
    transactionId: key,
    transactionExpirationTime: String(openForMinutes),
    appId: account.appId,
    amount: counted,
    currency,
    autoRedirect: 'false',
    terminalType: 'WEB',
    redirectUrl: request.returnUrl,
    notifyUrl: `${shop?.origin ?? ''}/webhooks/useepay`,
    orderInfo: JSON.stringify({ subject, goodsInfo: [goods], shippingAddress: address }),
    payerInfo: JSON.stringify({
      paymentMethod: pmId,
      authorizationMethod: account.authorization,
      firstName,
      lastName,
      billingAddress: address,
    }),
    userInfo: JSON.stringify({ userId: request.customer, ip: request.ip, email, phoneNo }),
  };
}

/** UseePay requires a first and a last name: the last word, and for a single name the same word twice. */
function namesOf({ firstName = '', lastName = '' }: AuthoriseRequest['payer']) {
  if (lastName !== '') return { firstName, lastName };
  const words = firstName.split(' ');
  const last = words.at(-1) ?? '';
  return { firstName: words.slice(0, -1).join(' ') || last, lastName: last };
}

/** The payer's address. The form has no country field, so the currency decides; `doctor` warns if it cannot. */
function homeOf({ address }: AuthoriseRequest['payer'], currency: string) {
  if (!address) return {};
  const country = countryOf(currency);
  const { street, streetNumber: houseNo, zipCode: postalCode, city, state } = address;
  const home = { street: `${street} ${houseNo}`.trim(), houseNo, postalCode, city, state };
  return country === undefined ? home : { country, ...home };
}

async function inquireOf({ client, clock }: UseepayDeps, attempt: GatewayAttempt): Promise<GatewayAnswer> {
  const told = await client.ask('/api', { transactionType: 'query', transactionId: attempt.id });
  if (!told) return unknown;
  const transaction = queriedTransaction(told);
  const now = clock();
  const answer = transaction ? answerOf(transaction, attempt, now) : notFound(attempt, now);
  const page = pageOf(attempt);
  return answer.state === 'pending' && page ? { ...answer, next: page, expiresAt: page.expiresAt } : answer;
}

/** The page's address stays the same while it is open. */
async function reopen(deps: UseepayDeps, attempt: GatewayAttempt): Promise<GatewayAnswer> {
  const isOver = (attempt.expiresAt ?? Infinity) <= deps.clock();
  const answer = await inquireOf(deps, attempt);
  return answer.state === 'pending' && isOver ? { state: 'expired' } : answer;
}

/**
 * This API cannot close a page. An unpaid page is no longer shown and expires; if it is paid nevertheless, a notice
 * reports the money, and it is credited, or refunded as a second payment.
 */
async function cancel(deps: UseepayDeps, attempt: GatewayAttempt): Promise<GatewayAnswer> {
  const told = await deps.client.ask('/api', { transactionType: 'query', transactionId: attempt.id });
  if (!told) return unknown;
  const transaction = queriedTransaction(told);
  const now = deps.clock();
  if (!transaction) return notFound(attempt, now);
  return transaction.resultCode === 'received' ? { state: 'expired' } : answerOf(transaction, attempt, now);
}

/**
 * Reads a notice ("notifyurl"): form data, signed as a whole. It has no timestamp; each reports one end of one
 * transaction, which does not happen twice and is confirmed by a query.
 */
async function readNotice(
  { client, account, db, clock, log }: UseepayDeps,
  rawBody: string,
): Promise<GatewayNotice | undefined> {
  const fields = Object.fromEntries(new URLSearchParams(rawBody));
  if (!client.isSigned(fields)) throw new NoticeRefused('it is not signed by UseePay');
  const transaction = readTransaction(fields);
  // UseePay signs for all of its merchants, and for other products of this one
  if (!transaction || fields['merchantNo'] !== account.merchantNo) {
    const { transactionId = '', originalTransactionId = '' } = fields;
    log.error({ transactionId }, 'a notice of UseePay is of another merchant, or cannot be read');
    const keys = [readPartId(transactionId)?.key ?? keyOfRefund(transactionId) ?? transactionId, originalTransactionId];
    const own = await Promise.all(keys.map((key) => findAttempt(db, key)));
    // UseePay sends it again
    if (own.some((attempt) => attempt !== undefined)) throw new NoticeRefused('the body cannot be read');
    return { eventId: '', key: '', kind: 'charge', answer: unknown };
  }
  const { transactionId, originalTransactionId, transactionType, resultCode } = transaction;
  const eventId = `${transactionId} ${transactionType} ${resultCode}`;
  const isRefund = transactionType === 'refund';
  const own = keyOfRefund(transactionId);
  const part = readPartId(transactionId);
  const key = isRefund ? (part?.key ?? own ?? originalTransactionId) : transactionId;
  const attempt = await findAttempt(db, key);
  if (isRefund) {
    const answer: GatewayAnswer = { state: 'succeeded' };
    const amount = transaction.amount === '' ? attempt?.amount : Number(transaction.amount);
    const isWhole = own !== undefined || amount === undefined || amount === attempt?.amount;
    const which = part ? { number: part.number } : { ref: transactionId };
    const told = isWhole && !part ? {} : { part: { amount: amount ?? 0, ...which } };
    if (resultCode === 'succeed') return { eventId, key, kind: 'refund', stage: 'succeeded', ...told, answer };
    // the server's own refund is inquired about by its job
    log.warn({ attemptId: key, resultCode }, 'UseePay reported a refund that changes nothing');
    return { eventId, key, kind: 'charge', answer: unknown };
  }
  if (transactionType !== 'pay') return undefined;
  // a payment of another shop
  return { eventId, key, kind: 'charge', answer: attempt ? answerOf(transaction, attempt, clock()) : unknown };
}

/** Inquires about a transaction that does not exist: a signed response proves both keys, and has no effect. */
async function check({ client, account }: UseepayDeps): Promise<ProviderCheck> {
  const told = await client.ask('/api', { transactionType: 'query', transactionId: 'doctor' });
  if (!told)
    return {
      isReachable: false,
      says: `nothing at ${account.base} answers as UseePay does, signed for USEEPAY_PUBLIC_KEY`,
    };
  // "Invalid parameter" for a request in which nothing else can be wrong
  return told['errorCode'] === '1001'
    ? {
        isReachable: false,
        says: `${account.base} rejects USEEPAY_MERCHANT_NO, or does not have the public key of USEEPAY_PRIVATE_KEY`,
      }
    : { isReachable: true, says: `${account.base} knows the merchant ${account.merchantNo}` };
}
