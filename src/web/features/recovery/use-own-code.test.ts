import { expect, test } from 'vitest';
import { ownIdentity } from './own-password.tsx';

test('leaves an email address unchanged', () => {
  const user = { account: 'maria@example.com', type: 'email' } as const;
  expect(ownIdentity(user, ['55'])).toEqual({ account: 'maria@example.com', type: 'email' });
});

test.each([
  ['5511912345678', ['55', '7'], '55', '11912345678'],
  ['79161234567', ['55', '7', '79'], '79', '161234567'],
  ['+55 11 91234-5678', ['55'], '55', '11912345678'],
  ['35191234567', ['55'], '', '35191234567'],
])('splits the number %s by the codes %j', (account, codes, areaCode, number) => {
  expect(ownIdentity({ account, type: 'phone' }, codes)).toEqual({ account: number, type: 'phone', areaCode });
});
