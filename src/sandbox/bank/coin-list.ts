import { sha256 } from '@noble/hashes/sha2.js';
import type { CoinOption } from '#contract/next-step.ts';
import {
  bitcoinAddress,
  ethereumAddress,
  tronAddress,
  bitcoinUri,
  etherUri,
  tokenUri,
} from '#server/payments/br-code.ts';

/** A coin on a network, at a fixed price. */
export interface Coin extends CoinOption {
  /** decimal places of its units */
  readonly decimals: number;
  /** cents of USD */
  readonly centsPerCoin: bigint;
  /** from 20 bytes that the charge derives for this coin */
  readonly address: (account: Uint8Array) => string;
  readonly uri: (payment: { to: string; units: bigint; label: string }) => string;
}

const mainChain = 1;
/** Tether's contract on the main chain of Ethereum. */
const tether = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const dollar = { decimals: 6, centsPerCoin: 100n };

export const coins: readonly Coin[] = [
  {
    coin: 'usdt-tron',
    asset: 'USDT',
    network: 'TRON',
    ...dollar,
    address: tronAddress,
    uri: ({ to }) => to,
  },
  {
    coin: 'usdt-ethereum',
    asset: 'USDT',
    network: 'Ethereum',
    ...dollar,
    address: ethereumAddress,
    uri: ({ to, units }) => tokenUri({ contract: tether, chain: mainChain, to, units }),
  },
  {
    coin: 'btc-bitcoin',
    asset: 'BTC',
    network: 'Bitcoin',
    decimals: 8,
    centsPerCoin: 6_500_000n,
    address: bitcoinAddress,
    uri: ({ to, units: satoshi, label }) => bitcoinUri({ to, satoshi, label: shortened(label) }),
  },
  {
    coin: 'eth-ethereum',
    asset: 'ETH',
    network: 'Ethereum',
    decimals: 18,
    centsPerCoin: 250_000n,
    address: ethereumAddress,
    uri: ({ to, units: wei }) => etherUri({ chain: mainChain, to, wei }),
  },
];

export const coinOptions: CoinOption[] = coins.map(({ coin, asset, network }) => ({ coin, asset, network }));

/**
 * The charge's address for this coin. The same seed gives the same address, so switching back to a coin changes
 * nothing.
 */
export function addressOf({ coin, address }: Coin, seed: string): string {
  return address(sha256(new TextEncoder().encode(`${seed} ${coin}`)).slice(0, 20));
}

/** The capacity of a QR is limited; the name is only informative. */
function shortened(label: string): string {
  return Array.from(label).slice(0, 24).join('');
}
