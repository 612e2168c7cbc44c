import { describe, expect, it } from 'vitest';
import { pageNames } from '#contract/analytics.ts';
import { matchPath, paths } from '#contract/paths.ts';
import { aliasNames } from './aliases.ts';

/**
 * URLs are a contract: apps, TV devices, emails and bookmarks contain them. A change of one of these two lists breaks
 * links that cannot be recalled.
 */
describe('published URLs', () => {
  it('lead to the same pages as before', () => {
    const names: Readonly<Record<string, string>> = pageNames;
    const pinned = Object.entries(paths).map(
      ([path, row]) => `${path} ${row.kind} ${row.kind === 'link' ? row.to : names[path]}`,
    );
    expect(pinned).toEqual([
      '/ page home',
      '/pricing-table page pricing',
      '/plan-details/{id} page plan',
      '/help page help',
      '/privacy page privacy',
      '/login page login',
      '/register page register',
      '/forgot-password page forgot-password',
      '/lost-password page forgot-password',
      '/reset-password app reset-password',
      '/resend-confirm app resend-confirm',
      '/device app device',
      '/404 page not-found',
      '/500 page error',
      '/orders app orders',
      '/account app orders',
      '/coupons app coupons',
      '/receipts app receipts',
      '/my-cloud app my-cloud',
      '/connect-tv app connect-tv',
      '/passkeys app passkeys',
      '/my-data app my-data',
      '/settings app settings',
      '/payment app payment',
      '/payment-pix app payment-pix',
      '/payment-step app payment-step',
      '/payment-redirect app payment-redirect',
      '/paynowTips app paynow-tips',
      '/paymentCaishen app caishen',
      '/caishenRepay app caishen',
      '/paymentResult app payment-result',
      '/receipt app receipt',
      '/notice app notice',
      '/renewal app renewal',
      '/stb-orders app stb-orders',
      '/order link /orders',
      '/stbPayment link /payment',
      '/plan link /pricing-table',
      '/tokenLogin link /pricing-table',
      '/resetPassword link /reset-password',
      '/activate link /resend-confirm',
      '/bindEmailConfirmed link /notice',
      '/restoreEmail link /notice',
      '/unsubscribe link /notice',
      '/resendConfirmation link /resend-confirm',
    ]);
    expect(matchPath('/plan-details/101')).toBe('/plan-details/{id}');
    expect(matchPath('/plan-details/x1')).toBeUndefined();
  });

  it('accept every agreed spelling of their parameters', () => {
    expect(Object.fromEntries(aliasNames)).toEqual({
      a: 'accountId',
      accountId: 'accountId',
      la: 'language',
      language: 'language',
      t: 'appToken',
      appToken: 'appToken',
      aid: 'aid',
      r: 'releaseId',
      releaseId: 'releaseId',
      lt: 'loginType',
      loginType: 'loginType',
      e: 'loginId',
      loginId: 'loginId',
      ls: 'ls',
      did: 'did',
      d: 'deviceInfo',
      deviceInfo: 'deviceInfo',
      psl: 'psl',
      p: 'planId',
      id: 'planId',
      planId: 'planId',
      st: 'sourceType',
      sourceType: 'sourceType',
    });
  });
});
