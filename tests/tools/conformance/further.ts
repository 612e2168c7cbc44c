import * as endpoints from '#contract/index.ts';
import type { Backend } from './backend.ts';
import type { Brand } from './browse.ts';
import { refusedWith } from './probes.ts';
import type { Customers } from './sign-in.ts';

/** Saved cards and installments. */
export async function buyByCard({ call, book }: Backend, { plans }: Brand, [{ token }]: Customers): Promise<void> {
  const cards = await call(endpoints.listCard, { body: {} }, { token });
  book.note('listCard', 'journey', cards.ok && cards.data.length > 0 && 'a new customer has saved cards');
  const plan = plans.find(({ refusal }) => !refusal);
  if (!plan) return;
  const { id: planId, price } = plan;
  const { currency } = price;
  const methods = await call(endpoints.paymentMethods, { body: { planId, currency } }, { token });
  const method = methods.data?.find(({ fields }) => fields.includes('card'));
  if (!method) return book.note('paymentMethods', 'journey', `no method with the field \`card\` in ${currency}`);
  const ask = { planId, methodCode: method.code, currency };
  const quote = await call(endpoints.goodsValuation, { body: ask }, { token });
  const { data: options = [] } = await call(endpoints.installmentsPlan, { body: ask }, { token });
  const note = (problem: string | false) => book.note('installmentsPlan', 'money', problem);
  note(options[0]?.count !== 1 && 'does not begin with one payment');
  for (const { count, amount, total, interestFree } of options) {
    note(amount.amount * count < total.amount && `${count} installments are less than their total`);
    note((amount.amount - 1) * count >= total.amount && `${count} installments are more than their total`);
    note(interestFree && total.amount !== quote.data?.total.amount && `${count} without interest have another total`);
  }
}

/** The renewal of a customer without a plan. */
export async function renew({ call, book }: Backend, [{ token }]: Customers): Promise<void> {
  const info = await call(endpoints.renewInfo, {}, { token });
  book.note('renewInfo', 'journey', !info.ok && info.reason !== 'renewalNotFound' && `is refused as ${info.reason}`);
}

/** Settings: what was saved is returned. */
export async function account({ call, raw, book }: Backend, [first, second]: Customers): Promise<void> {
  const { token } = first;
  const nickname = 'Ana 2';
  const saved = await call(endpoints.saveNickname, { body: { nickname } }, { token });
  book.note('saveNickname', 'journey', !saved.ok && `refuses a nickname: ${saved.reason}`);
  const own = await call(endpoints.ownSettings, { body: {} }, { token });
  book.note('ownSettings', 'journey', own.data?.nickname !== nickname && 'does not return the nickname that was saved');
  const others = await call(endpoints.ownSettings, { body: {} }, { token: second.token });
  book.note('ownSettings', 'ownership', others.data?.nickname === nickname && 'shows the nickname of another customer');
  const short = await call(
    endpoints.changePassword,
    {
      body: { currentPassword: 'not the password', newPassword: 'another horse 9' },
    },
    { token },
  );
  book.note('changePassword', 'journey', refusedWith('wrongPassword', short, 'with a wrong current password'));
  for (const endpoint of [endpoints.listPasskeys, endpoints.listCoupons, endpoints.deletionState]) {
    const reply = await raw(endpoint, { body: {} }, { token });
    book.note(endpoint.name, 'journey', !reply.ok && `is refused as ${reply.reason}`);
  }
  const language = await call(endpoints.saveLanguage, { body: { language: 'en' } }, { token });
  book.note('saveLanguage', 'journey', !language.ok && `is refused as ${language.reason}`);
}

/** TV devices of a customer without one. */
export async function tv({ call, book }: Backend, [{ token }]: Customers): Promise<void> {
  const boxes = await call(endpoints.listBoxes, { body: {} }, { token });
  book.note('listBoxes', 'journey', boxes.ok && boxes.data.length > 0 && 'a new customer has TV devices');
  const unknown = await call(endpoints.deviceQuery, { body: { userCode: 'BCDF-GHJK' } }, { token });
  book.note('deviceQuery', 'journey', unknown.ok && 'knows a code that no device shows');
}
