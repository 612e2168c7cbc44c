import { coinText } from '#server/payments/coin-uri.ts';
import type { BankPage, PageButton } from '../page-html.ts';
import type { Charge } from './bank.ts';
import { coinState, confirmationsNeeded, confirmationsOf, type CoinState } from './coin-charge.ts';
import { amountRow } from './page-parts.ts';

type Message = Pick<BankPage, 'title' | 'lines' | 'buttons'>;

/** A wallet that has read the QR of the storefront. */
export function coinPage(charge: Charge, now: number): BankPage {
  const { returnUrl: back } = charge;
  const state = coinState(charge);
  if (!state) {
    const closed = charge.status !== 'waiting';
    const lines = [closed ? 'This payment is closed.' : 'Choose a coin in the shop first.'];
    return { title: closed ? 'Closed' : 'Which coin?', lines, rows: [amountRow(charge)], back };
  }
  return { ...walletMessage(charge, state, now), rows: walletRows(charge, state), back };
}

function walletRows(
  charge: Charge,
  { coin, address, units, received, missing }: CoinState,
): NonNullable<BankPage['rows']> {
  const inCoin = (amount: bigint) => `${coinText(amount, coin.decimals)} ${coin.asset}`;
  return [
    amountRow(charge),
    ['Network', coin.network],
    ['To', address],
    ['Asked', inCoin(units)],
    ['Received', inCoin(received)],
    ['Missing', inCoin(missing)],
  ];
}

const sendAll: PageButton = { action: 'all', label: 'Send all', primary: true };
const sendHalf: PageButton = { action: 'half', label: 'Send half', primary: false };
const sendMissing: PageButton = { action: 'missing', label: 'Send what is missing', primary: false };
const sendLate: PageButton = { action: 'late', label: 'Send late', primary: false };

function walletMessage({ status }: Charge, state: CoinState, now: number): Message {
  if (status === 'paid' || status === 'refunded') return { title: 'Paid', lines: ['The chain has confirmed it.'] };
  if (status === 'declined') return { title: 'Closed', lines: ['This address is closed.'] };
  if (state.fullAt !== null) {
    return { title: 'Sent', lines: [`Confirmations: ${confirmationsOf(state, now)} of ${confirmationsNeeded}.`] };
  }
  if (status === 'expired') {
    return { title: 'Too late', lines: ['The time of this address has passed.'], buttons: [sendLate] };
  }
  const buttons = [sendAll, sendHalf, ...(state.received > 0n ? [sendMissing] : [])];
  return { title: `Send ${state.coin.asset}`, lines: ['Nothing is really sent.'], buttons };
}
