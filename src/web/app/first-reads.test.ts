import type { QueryKey } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { UserInfo } from '#contract/user.ts';
import { startFirstReads } from './first-reads.ts';

// as: the reads use nothing else of the session
const customer = { uid: 'u1', account: 'ana@example.com', type: 'email', token: 'secret' } as UserInfo;

function namesOfReads(address: string, user = customer): unknown[] {
  const names: unknown[] = [];
  const prefetchQuery = ({ queryKey: [name] }: { queryKey: QueryKey }) => {
    names.push(name);
    return Promise.resolve();
  };
  startFirstReads({ prefetchQuery }, user, new URL(address, 'http://shop.localhost'));
  return names;
}

test('a page of a customer starts its reads, and other pages none', () => {
  expect(namesOfReads('/orders')).toEqual(['orders', 'queryCart']);
  expect(namesOfReads('/payment?planId=101')).toEqual(['planDetail', 'paymentTip', 'checkPlanAvailable']);
  expect(namesOfReads('/payment?orderId=AB')).toEqual([]);
  expect(namesOfReads('/payment')).toEqual([]);
  expect(namesOfReads('/pricing-table')).toEqual([]);
});

test('a phone with a session for one checkout reads nothing that it would be refused', () => {
  const handedOver = { ...customer, onlyPlanId: '101' };
  for (const path of ['/account', '/orders', '/receipts', '/settings', '/payment?planId=101'])
    expect(namesOfReads(path, handedOver)).toEqual([]);
});
