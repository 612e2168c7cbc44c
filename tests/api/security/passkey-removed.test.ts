import { afterAll, beforeAll, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { mailboxOf } from '#tests/builders/a-mailbox.ts';
import { putPasskey } from '#tests/builders/a-passkey.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

it('the owner receives one email when a passkey is removed', async () => {
  const ana = await shop.customer();
  await putPasskey(shop, ana);
  const { passkeys } = (await shop.request(endpoints.listPasskeys, { body: {} }, ana)).data;
  const body = { id: passkeys[0]?.id ?? '' };
  const remove = () => shop.request(endpoints.removePasskey, { body }, ana);
  expect([(await remove()).code, (await remove()).code]).toEqual([0, 0]);
  const mails = (await mailboxOf(shop, ana.account)).filter(({ subject }) => subject.includes('passkey was removed'));
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain('/forgot-password');
});
