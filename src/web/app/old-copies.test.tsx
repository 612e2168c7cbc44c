import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { anOrder } from '#tests/builders/an-order-response.ts';
import type { AccountInfo } from '#contract/account.ts';
import { siteConfigSchema } from '#contract/brand.ts';
import type { BrandState } from '#contract/page.ts';
import { listBoxes } from '#contract/tv-devices.ts';
import { order } from '#contract/orders.ts';
import { TvDevices } from '#web/features/account/account-security.tsx';
import { cardsQuery } from '#web/features/account/account-query.ts';
import { LastLogins } from '#web/features/account/last-logins.tsx';
import { RemainingTime } from '#web/features/account/periods.tsx';
import { SavedCards } from '#web/features/account/saved-cards.tsx';
import { ReceiptPage } from '#web/features/orders/receipts/receipt-page.tsx';
import { ContactRow } from '#web/features/settings/contact-row.tsx';
import { NicknameRow } from '#web/features/settings/settings-page.tsx';
import { PasswordRow } from '#web/features/settings/password-row.tsx';
import { settingsQuery, type Settings } from '#web/features/settings/settings-query.ts';
import { StbPlan } from '#web/features/tv/stb-plan.tsx';
import { q } from '#web/platform/api/query.ts';
import { BrandContext } from '#web/platform/brand/brand-context.tsx';
import { createI18n } from '#web/platform/i18n/active.ts';
import { MessagesProvider } from '#web/platform/i18n/messages-provider.tsx';
import { markSavedCopies } from '#web/platform/session/storage/personal-copies.ts';

// links need a router, and none is followed here
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

const info: AccountInfo = {
  uid: 'u1',
  nickname: '',
  account: 'ana@example.com',
  planId: null,
  planName: null,
  userType: '',
  expiredTime: null,
  accountCreationTime: 0,
  deviceSessions: [],
  limitCount: 0,
  userDevice: 0,
  unsubscribeEmail: false,
  loginApp: false,
  bizRemainingDays: 0,
  leavesAt: null,
  periods: [],
};
const ended: AccountInfo = { ...info, expiredTime: 1 };
const settings: Settings = {
  nickname: '',
  account: 'ana@example.com',
  type: 'email',
  email: null,
  emailVerified: true,
  nameVerified: true,
  phone: null,
  phoneRemovable: false,
  hasPassword: false,
  language: 'en',
  unsubscribeEmail: false,
};
const unpaid = anOrder();
const brand: BrandState = {
  theme: { name: 'Lumen', themeColor: '#0a7d55', tenantId: 'lumen' },
  siteConfig: v.parse(siteConfigSchema, {
    validRules: {},
    defaultLang: 'en',
    upgradePolicy: false,
    subscribeEmail: false,
    login: { codeLogin: false, emailSuffix: [] },
    payment: { defaultInstallment: 1, defaultCurrency: 'BRL' },
    langs: ['en'],
  }),
  functionConfig: { imgConfig: {}, webConfig: { brand: 'lumen', defaultLang: 'en' } },
  messages: {},
  countryCode: 'BR',
};

/** The message of each page for missing data, and how to render the page from an answer of `readAt`. */
const emptyMessages: readonly (readonly [message: string, draw: (readAt: number) => ReactElement])[] = [
  ['There is no receipt for this order yet', () => <ReceiptPage orderId={unpaid.orderId} />],
  ['You don’t have a plan yet', (readAt) => <RemainingTime info={info} read={readNow(readAt)} />],
  ['Your access has ended', (readAt) => <RemainingTime info={ended} read={readNow(readAt)} />],
  ['You don’t have a plan yet', (readAt) => <StbPlan info={info} read={readNow(readAt)} showsActions />],
  ['Your access has ended', (readAt) => <StbPlan info={ended} read={readNow(readAt)} showsActions />],
  ['No TV is logged in', () => <TvDevices />],
  ['You have no saved cards', () => <SavedCards leaves={false} />],
  ['None yet', () => <NicknameRow settings={settings} fixed />],
  ['None yet', () => <ContactRow type="email" settings={settings} fixed />],
  ['You don’t have a password yet', () => <PasswordRow settings={settings} />],
];

const readNow = (readAt: number) => ({ error: null, readAt, onRetry: () => undefined });

function htmlOf(draw: (readAt: number) => ReactElement, readAt: number): string {
  const client = new QueryClient();
  const answer = (key: readonly unknown[], data: unknown) => client.setQueryData(key, data, { updatedAt: readAt });
  answer(q(order, { params: { id: unpaid.orderId } }).queryKey, unpaid);
  answer(q(listBoxes, { body: {} }).queryKey, []);
  answer(cardsQuery.queryKey, []);
  answer(settingsQuery.queryKey, settings);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MessagesProvider i18n={createI18n('en', {})}>
        <BrandContext value={brand}>
          <RouterContextProvider router={router}>{draw(readAt)}</RouterContextProvider>
        </BrandContext>
      </MessagesProvider>
    </QueryClientProvider>,
  );
}

const textOf = (draw: (readAt: number) => ReactElement, readAt: number) =>
  htmlOf(draw, readAt).replaceAll(/<[^>]+>/g, '');

describe('a customer whose answers are copies of an earlier visit', () => {
  const before = Date.now() - 60_000;
  beforeAll(() => markSavedCopies());

  it.each(emptyMessages)('does not see "%s" before the server has answered', (message, draw) => {
    expect(textOf(draw, before)).not.toContain(message);
    expect(textOf(draw, Date.now() + 1)).toContain(message);
  });
});

it('shows a customer no empty list of logins while the logins are unknown', () => {
  const draw = (isKnown: boolean) => htmlOf(() => <LastLogins sessions={[]} isKnown={isKnown} />, Date.now());
  expect(draw(false)).not.toContain('<ul');
  expect(draw(true)).toContain('No logins yet');
});
