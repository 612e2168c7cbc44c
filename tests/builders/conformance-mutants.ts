import * as endpoints from '#contract/index.ts';
import {
  asFirst,
  bodyOf,
  headers,
  headersOf,
  isCall,
  json,
  payload,
  refusal,
  request,
  response,
  tokensIn,
  withHeader,
  withToken,
  type Json,
  type Mutant,
} from '#tests/tools/conformance/faults.ts';

const password = 'correct horse 9 battery';
const money = (value: unknown) => value as { amount: number; currency: string }; // as: the contract's type of the field
const more = (value: unknown) => ({ ...money(value), amount: money(value).amount + 1 });

export const mutants: readonly Mutant[] = [
  {
    fault: 'a page of a web server in place of a call',
    at: ['theme', 'journey'],
    answer: response(endpoints.theme, () => new Response('<h1>Hi</h1>', { headers: { 'content-type': 'text/html' } })),
  },
  {
    fault: 'JSON as plain text',
    at: ['siteConfig', 'envelope'],
    answer: response(undefined, (given) => headers(given, (all) => all.set('content-type', 'text/plain'))),
  },
  {
    fault: 'a word in place of the code',
    at: ['theme', 'envelope'],
    answer: response(endpoints.theme, async (given) => json({ ...((await given.json()) as Json), code: 'OK' })), // as: an envelope
  },
  {
    fault: 'success with HTTP 500',
    at: ['countdownConfig', 'envelope'],
    answer: response(endpoints.countdownConfig, async (given) => json(await given.json(), 500)),
  },
  {
    fault: 'refusals with HTTP 200',
    at: ['planDetail', 'envelope'],
    answer: response(endpoints.planDetail, async (given) => json(await given.json())),
  },
  {
    fault: 'no clock',
    at: ['theme', 'headers'],
    answer: response(undefined, (given) => headers(given, (all) => all.delete('date'))),
  },
  {
    fault: 'a cache keeps the account',
    at: ['queryInfo', 'headers'],
    answer: response(undefined, (given) => headers(given, (all) => all.set('cache-control', 'public, max-age=60'))),
  },
  {
    fault: 'a missing field',
    at: ['siteConfig', 'result'],
    answer: payload(endpoints.siteConfig, ({ langs: _, ...rest }) => rest),
  },
  {
    fault: 'prices as decimal text',
    at: ['listPlans', 'result'],
    answer: payload(endpoints.listPlans, ({ plans, ...rest }) => ({
      ...rest,
      plans: (plans as Json[]).map((plan) => ({ ...plan, price: { amount: '19.90', currency: 'BRL' } })), // as: a list of plans
    })),
  },
  {
    fault: 'a plan has another price than in the list',
    at: ['planDetail', 'money'],
    answer: payload(endpoints.planDetail, (plan) => ({ ...plan, price: more(plan['price']) })),
  },
  {
    fault: 'every plan is the same one',
    at: ['planDetail', 'journey'],
    answer: payload(endpoints.planDetail, (plan) => ({ ...plan, id: '1' })),
  },
  {
    fault: 'an error that is in no table',
    at: ['planDetail', 'errors'],
    answer: response(endpoints.planDetail, (given) => (given.ok ? given : refusal(99_999, 404))),
  },
  {
    fault: 'the error of another call',
    at: ['planDetail', 'errors'],
    answer: response(endpoints.planDetail, (given) => (given.ok ? given : refusal(1001, 404))),
  },
  {
    fault: 'the right error with another HTTP status',
    at: ['planDetail', 'errors'],
    answer: response(endpoints.planDetail, (given) => (given.ok ? given : refusal(6001, 400))),
  },
  {
    fault: 'empty documents',
    at: ['dynamicConfig', 'journey'],
    answer: payload(endpoints.dynamicConfig, (document) => ({ ...document, sections: [] })),
  },
  {
    fault: 'the language of plans is not required',
    at: ['listPlans', 'input'],
    answer: ({ path, request: own, send }) =>
      send(path === endpoints.listPlans.path ? `${path}?language=en` : path, own),
  },
  {
    fault: 'short passwords',
    at: ['signup', 'input'],
    answer: request(endpoints.signup, ({ request: own }) =>
      bodyOf(own)['password'] === '12345' ? { ...own, body: JSON.stringify({ ...bodyOf(own), password }) } : own,
    ),
  },
  {
    fault: 'two accounts of one address',
    at: ['signup', 'journey'],
    answer: request(endpoints.signup, ({ request: own }) => {
      const { account } = bodyOf(own);
      return typeof account === 'string' && /[A-Z]/.test(account)
        ? { ...own, body: JSON.stringify({ ...bodyOf(own), account: `x${account}` }) }
        : own;
    }),
  },
];

/** Further faults, about customers and their money. */
export const mutantsOfCustomers: readonly Mutant[] = [
  {
    fault: 'any password',
    at: ['login', 'journey'],
    answer: request(endpoints.login, ({ request: own }) =>
      bodyOf(own)['password'] === undefined ? own : { ...own, body: JSON.stringify({ ...bodyOf(own), password }) },
    ),
  },
  {
    fault: 'an address without an account is named',
    at: ['login', 'errors'],
    answer: response(endpoints.login, (given) => (given.status === 401 ? refusal(1001, 404) : given)),
  },
  {
    fault: 'endless guesses',
    at: ['login', 'limit'],
    answer: response(endpoints.login, (given, { request: own }) =>
      given.ok || !String(bodyOf(own)['password']).startsWith('wrong') ? given : refusal(3001, 401),
    ),
  },
  {
    fault: 'sessions that never end',
    at: ['loginOut', 'token'],
    answer: async ({ path, request: own, send }) =>
      isCall(endpoints.loginOut, path) && headersOf(own).get('authorization') !== 'null'
        ? json({ code: 0, data: {} })
        : send(path, own),
  },
  {
    fault: 'no token is required',
    at: ['queryInfo', 'token'],
    answer: request(endpoints.queryInfo, (exchange) => withToken(exchange)),
  },
  {
    fault: 'half of the token is compared',
    at: ['queryInfo', 'token'],
    answer: request(endpoints.queryInfo, (exchange) => {
      const token = headersOf(exchange.request).get('authorization') ?? '';
      const whole = tokensIn({ ...exchange, request: {} }).find((one) => one.slice(0, -1) === token.slice(0, -1));
      return whole === undefined ? exchange.request : withHeader(exchange.request, 'authorization', whole);
    }),
  },
  ...[
    endpoints.queryInfo,
    endpoints.order,
    endpoints.paymentInfo,
    endpoints.orders,
    endpoints.cancelOrder,
    endpoints.repay,
    endpoints.service,
  ].map((endpoint) => ({
    fault: `${endpoint.name} does not check whose it is`,
    at: [endpoint.name, 'ownership'] as const,
    answer: request(endpoint, asFirst),
  })),
  {
    fault: 'a purchase without a key',
    at: ['pay', 'key'],
    answer: request(endpoints.pay, ({ request: own }) =>
      headersOf(own).has('idempotency-key') ? own : withHeader(own, 'idempotency-key', crypto.randomUUID()),
    ),
  },
  {
    fault: 'the key is ignored',
    at: ['pay', 'key'],
    answer: request(endpoints.pay, ({ request: own }) =>
      headersOf(own).has('idempotency-key') ? withHeader(own, 'idempotency-key', crypto.randomUUID()) : own,
    ),
  },
  {
    fault: 'the same key for another purchase',
    at: ['pay', 'key'],
    answer: request(endpoints.pay, ({ request: own, earlier }) => {
      const key = headersOf(own).get('idempotency-key');
      const first = earlier.find((one) => key !== null && headersOf(one.request).get('idempotency-key') === key);
      return first ? { ...own, body: first.request.body ?? null } : own;
    }),
  },
  {
    fault: 'a total that is not price minus discount',
    at: ['goodsValuation', 'money'],
    answer: payload(endpoints.goodsValuation, (quote) => ({ ...quote, total: more(quote['total']) })),
  },
  {
    fault: 'an order with another total than its quote',
    at: ['order', 'money'],
    answer: payload(endpoints.order, (order) => ({ ...order, total: more(order['total']) })),
  },
  {
    fault: 'a quote that was never issued is an invalid request',
    at: ['pay', 'money'],
    answer: response(endpoints.pay, (given) => (given.status === 409 ? refusal(5000, 400) : given)),
  },
  {
    fault: 'no currency',
    at: ['currencyList', 'journey'],
    answer: payload(endpoints.currencyList, () => []),
  },
  {
    fault: 'paid before anyone has paid',
    at: ['pay', 'journey'],
    answer: payload(endpoints.pay, (paid) => ({ ...paid, status: 'PAYMENT_SUCCEEDED' })),
  },
  {
    fault: 'unreadable input is a fault of the server',
    at: ['cancelOrder', 'input'],
    answer: response(undefined, (given) => (given.status === 400 ? refusal(5008, 500) : given)),
  },
  {
    fault: 'a call that does not exist',
    at: ['cancelOrder', 'journey'],
    answer: response(endpoints.cancelOrder, () => new Response('not found', { status: 404 })),
  },
  {
    fault: 'lists of any length',
    at: ['orders', 'journey'],
    answer: payload(endpoints.orders, ({ items, ...rest }) => ({
      ...rest,
      items: [...(items as Json[]), ...(items as Json[])],
    })), // as: a list of orders
  },
];
