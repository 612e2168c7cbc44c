import * as v from 'valibot';
import type { NextStepOf } from '#contract/next-step.ts';
import { coinText, unitsOf } from '#server/payments/coin-uri.ts';
import type { Charge } from './bank.ts';
import { addressOf, coinOptions, coins, type Coin } from './coin-list.ts';
import { pageOf } from './family.ts';

/** Blocks until a payment is final. */
export const confirmationsNeeded = 3;
/** Time between blocks, in milliseconds. */
export const blockMs = 2000;

/** The details of a coin charge. Units are text, because JSON numbers are too small for them. */
const detailsSchema = v.object({
  /** random; the addresses are derived from it */
  seed: v.string(),
  label: v.string(),
  coin: v.nullable(v.string()),
  received: v.pipe(
    v.string(),
    v.regex(/^\d+$/),
    v.transform((units) => BigInt(units)),
  ),
  /** when the full amount had arrived, epoch milliseconds */
  fullAt: v.nullable(v.number()),
});

/** A charge with a chosen coin: expected and received amounts, in units of the coin. */
export interface CoinState {
  readonly coin: Coin;
  readonly address: string;
  readonly uri: string;
  readonly units: bigint;
  readonly received: bigint;
  readonly missing: bigint;
  readonly fullAt: number | null;
}

export function blankDetails(seed: string, label: string): v.InferInput<typeof detailsSchema> {
  return { seed, label, coin: null, received: '0', fullAt: null };
}

/** Undefined until a coin is chosen. */
export function coinState({ details, amount }: Pick<Charge, 'details' | 'amount'>): CoinState | undefined {
  const { seed, label, received, fullAt, ...chosen } = v.parse(detailsSchema, details);
  const coin = coins.find((one) => one.coin === chosen.coin);
  if (!coin) return undefined;
  const units = unitsOf(amount, coin);
  const to = addressOf(coin, seed);
  const missing = received < units ? units - received : 0n;
  return { coin, address: to, uri: coin.uri({ to, units, label }), units, received, missing, fullAt };
}

/** The step shown to the payer at `now` (epoch milliseconds). */
export function coinStep(charge: Charge, now: number): NextStepOf<'crypto'> {
  const state = coinState(charge);
  const { amount, currency, expiresAt } = charge;
  return {
    type: 'crypto',
    options: coinOptions,
    chosen: state ? shownState(state, now) : null,
    amount: { amount, currency },
    expiresAt: expiresAt ?? 0,
    bankUrl: pageOf(charge, 'coin'),
  };
}

function shownState(state: CoinState, now: number): NonNullable<NextStepOf<'crypto'>['chosen']> {
  const { coin, asset, network, decimals } = state.coin;
  return {
    coin,
    asset,
    network,
    address: state.address,
    amount: coinText(state.units, decimals),
    uri: state.uri,
    received: coinText(state.received, decimals),
    missing: coinText(state.missing, decimals),
    confirmations: confirmationsOf(state, now),
    confirmationsNeeded,
  };
}

/** Blocks count from the time when the full amount had arrived. */
export function confirmationsOf({ fullAt }: Pick<CoinState, 'fullAt'>, now: number): number {
  if (fullAt === null) return 0;
  return Math.min(confirmationsNeeded, Math.max(0, Math.floor((now - fullAt) / blockMs)));
}
