import { expect, test } from 'vitest';
import { accountText, maskAccount, orderNumber, orderWithNumber } from './mask.ts';

test.each([
  ['maria@mail.example', 'm***@mail.example'],
  ['m@mail.example', 'm***@mail.example'],
  ['+5511912345678', '55•••••••••78'],
  ['12345', '•••••'],
  ['', ''],
])('%j is shown as %j', (account, masked) => expect(maskAccount(account)).toBe(masked));

test.each([
  ['5511987654321', '+55 11 98765-4321'],
  ['551140028922', '+55 11 4002-8922'],
  ['+5511987654321', '+55 11 98765-4321'],
  ['12125550123', '+1 212 555-0123'],
  ['79161234567', '+7 916 123-45-67'],
  ['254712345678', '+254 712 345 678'],
  ['34612345678', '+34 612 345 678'],
  ['5215512345678', '+52 155 123 456 78'],
  ['ana@example.com', 'ana@example.com'],
  ['55•••••••••21', '+55 •• •••••-••21'],
  ['25••••••••78', '+25• ••• ••• •78'],
  ['•••••', '•••••'],
  ['', ''],
])('shows the account %s as %s', (account, shown) => {
  expect(accountText(account)).toBe(shown);
});

test('an order has a number of ten characters that can be read aloud', () => {
  expect(orderNumber('ABCDEFGHJKLMNPQRSTUVWXYZ')).toBe('ABCDE-FGHJK');
  expect(orderWithNumber('ABCDEFGHJKLMNPQRSTUVWXYZ')).toBe('ABCDE-FGHJK (ABCDEFGHJKLMNPQRSTUVWXYZ)');
});

test('an ID that is as short as a number is its own number', () => {
  expect(orderNumber('ABCDEFGH')).toBe('ABCDEFGH');
  expect(orderWithNumber('ABCDEFGH')).toBe('ABCDEFGH');
});
