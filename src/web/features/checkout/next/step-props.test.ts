import { expect, test } from 'vitest';
import { isZeroCoinAmount, walletLink } from './stage.ts';

test('distinguishes zero from the smallest part of a coin', () => {
  for (const none of ['0', '0.0', '0.000000', '00']) expect(isZeroCoinAmount(none)).toBe(true);
  for (const some of ['0.000000000000000001', '1', '10', '0.1']) expect(isZeroCoinAmount(some)).toBe(false);
});

test('opens a wallet for known payment request schemes', () => {
  const token = 'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0xabc&uint256=49900000';
  expect(walletLink(token)).toBe(token);
  expect(walletLink('bitcoin:bc1qexample?amount=0.0015&label=shop')).toBe(
    'bitcoin:bc1qexample?amount=0.0015&label=shop',
  );
});

test('opens nothing for a bare address or anything else', () => {
  const others = [
    'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
    'javascript:alert(1)',
    'https://evil.example/',
    'data:text/html,x',
  ];
  for (const uri of [...others, ' ethereum:0xabc', 'ethereum:', 'bitcoin:a b', 'JAVASCRIPT:ethereum:x', '']) {
    expect(walletLink(uri)).toBeUndefined();
  }
});
