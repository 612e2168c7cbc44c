import { expect, test } from 'vitest';
import { isSameAccount } from './sign-on-card.tsx';

const ana = { uid: 'u-1', account: 'ana@mail.example' };

test('needs no confirmation for the account that is logged in', () => {
  expect(isSameAccount(ana, { accountId: 'u-1', loginId: 'x' })).toBe(true);
  expect(isSameAccount(ana, { accountId: '7', loginId: 'Ana@Mail.example' })).toBe(true);
  expect(isSameAccount({ uid: 'u-2', account: '5511999999999' }, { accountId: '7', loginId: '+5511999999999' })).toBe(
    true,
  );
});

test('needs a confirmation for another account', () => {
  expect(isSameAccount(ana, { accountId: 'u-2', loginId: 'eva@mail.example' })).toBe(false);
});
