import { describe, expect, it } from 'vitest';
import { errors, type ErrorName } from '#contract/error-codes.ts';
import { ApiError, type NetworkCause } from './api-error.ts';
import { refusedError } from './refused-error.ts';
import { decide, type Action, type DecisionContext } from './decide.ts';

const web: DecisionContext = { scene: 'WEB', reads: false };
const box: DecisionContext = { ...web, scene: 'STB' };
const refused = (code: number) => refusedError('pay', { code, traceId: 'trace-1234' });
const lost = (cause: NetworkCause) => new ApiError('network', 'pay', { lost: cause });
const danger: Action = [{ type: 'toast', tone: 'danger' }];
const warning: Action = [{ type: 'toast', tone: 'warning' }];
const end = { type: 'endSession' };

describe('what the storefront does about a code', () => {
  it.each([301, 302, 306, 309, 312, 314, 315, 2003, 2002, 3001, 5000, 5003, 5008, 5015, 2007])(
    'leaves %i to the calling page',
    (code) => expect(decide(refused(code), web)).toEqual([]),
  );

  it.each([201, 203])('opens the notice for %i on a TV device, and shows a toast anywhere else', (code) => {
    expect(decide(refused(code), box)).toEqual([
      { type: 'navigate', to: '/notice', search: { type: 'stbLoginErr', errCode: String(code) } },
    ]);
    expect(decide(refused(code), web)).toEqual(danger);
  });

  it.each([-24010, -24020, 21])('ends the session without a toast for %i', (code) => {
    expect(decide(refused(code), web)).toEqual([end]);
  });

  it('shows -1112 and ends the session', () => expect(decide(refused(-1112), web)).toEqual([...danger, end]));

  it('warns of -24030, ends the session and opens the login', () => {
    expect(decide(refused(-24030), web)).toEqual([...warning, end, { type: 'navigate', to: '/login', search: {} }]);
  });

  it('opens 404 for 6001', () => {
    expect(decide(refused(6001), web)).toEqual([{ type: 'navigate', to: '/404', search: {} }]);
  });

  it('opens the pricing table for 6000 with the reason', () => {
    const search = { type: 'cannotBuyPlan', errCode: '6000' };
    expect(decide(refused(6000), web)).toEqual([{ type: 'navigate', to: '/pricing-table', search }]);
    const named = refusedError('pay', { code: 6000, params: { planId: '101' } });
    expect(decide(named, web)).toEqual([
      { type: 'navigate', to: '/pricing-table', search: { ...search, planId: '101' } },
    ]);
  });

  it.each([2500, -2500])('shows %i and opens the password reset, which leads back afterwards', (code) => {
    const detour = { type: 'navigate', to: '/lost-password', search: { reason: 'upgrade' }, detour: true };
    expect(decide(refused(code), web)).toEqual([...danger, detour]);
    expect(decide(refused(code), { ...web, quiet: true })).toEqual([detour]);
    expect(decide(refused(code), { ...web, shownErrors: ['resetPasswordFirst', 'resetPasswordFirst_2500'] })).toEqual(
      [],
    );
  });

  it('shows every other code of the catalogue', () => {
    const others = Object.values(errors).filter(({ policy }) => policy === 'toast');
    expect(others.length).toBeGreaterThanOrEqual(80);
    for (const { code } of others) expect(decide(refused(code), web)).toEqual(danger);
  });

  it.each([424242, -1, 0, NaN])('shows an unknown code: %d', (code) => {
    expect(decide(refused(code), web)).toEqual(danger);
  });
});

describe('what the storefront does about an error without a code', () => {
  it.each(['unreachable', 'timeout'] as const)(
    'is silent about a read that is %s, because the page shows it',
    (cause) => {
      expect(decide(lost(cause), { ...web, reads: true })).toEqual([]);
    },
  );

  it.each(['unreachable', 'timeout'] as const)('shows a payment or a login that is %s', (cause) => {
    expect(decide(lost(cause), web)).toEqual(warning);
  });

  it.each(['aborted', 'stale'] as const)('is silent about an answer that is no longer needed: %s', (cause) => {
    expect(decide(lost(cause), web)).toEqual([]);
  });

  it.each([true, false])('shows a failing status and an unreadable answer, for reads (%s) and writes', (reads) => {
    expect(decide(new ApiError('http', 'pay', { status: 503 }), { ...web, reads })).toEqual(danger);
    expect(decide(new ApiError('malformed', 'pay'), { ...web, reads })).toEqual(danger);
  });
});

describe('each error is shown in one place', () => {
  it('shows no toast for an error that the form shows at its field', () => {
    const shownErrors: ErrorName[] = ['invalidCoupon', 'accountExists'];
    expect(decide(refused(9001), { ...web, shownErrors })).toEqual([]);
    expect(decide(refused(9002), { ...web, shownErrors })).toEqual(danger);
  });

  it('lets a payment show its own message for a lost connection', () => {
    expect(decide(lost('timeout'), { ...web, shownErrors: ['network'] })).toEqual([]);
    expect(decide(new ApiError('http', 'pay', { status: 502 }), { ...web, shownErrors: ['network'] })).toEqual(danger);
  });

  it('ends the session even for a quiet call', () => {
    expect(decide(refused(21), { ...web, quiet: true })).toEqual([end]);
    expect(decide(refused(-24030), { ...web, quiet: true })).toEqual([end]);
    expect(decide(refused(17), { ...web, quiet: true })).toEqual([]);
    expect(decide(refused(6001), { ...web, quiet: true })).toEqual([]);
  });
});
