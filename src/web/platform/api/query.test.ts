import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { listCard } from '#contract/cards.ts';
import { orders } from '#contract/orders.ts';
import { listPlans } from '#contract/plan.ts';
import { theme } from '#contract/site.ts';
import type { Theme } from '#contract/brand.ts';
import { ApiError } from './api-error.ts';
import { q, refreshQueries } from './query.ts';
import { installServerCall } from './server-call.ts';

const served = (answer: () => Promise<unknown>) => {
  const client = new QueryClient();
  // Every endpoint gets the same answer here; the real PageCall answers each with its own.
  installServerCall(client, () => answer());
  return client;
};

describe('a query', () => {
  it('has a key of the call’s name and its input, and nothing else', () => {
    expect(q(listPlans, { query: { language: 'pt' } }).queryKey).toEqual(['listPlans', { query: { language: 'pt' } }]);
    expect(q(theme).queryKey).toEqual(['theme', {}]);
    expect(q(theme, undefined, { quiet: true }).queryKey).toEqual(q(theme).queryKey);
  });

  it('records whether its answer is personal', () => {
    expect(q(orders, { body: { page: 1, size: 10 } }).meta).toEqual({ personal: true });
    expect(q(theme).meta).toEqual({ personal: false });
  });

  it('calls in process while the server renders, and has the type of its call', async () => {
    const brand: Theme = { name: 'Lumen', themeColor: '#abc', tenantId: 'lumen' };
    const answer = await served(() => Promise.resolve(brand)).fetchQuery(q(theme));
    expect(answer).toBe(brand);
    expectTypeOf(answer).toEqualTypeOf<Theme>();
  });

  it('fails in process as it fails over the network', async () => {
    const asked = served(() => Promise.reject(Object.assign(new Error('refused'), { errCode: 6001 }))).fetchQuery(
      q(theme),
    );
    await expect(asked).rejects.toMatchObject({ kind: 'refused', code: 6001 });
    await expect(asked).rejects.toBeInstanceOf(ApiError);
  });

  it('does not hide a crash as a refusal', async () => {
    const asked = served(() => Promise.reject(new RangeError('bug'))).fetchQuery(q(theme));
    await expect(asked).rejects.toBeInstanceOf(RangeError);
  });
});

describe('a query that a change has made stale', () => {
  it('is refreshed on the screen, also where its first answer was requested before the change and arrives after it', async () => {
    const first = Promise.withResolvers<string[]>();
    const answers = [first.promise, Promise.resolve(['a card'])];
    const client = served(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
    const cards = q(listCard, { body: {} });
    const shown = new QueryObserver(client, cards);
    const leave = shown.subscribe(() => undefined);
    const refreshed = refreshQueries(client, { queryKey: cards.queryKey });
    first.resolve([]);
    await refreshed;
    expect(shown.getCurrentResult().data).toEqual(['a card']);
    leave();
  });

  it('is fetched again when its page is opened, also where its first fetch was in progress while the page was closed', async () => {
    const first = Promise.withResolvers<string[]>();
    const client = served(() => first.promise);
    const cards = q(listCard, { body: {} });
    const ahead = client.prefetchQuery(cards);
    const refreshed = refreshQueries(client, { type: 'inactive', refetchType: 'none', queryKey: cards.queryKey });
    first.resolve([]);
    await Promise.all([ahead, refreshed]);
    expect(client.getQueryState(cards.queryKey)).toMatchObject({ data: [], isInvalidated: true });
  });
});
