import { describe, expect, it } from 'vitest';
import { capabilities, isCapable, type Capability } from './capabilities.ts';
import { capabilityCalls } from './capability-calls.ts';
import * as endpoints from './index.ts';
import { hasPage, paths, type PathPattern } from './paths.ts';

const backend = (...named: readonly string[]) => ({ capabilities: [...named] });
const screens = Object.entries(paths).filter(([path, { kind }]) => kind !== 'link' && !path.includes('{'));
const pagesOf = (...named: readonly string[]) =>
  screens.map(([path]) => path).filter((path) => hasPage(backend(...named), path));

describe('the calls of the capabilities', () => {
  it('are all calls of the contract, each once', () => {
    const named = Object.values(capabilityCalls).flatMap(({ required, optional }) => [...required, ...optional]);
    expect(named.toSorted()).toEqual(Object.keys(endpoints).toSorted());
  });

  it('belong to capabilities that need only earlier ones', () => {
    for (const [index, name] of capabilities.entries()) {
      for (const needed of capabilityCalls[name].needs) expect(capabilities.slice(0, index)).toContain(needed);
    }
  });

  it('require a session only where customers can sign in', () => {
    const ofCustomers = Object.values(endpoints).filter(({ access }) => access === 'customer');
    const { required } = capabilityCalls.browse;
    expect(ofCustomers.filter(({ name }) => required.some((one) => one === name))).toEqual([]);
  });
});

describe('the pages of a backend', () => {
  it('are all pages if it says nothing', () => {
    for (const [path] of screens) expect(hasPage({}, path), path).toBe(true);
  });

  it('are the public ones if it can only be browsed', () => {
    expect(pagesOf('browse')).toEqual(['/', '/pricing-table', '/help', '/privacy', '/404', '/500', '/notice']);
    expect(hasPage(backend('browse'), '/plan-details/30')).toBe(true);
  });

  it.each<[Capability, PathPattern, PathPattern]>([
    ['signIn', '/login', '/payment'],
    ['buyByRedirect', '/payment', '/settings'],
    ['account', '/settings', '/connect-tv'],
    ['renew', '/renewal', '/connect-tv'],
    ['tv', '/connect-tv', '/renewal'],
  ])('with %s include %s and not %s', (capability, page, other) => {
    expect(pagesOf(capability)).toContain(page);
    expect(pagesOf(capability)).not.toContain(other);
  });

  it('do not depend on names that are unknown', () => {
    expect(isCapable(backend('browse', 'teleport'), 'tv')).toBe(false);
    expect(pagesOf('browse', 'teleport')).toEqual(pagesOf('browse'));
  });

  it('include the address of a payment result with its provider’s parts', () => {
    expect(hasPage(backend('browse'), '/paymentResult/orderId/1')).toBe(false);
    expect(hasPage(backend('browse', 'buyByRedirect'), '/paymentResult/orderId/1')).toBe(true);
  });
});
