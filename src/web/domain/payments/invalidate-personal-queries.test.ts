import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { invalidatePersonalQueries } from './invalidate-personal-queries.ts';

test("reads fresh orders again after a payment, but not the shop's plans", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  let asked = 0;
  const read = (name: string, personal: boolean) =>
    client.fetchQuery({ queryKey: [name], queryFn: () => (asked += 1), meta: { personal } });
  const readBoth = () => Promise.all([read('orders', true), read('listPlans', false)]);
  await readBoth();
  await readBoth();
  expect(asked).toBe(2);
  invalidatePersonalQueries(client);
  expect(asked).toBe(2);
  await readBoth();
  expect(asked).toBe(3);
});
