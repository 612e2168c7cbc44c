import { expect, test } from 'vitest';
import { launchOf, type Circumstances } from './launch-target.ts';

const shop = 'https://shop.example';
const idle = { here: `${shop}/payment-pix?orderId=1`, loadedBy: `${shop}/`, isFirst: false, isBusy: false };
const launch = (path: string, more: Partial<Circumstances> = {}) =>
  launchOf(new URL(path, shop).href, { ...idle, ...more });

test('a tap on the icon brings the app forward as it was left', () => {
  expect(launch('/')).toEqual({ act: 'stay' });
});

test('a shortcut opens its page in the app that is open', () => {
  expect(launch('/orders')).toEqual({ act: 'open', path: '/orders' });
});

test('a link that tells something is loaded, so that it is read as every link is', () => {
  expect(launch('/reset-password?token=abc')).toEqual({ act: 'load', address: `${shop}/reset-password?token=abc` });
  expect(launch('/privacy#terms')).toEqual({ act: 'load', address: `${shop}/privacy#terms` });
});

test('a payment that is under way, or a form that is being typed, is not left', () => {
  expect(launch('/orders', { isBusy: true })).toEqual({ act: 'tell' });
  expect(launch('/reset-password?token=abc', { isBusy: true })).toEqual({ act: 'tell' });
  expect(launch('/', { isBusy: true })).toEqual({ act: 'stay' });
});

test('the launch that opened the app is not followed twice, and its secret is not read again', () => {
  const loadedBy = `${shop}/reset-password?token=abc`;
  expect(launch('/reset-password?token=abc', { loadedBy, isFirst: true })).toEqual({ act: 'stay' });
  expect(launch('/orders', { loadedBy: `${shop}/orders` })).toEqual({ act: 'open', path: '/orders' });
});

test('an address of another site leads nowhere, and that of this very page either', () => {
  expect(launch('https://evil.example/orders')).toEqual({ act: 'stay' });
  expect(launch('/payment-pix?orderId=1')).toEqual({ act: 'stay' });
});
