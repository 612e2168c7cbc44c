import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Plan } from '#contract/plan.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import { installServerCall } from '#web/platform/api/server-call.ts';
import { createI18n } from '#web/platform/i18n/active.ts';
import { loadPlan, planQuery } from './plan-queries.ts';

const listed: Plan = {
  id: '103',
  name: 'Yearly',
  days: 365,
  devices: 1,
  price: { amount: 17990, currency: 'BRL' },
  recommended: true,
  discounts: [],
};
const unreachable = new ApiError('network', 'planDetail', { lost: 'unreachable' });

/** A storefront whose list of plans is stored, and whose details cannot be loaded. */
function withStoredList(error: Error) {
  const queryClient = new QueryClient();
  installServerCall(queryClient, async ({ name }) => {
    if (name === 'listPlans') return { plans: [listed], final: false, methods: [] };
    throw error;
  });
  // as: loading a plan reads these only
  return { queryClient, i18n: createI18n('en', {}) } as unknown as RouterContext;
}

test('offline, a plan that was never opened is shown from the stored list', async () => {
  const context = withStoredList(unreachable);
  await loadPlan(context, '103');
  const { queryKey, staleTime } = planQuery('103', 'en');
  expect(context.queryClient.getQueryData(queryKey)).toEqual({ ...listed, description: '', features: [] });
  const query = context.queryClient.getQueryCache().find({ queryKey });
  expect(query?.isStaleByTime(Number(staleTime))).toBe(true);
});

test('offline, a plan that is not in the list remains unreachable', async () => {
  await expect(loadPlan(withStoredList(unreachable), '104')).rejects.toBe(unreachable);
});

test('a plan that the server does not know leads to /404 when it is opened, and nowhere when its link is preloaded', async () => {
  const unknown = new ApiError('refused', 'planDetail', { code: 6001, reason: 'pageNotFound' });
  await expect(loadPlan(withStoredList(unknown), '103')).rejects.toMatchObject({ options: { to: '/404' } });
});

test('a plan that the server refuses is not shown from the list', async () => {
  const refused = new ApiError('refused', 'planDetail', { code: 6001 });
  await expect(loadPlan(withStoredList(refused), '103')).rejects.toBe(refused);
});
