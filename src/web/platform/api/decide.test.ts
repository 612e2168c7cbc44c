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
    'leaves %i to the screen that called',
    (code) => expect(decide(refused(code), web)).toEqual([]),
  );

  it.each([201, 203])('opens the notice for %i on a box, and says it anywhere else', (code) => {
    expect(decide(refused(code), box)).toEqual([
      { type: 'navigate', to: '/notice', search: { type: 'stbLoginErr', errCode: String(code) } },
    ]);
    expect(decide(refused(code), web)).toEqual(danger);
  });

  it.each([-24010, -24020, 21])('ends the session without a word for %i', (code) => {
    expect(decide(refused(code), web)).toEqual([end]);
  });

  it('says -1112 and ends the session', () => expect(decide(refused(-1112), web)).toEqual([...danger, end]));

  it('warns of -24030, ends the session and opens the login', () => {
    expect(decide(refused(-24030), web)).toEqual([...warning, end, { type: 'navigate', to: '/login', search: {} }]);
  });

  it('opens 404 for 6001', () => {
    expect(decide(refused(6001), web)).toEqual([{ type: 'navigate', to: '/404', search: {} }]);
  });

  it('opens the pricing table for 6000 and tells it why', () => {
    const search = { type: 'cannotBuyPlan', errCode: '6000' };
    expect(decide(refused(6000), web)).toEqual([{ type: 'navigate', to: '/pricing-table', search }]);
    const named = refusedError('pay', { code: 6000, params: { planId: '101' } });
    expect(decide(named, web)).toEqual([
      { type: 'navigate', to: '/pricing-table', search: { ...search, planId: '101' } },
    ]);
  });

  it.each([2500, -2500])('says %i and opens the way to a new password, from where the customer comes back', (code) => {
    const detour = { type: 'navigate', to: '/lost-password', search: { reason: 'upgrade' }, detour: true };
    expect(decide(refused(code), web)).toEqual([...danger, detour]);
    expect(decide(refused(code), { ...web, quiet: true })).toEqual([detour]);
    expect(decide(refused(code), { ...web, callerShows: ['resetPasswordFirst', 'resetPasswordFirst_2500'] })).toEqual(
      [],
    );
  });

  it('says every other code of the catalogue', () => {
    const others = Object.values(errors).filter(({ policy }) => policy === 'toast');
    expect(others.length).toBeGreaterThanOrEqual(80);
    for (const { code } of others) expect(decide(refused(code), web)).toEqual(danger);
  });

  it.each([424242, -1, 0, NaN])('says a code that is in no table: %d', (code) => {
    expect(decide(refused(code), web)).toEqual(danger);
  });
});

describe('what the storefront does where there is no code', () => {
  it.each(['unreachable', 'timeout'] as const)(
    'is silent about a read that is %s, because the page shows it',
    (cause) => {
      expect(decide(lost(cause), { ...web, reads: true })).toEqual([]);
    },
  );

  it.each(['unreachable', 'timeout'] as const)('speaks about a payment or a login that is %s', (cause) => {
    expect(decide(lost(cause), web)).toEqual(warning);
  });

  it.each(['aborted', 'stale'] as const)('is silent about what nobody waits for: %s', (cause) => {
    expect(decide(lost(cause), web)).toEqual([]);
  });

  it.each([true, false])('says a failing status and an unreadable answer, whether it reads (%s) or not', (reads) => {
    expect(decide(new ApiError('http', 'pay', { status: 503 }), { ...web, reads })).toEqual(danger);
    expect(decide(new ApiError('malformed', 'pay'), { ...web, reads })).toEqual(danger);
  });
});

describe('one owner for each error', () => {
  it('does not say what the form says at its field', () => {
    const callerShows: ErrorName[] = ['invalidCoupon', 'accountExists'];
    expect(decide(refused(9001), { ...web, callerShows })).toEqual([]);
    expect(decide(refused(9002), { ...web, callerShows })).toEqual(danger);
  });

  it('lets a payment speak of a cut connection in its own words', () => {
    expect(decide(lost('timeout'), { ...web, callerShows: ['network'] })).toEqual([]);
    expect(decide(new ApiError('http', 'pay', { status: 502 }), { ...web, callerShows: ['network'] })).toEqual(danger);
  });

  it('ends the session even for a caller that wants quiet', () => {
    expect(decide(refused(21), { ...web, quiet: true })).toEqual([end]);
    expect(decide(refused(-24030), { ...web, quiet: true })).toEqual([end]);
    expect(decide(refused(17), { ...web, quiet: true })).toEqual([]);
    expect(decide(refused(6001), { ...web, quiet: true })).toEqual([]);
  });
});
