import { sha256 } from '@noble/hashes/sha2.js';
import type { CoinOption } from '#contract/next-step.ts';
import {
  bitcoinAddress,
  ethereumAddress,
  tronAddress,
  bitcoinUri,
  etherUri,
  tokenUri,
} from '#server/payments/coin-uri.ts';

/** A coin on a network, as the sandbox sells it: its price never moves. */
export interface Coin extends CoinOption {
  /** how many digits its units have after the point */
  readonly decimals: number;
  /** cents of USD */
  readonly centsPerCoin: bigint;
  /** of 20 bytes, which the charge has for this coin */
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

/** Where a charge gets this coin. The same seed gives the same address, so going back to a coin changes nothing. */
export function addressOf({ coin, address }: Coin, seed: string): string {
  return address(sha256(new TextEncoder().encode(`${seed} ${coin}`)).slice(0, 20));
}

/** A QR has room for so much; the name is only for whoever looks at it. */
function shortened(label: string): string {
  return Array.from(label).slice(0, 24).join('');
}
