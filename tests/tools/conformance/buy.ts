import * as endpoints from '#contract/index.ts';
import type { PaymentMethod, Quote } from '#contract/billing.ts';
import type { Payer } from '#contract/card.ts';
import type { Input } from '#contract/endpoint.ts';
import type { Plan } from '#contract/plan.ts';
import type { Backend, CallOptions } from './backend.ts';
import type { Brand } from './browse.ts';
import { refusedWith } from './probes.ts';
import type { Customers } from './sign-in.ts';

type PayBody = Input<typeof endpoints.pay>['body'];

/** The first that a backend offers is used. */
const flows = ['redirect', 'qr', 'ticket', 'push', 'upload'] as const;

/** An invented payer, whose document has valid check digits. */
const anyPayer: Payer = {
  firstName: 'Ana',
  lastName: 'Lima',
  document: '52998224725',
  birthDate: '1990-02-28',
  phone: '11987654321',
  address: { zipCode: '01310-100', state: 'SP', city: 'Sao Paulo', street: 'Avenida Paulista', streetNumber: '1' },
};

/** The first customer begins a purchase, and the second one tries to reach it. */
export async function buy(backend: Backend, brand: Brand, customers: Customers): Promise<void> {
  const { call, book } = backend;
  const [{ token }] = customers;
  const plan = brand.plans.find(({ refusal }) => !refusal);
  if (!plan) return book.note('listPlans', 'journey', 'no plan can be bought');
  const { id: planId, price } = plan;
  const available = await call(endpoints.checkPlanAvailable, { body: { planId } }, { token });
  book.note('checkPlanAvailable', 'journey', !available.ok && `plan ${planId}: ${available.reason}`);
  const { data: currencies } = await call(endpoints.currencyList, {});
  const isListed = currencies?.some(({ code }) => code === price.currency);
  book.note('currencyList', 'journey', isListed === false && `does not list ${price.currency}, the currency of a plan`);
  const listed = await call(endpoints.paymentMethods, { body: { planId, currency: price.currency } }, { token });
  const method = flows.flatMap((flow) => listed.data?.find((one) => one.flow === flow) ?? [])[0];
  if (!method) return book.note('paymentMethods', 'journey', `no method of ${flows.join(', ')} in ${price.currency}`);
  const quote = await quoteOf(backend, plan, method, token);
  if (!quote) return;
  const body = bodyOf(plan, method, quote);
  // no backend issues it, whether it signs its quotes or stores them
  const unknown = { ...body, quoteId: quote.quoteId.split('').toReversed().join('') };
  const forged = await call(endpoints.pay, { body: unknown }, { token, idempotencyKey: crypto.randomUUID() });
  book.note('pay', 'money', refusedWith('placePaymentFailed', forged, 'for a quote that was never issued'));
  const before = await countOrders(backend, customers);
  const orderId = await payOnce(backend, body, quote, token);
  if (orderId === undefined) return;
  await checkOwnership(backend, orderId, customers, body);
  await checkList(backend, customers, before);
  await cancel(backend, orderId, token);
}

async function quoteOf(
  { call, book, now }: Backend,
  { id: planId, price }: Plan,
  { code: methodCode }: PaymentMethod,
  token: string,
): Promise<Quote | undefined> {
  const ask = { planId, methodCode, currency: price.currency };
  const { data: quote } = await call(endpoints.goodsValuation, { body: ask }, { token });
  if (!quote) {
    book.note('goodsValuation', 'journey', `there is no price for plan ${planId} by ${methodCode}`);
    return undefined;
  }
  const { original, discount, discounts, total } = quote;
  const note = (problem: string | false) => book.note('goodsValuation', 'money', problem);
  note(
    original.amount !== price.amount && `the original price is ${original.amount}, that of the list ${price.amount}`,
  );
  note(
    total.amount !== original.amount - discount.amount && 'the total is not the original price without the discount',
  );
  note(
    [original, discount, total].some(({ currency }) => currency !== price.currency) && 'the amounts differ in currency',
  );
  const parts = discounts.reduce((sum, { amount }) => sum + amount.amount, 0);
  note(discounts.length > 0 && parts !== discount.amount && 'the parts of the discount are not its sum');
  note(quote.validUntil < now() && 'the quote has already expired');
  const other = await call(endpoints.goodsValuation, { body: { ...ask, methodCode: 'no-such-method' } }, { token });
  book.note('goodsValuation', 'errors', refusedWith('methodUnsupported', other, 'for an unknown method'));
  return quote;
}

function bodyOf({ id, price }: Plan, { code, fields }: PaymentMethod, { quoteId }: Quote): PayBody {
  const wants = (field: PaymentMethod['fields'][number]) => fields.includes(field);
  const { firstName = '', lastName = '', document = '', birthDate = '', phone = '', address } = anyPayer;
  return {
    planId: id,
    methodCode: code,
    currency: price.currency,
    installments: 1,
    quoteId,
    payer: {
      ...(wants('name') && { firstName, lastName }),
      ...(wants('document') && { document }),
      ...(wants('birthDate') && { birthDate }),
      ...((wants('phone') || wants('mobile')) && { phone }),
      ...(wants('address') && address && { address }),
    },
    returnUrl: '/paymentResult',
    source: 'WEB',
  };
}

/** Pays twice at once, again, and with another body under the same key. Returns the order. */
async function payOnce(
  { call, raw, book }: Backend,
  body: PayBody,
  quote: Quote,
  token: string,
): Promise<string | undefined> {
  const keyless = await raw(endpoints.pay, { body }, { token });
  book.note('pay', 'key', refusedWith('invalidRequest', keyless, 'without an Idempotency-Key'));
  const options = { token, idempotencyKey: crypto.randomUUID() } satisfies CallOptions;
  const [one, two] = await Promise.all([
    call(endpoints.pay, { body }, options),
    call(endpoints.pay, { body }, options),
  ]);
  const paid = one.ok ? one : two;
  if (!paid.ok) {
    book.note('pay', 'journey', `refuses the purchase: ${paid.reason} ${JSON.stringify(paid.params)}`);
    return undefined;
  }
  const { orderId, status, next } = paid.data;
  const busy = [one, two].find((reply) => !reply.ok);
  book.note('pay', 'key', busy && refusedWith('serviceBusy', busy, 'for a second request at the same time'));
  book.note(
    'pay',
    'key',
    one.ok && two.ok && one.data.orderId !== two.data.orderId && 'two requests at once buy twice',
  );
  const again = await call(endpoints.pay, { body }, options);
  book.note('pay', 'key', again.data?.orderId !== orderId && `the same key does not answer with the same order`);
  const reloaded = await call(endpoints.pay, { body: { ...body, returnUrl: '/orders' } }, options);
  book.note('pay', 'key', reloaded.data?.orderId !== orderId && 'the same purchase from another page is another order');
  const changed = await call(endpoints.pay, { body: { ...body, payer: { ...body.payer, firstName: 'Bia' } } }, options);
  book.note('pay', 'key', refusedWith('invalidRequest', changed, 'with another payer under the same key'));
  const waits = status === 'SUBMITTED' || status === 'PAYMENT_PENDING';
  book.note('pay', 'journey', !waits && `the order is ${status} before anyone has paid`);
  book.note('pay', 'journey', next.type === 'none' && status !== 'SUBMITTED' && 'names no next step');
  const { data: order } = await call(endpoints.order, { params: { id: orderId } }, { token });
  book.note('order', 'journey', order?.orderId !== orderId && 'does not show the order that was just created');
  book.note('order', 'money', order?.total.amount !== quote.total.amount && 'the total is not that of the quote');
  return orderId;
}

/** What names an order answers the same for another customer's order as for one that does not exist. */
async function checkOwnership(
  { call, raw, book }: Backend,
  orderId: string,
  [first, second]: Customers,
  body: PayBody,
): Promise<void> {
  const { token } = second;
  const { order, service, receiptFile, receiptParties, cancelOrder, orderRemind, mailReceipt, withdrawOrder } =
    endpoints;
  for (const endpoint of [order, service, receiptFile, receiptParties]) {
    const reply = await raw(endpoint, { params: { id: orderId } }, { token });
    book.note(endpoint.name, 'ownership', refusedWith('orderNotFound', reply, 'for an order of another customer'));
  }
  for (const endpoint of [endpoints.paymentInfo, cancelOrder, orderRemind, mailReceipt, withdrawOrder]) {
    const reply = await raw(endpoint, { body: { orderId } }, { token });
    book.note(endpoint.name, 'ownership', refusedWith('orderNotFound', reply, 'for an order of another customer'));
  }
  const options = { token, idempotencyKey: crypto.randomUUID() };
  const repaid = await call(endpoints.repay, { body: { ...body, orderId } }, options);
  book.note('repay', 'ownership', refusedWith('orderNotFound', repaid, 'for an order of another customer'));
  const info = await call(endpoints.paymentInfo, { body: { orderId } }, { token: first.token });
  book.note('paymentInfo', 'journey', info.data?.order.orderId !== orderId && 'does not show the customer’s own order');
  if (!info.data) return;
  const outcome = await call(endpoints.queryToken, { body: { token: info.data.resultToken } });
  const same = outcome.data?.total.amount === info.data.order.total.amount;
  book.note('queryToken', 'money', outcome.ok && !same && 'shows another total than the order');
}

/** How many orders each of the customers has. */
async function countOrders({ call }: Backend, [first, second]: Customers): Promise<readonly [number, number]> {
  const body = { page: 1, size: 1 };
  const own = await call(endpoints.orders, { body }, { token: first.token });
  const others = await call(endpoints.orders, { body }, { token: second.token });
  return [own.data?.total ?? 0, others.data?.total ?? 0];
}

async function checkList(backend: Backend, customers: Customers, before: readonly [number, number]): Promise<void> {
  const { call, book } = backend;
  const [first] = customers;
  const [own, others] = await countOrders(backend, customers);
  const added = own - before[0];
  book.note('orders', 'key', added > 1 && `one purchase has created ${added} orders`);
  book.note('orders', 'journey', added === 0 && 'does not list the customer’s order');
  book.note('orders', 'ownership', others > before[1] && 'lists the order of another customer');
  const page = await call(endpoints.orders, { body: { page: 1, size: 1 } }, { token: first.token });
  book.note('orders', 'journey', (page.data?.items.length ?? 0) > 1 && 'lists more orders than were requested');
  const cart = await call(endpoints.queryCart, { body: {} }, { token: first.token });
  book.note('queryCart', 'journey', cart.ok && cart.data.items.length === 0 && 'does not list the pending order');
}

async function cancel({ call, book }: Backend, orderId: string, token: string): Promise<void> {
  const cancelled = await call(endpoints.cancelOrder, { body: { orderId } }, { token });
  book.note('cancelOrder', 'journey', !cancelled.ok && `refuses to cancel a pending order: ${cancelled.reason}`);
  const { data: order } = await call(endpoints.order, { params: { id: orderId } }, { token });
  const same = order?.status === cancelled.data?.status;
  book.note('order', 'journey', cancelled.ok && !same && 'has another status than `cancelOrder` has just returned');
}
