import { describe, expect, it } from 'vitest';
import { addressOf, isAddressOf } from './endpoint.ts';
import { listPlans, planDetail } from './plan.ts';
import { theme } from './site.ts';

describe('the address of a call', () => {
  it('is its path with encoded parameters and its query', () => {
    expect(addressOf(theme)).toBe('/api/site/theme/v1');
    expect(addressOf(listPlans, { query: { language: 'pt', currency: undefined } })).toBe(
      '/api/site/listPlans/v1?language=pt',
    );
    expect(addressOf(planDetail, { params: { id: '30/1?x' }, query: { llanguage: 'ru' } })).toBe(
      '/api/site/plan/detail/30%2F1%3Fx?llanguage=ru',
    );
  });

  it('is recognized with any parameters', () => {
    expect(isAddressOf(planDetail, '/api/site/plan/detail/30-1')).toBe(true);
    for (const other of ['/api/site/plan/detail/', '/api/site/plan/detail/1/2', '/api/site/plan/detail', '/'])
      expect([other, isAddressOf(planDetail, other)]).toEqual([other, false]);
    expect([isAddressOf(theme, '/api/site/theme/v1'), isAddressOf(theme, '/api/site/theme/v1/')]).toEqual([
      true,
      false,
    ]);
  });

  it('refuses values that are not plain', () => {
    expect(() => addressOf({ path: '/api/x/{id}' }, { params: { id: {} } })).toThrow(TypeError);
    expect(() => addressOf({ path: '/api/x/{id}' })).toThrow(TypeError);
  });
});
