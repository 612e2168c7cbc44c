import { expect, test } from 'vitest';
import { walletLink } from './wallet-link.ts';

test('a wallet is opened by the requests that wallets read', () => {
  const token = 'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0xabc&uint256=49900000';
  expect(walletLink(token)).toBe(token);
  expect(walletLink('bitcoin:bc1qexample?amount=0.0015&label=shop')).toBe(
    'bitcoin:bc1qexample?amount=0.0015&label=shop',
  );
});

test('an address alone opens nothing, and neither does anything else', () => {
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
