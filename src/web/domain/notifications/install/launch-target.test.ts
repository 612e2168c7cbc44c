import { expect, test } from 'vitest';
import { decideLaunch, type Circumstances } from './follow-launches.ts';

const shop = 'https://shop.example';
const idle = { here: `${shop}/payment-pix?orderId=1`, loadedBy: `${shop}/`, isFirst: false, isBusy: false };
const launch = (path: string, more: Partial<Circumstances> = {}) =>
  decideLaunch(new URL(path, shop).href, { ...idle, ...more });

test('brings the app to the front unchanged after a tap on the icon', () => {
  expect(launch('/')).toEqual({ act: 'stay' });
});

test('opens the page of a shortcut in the open app', () => {
  expect(launch('/orders')).toEqual({ act: 'open', path: '/orders' });
});

test('loads a link with parameters, so that they are read as for every link', () => {
  expect(launch('/reset-password?token=abc')).toEqual({ act: 'load', address: `${shop}/reset-password?token=abc` });
  expect(launch('/privacy#terms')).toEqual({ act: 'load', address: `${shop}/privacy#terms` });
});

test('does not leave a payment in progress or a form with typed text', () => {
  expect(launch('/orders', { isBusy: true })).toEqual({ act: 'tell' });
  expect(launch('/reset-password?token=abc', { isBusy: true })).toEqual({ act: 'tell' });
  expect(launch('/', { isBusy: true })).toEqual({ act: 'stay' });
});

test('ignores the launch that opened the app, and does not read its secret again', () => {
  const loadedBy = `${shop}/reset-password?token=abc`;
  expect(launch('/reset-password?token=abc', { loadedBy, isFirst: true })).toEqual({ act: 'stay' });
  expect(launch('/orders', { loadedBy: `${shop}/orders` })).toEqual({ act: 'open', path: '/orders' });
});

test('ignores the address of another site and of the current page', () => {
  expect(launch('https://evil.example/orders')).toEqual({ act: 'stay' });
  expect(launch('/payment-pix?orderId=1')).toEqual({ act: 'stay' });
});
