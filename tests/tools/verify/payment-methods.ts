import type { CardInput, Payer } from '#contract/card.ts';
import type { SeededRandom } from './seeded-random.ts';

/**
 * The action of the payer in a pending payment: pays, pays after a declined instrument, refuses, waits for an automatic
 * result, or leaves for accepted.
 */
export type PayerAction = 'pay' | 'payAfterDecline' | 'refuse' | 'wait' | 'leave';

/** One payment method with an action of the payer, and its result without faults. */
export interface Way {
  readonly name: string;
  /** the method by which the results are counted */
  readonly method: string;
  readonly brand: string;
  readonly wish: Wish;
  readonly action: PayerAction;
  readonly ends: 'paid' | 'unpaid';
}

export interface Wish {
  readonly planId: string;
  readonly methodCode: string;
  readonly currency: string;
  readonly installments: number;
  readonly card?: CardInput;
  /** pays by the saved card, if there is one; the first time there is none, and this card is saved */
  readonly bySavedCard?: true;
  readonly payer: Payer;
}

/** Host names of the demo brands. */
export const hostOf = (brand: string) => (brand === 'lumen' ? 'localhost' : `${brand}.localhost`);

const address = { zipCode: '01310-100', state: 'SP', city: 'Sao Paulo', street: 'Avenida Paulista', streetNumber: '1' };
const payer = { firstName: 'Ana', lastName: 'Lima', document: '52998224725', phone: '11987654321' };
const card = (number: string) => ({
  card: { number, code: '123', expiry: '12/39', holderFirstName: 'Ana', holderLastName: 'Lima' },
});
const accepted = card('4242424242424242');
const challenged = card('4000002500003155');

type Given = Omit<Partial<Wish>, 'methodCode'> & { code?: string; action?: PayerAction; ends?: Way['ends'] };

/** By default a paid month in the brand's first currency. */
const waysOf =
  (brand: string, usual: Pick<Wish, 'planId' | 'currency'>) => (method: string, given: Given, what: string) => {
    const {
      code = method,
      action = 'pay',
      ends = action === 'refuse' || action === 'leave' ? 'unpaid' : 'paid',
    } = given;
    const { code: _code, action: _action, ends: _ends, ...wish } = given;
    const whole = { ...usual, methodCode: code, installments: 1, payer, ...wish };
    return { name: `${brand}, ${method}: ${what}`, method, brand, action, ends, wish: whole } satisfies Way;
  };
const lumen = waysOf('lumen', { planId: '101', currency: 'BRL' });
const mego = waysOf('mego', { planId: '201', currency: 'USD' });
const baobab = waysOf('baobab', { planId: '501', currency: 'KES' });

/** Dots become random digits, so that each payer has another phone; the last four determine its response. */
const phone = (digits: string) => ({ payer: { phone: digits } });
const unpaid = { ends: 'unpaid' } as const;

/** Every verified way to pay. A new method needs a line or two here, and its step in `payer.ts`. */
export const ways: readonly Way[] = [
  lumen('card', accepted, 'paid at once'),
  lumen('card', { ...accepted, planId: '103', installments: 3 }, 'in three parts'),
  lumen('card', { ...accepted, bySavedCard: true }, 'saved, and paid by again'),
  lumen('card', { ...card('4000000000000002'), ...unpaid }, 'rejected'),
  lumen('card', { ...card('4000000000009995'), ...unpaid }, 'without funds'),
  lumen('card', challenged, 'asked by the bank, agreed'),
  lumen('card', { ...challenged, action: 'refuse' }, 'asked by the bank, refused'),
  lumen('pix', {}, 'paid'),
  lumen('pix', { action: 'leave' }, 'left alone'),
  mego('useepay', { code: 'card', ...accepted }, 'paid at once'),
  mego('useepay', { code: 'card', ...card('4000000000000341'), ...unpaid }, 'rejected'),
  mego('useepay', { code: 'card', ...challenged }, 'agreed and finished'),
  mego('useepay', { code: 'card', ...challenged, action: 'refuse' }, 'refused on its page'),
  mego('payssion', { code: 'yoomoney', currency: 'RUB' }, 'agreed and finished'),
  mego('payssion', { code: 'yoomoney', currency: 'RUB', action: 'refuse' }, 'refused'),
  mego('wallet', { code: 'alipay' }, 'paid on its page'),
  mego('wallet', { code: 'alipay', currency: 'CNY', action: 'refuse' }, 'refused'),
  baobab('mobile', { code: 'mpesa', ...phone('7....5678') }, 'paid on the phone'),
  baobab('mobile', { code: 'mpesa', action: 'wait', ...phone('7....5678') }, 'paid by itself'),
  baobab('mobile', { code: 'mpesa', action: 'wait', ...phone('7....3000') }, 'paid, told late'),
  baobab('mobile', { code: 'mpesa', action: 'wait', ...phone('7....0001'), ...unpaid }, 'without funds'),
  baobab('mobile', { code: 'mpesa', ...phone('7....1001'), ...unpaid }, 'busy'),
  baobab('mobile', { code: 'mpesa', action: 'leave', ...phone('7....1037') }, 'no answer'),
  baobab('mobile', { code: 'free', currency: 'XOF', ...phone('7....5678') }, 'paid on the phone'),
  baobab('mobile', { code: 'airtel', currency: 'ZMW', ...phone('7....5678') }, 'paid on the phone'),
  baobab('mobile', { code: 'zamtel', currency: 'ZMW', action: 'wait', ...phone('7....5678') }, 'paid by itself'),
  baobab('mobile', { code: 'tnm', currency: 'MWK', ...phone('7....5678') }, 'paid on the phone'),
  baobab('mobile', { code: 'mtn', currency: 'UGX', action: 'refuse', ...phone('7....1037') }, 'cancelled'),
  baobab('otp', { code: 'orange', currency: 'XOF', ...phone('7....5678') }, 'right code'),
  baobab('otp', { code: 'orange', currency: 'XOF', action: 'refuse', ...phone('7....5678') }, 'wrong codes'),
  lumen('boleto', { payer: { ...payer, address } }, 'paid'),
  lumen('boleto', { payer: { ...payer, address }, action: 'leave' }, 'left alone'),
  lumen('crypto', { currency: 'USD' }, 'sent'),
  mego('crypto', { action: 'leave' }, 'left alone'),
  lumen('paypal', {}, 'approved'),
  mego('paypal', { currency: 'SGD', action: 'payAfterDecline' }, 'declined first, then approved'),
  mego('paypal', { action: 'leave' }, 'left alone'),
  mego('transfer', { code: 'paynow', currency: 'SGD' }, 'accepted'),
  mego('transfer', { code: 'caishen', currency: 'CNY' }, 'accepted'),
];

/** The wish with a random phone. */
export function wishOf({ wish }: Way, chance: SeededRandom): Wish {
  const { phone: pattern } = wish.payer;
  if (!pattern?.includes('.')) return wish;
  return { ...wish, payer: { ...wish.payer, phone: pattern.replaceAll('.', () => chance.digits(1)) } };
}
