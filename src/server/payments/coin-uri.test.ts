import { describe, expect, it } from 'vitest';
import { bitcoinUri, coinText, etherUri, tokenUri, unitsOf } from './br-code.ts';

const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const contract = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const usdt = { centsPerCoin: 100n, decimals: 6 };

describe('the payment link for a wallet', () => {
  it('contains the token, chain, receiver and units for USDT on Ethereum', () => {
    expect(tokenUri({ contract, chain: 1, to, units: 49_900_000n })).toBe(
      `ethereum:${contract}@1/transfer?address=${to}&uint256=49900000`,
    );
  });

  it('contains the amount of ether in wei', () => {
    expect(etherUri({ chain: 1, to, wei: 2_014_000_000_000_000_000n })).toBe(
      `ethereum:${to}@1?value=2014000000000000000`,
    );
  });

  it('contains the amount of bitcoin and the receiver', () => {
    const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    expect(bitcoinUri({ to: address, satoshi: 150_000n, label: 'Lúmen & Co' })).toBe(
      `bitcoin:${address}?amount=0.0015&label=L%C3%BAmen%20%26%20Co`,
    );
  });
});

describe('an amount of a coin', () => {
  it.each([
    [49_900_000n, 6, '49.9'],
    [150_000n, 8, '0.0015'],
    [1n, 18, '0.000000000000000001'],
    [100_000_000n, 8, '1'],
    [0n, 6, '0'],
    [1_000_000n, 6, '1'],
    [120n, 0, '120'],
    [90_071_992_547_409_931_234_567n, 18, '90071.992547409931234567'],
  ])('of %s units with %i decimals is %s', (units, decimals, text) => {
    expect(coinText(units, decimals)).toBe(text);
  });

  it('is exact for a coin that is worth a dollar', () => {
    expect(unitsOf(4990, usdt)).toBe(49_900_000n);
    expect(unitsOf(1, usdt)).toBe(10_000n);
    expect(unitsOf(Number.MAX_SAFE_INTEGER, usdt)).toBe(90_071_992_547_409_910_000n);
  });

  it('is rounded up to the smallest unit, and never down', () => {
    const bitcoin = { centsPerCoin: 6_500_000n, decimals: 8 };
    expect(unitsOf(4990, bitcoin)).toBe(76_770n);
    expect(unitsOf(6500, bitcoin)).toBe(100_000n);
    expect(unitsOf(1, bitcoin)).toBe(16n);
  });

  it('is refused for an invalid price', () => {
    for (const cents of [0, -1, 1.5, Number.NaN, 2 ** 53]) expect(() => unitsOf(cents, usdt)).toThrow(RangeError);
    expect(() => coinText(-1n, 6)).toThrow(RangeError);
  });
});
