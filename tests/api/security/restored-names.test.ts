import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as endpoints from '../../../src/contract/index.ts';
import { users } from '../../../src/server/db/schema/users.ts';
import { changeContact, emailOf, proofOf } from '../../builders/a-contact-change.ts';
import { aMember, linkOf, mailboxOf } from '../../builders/a-mailbox.ts';
import { testApp, type TestApp } from '../../builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

it('a restore link from before the number was removed restores the kind of the account, too', async () => {
  const { account, uid } = await aMember(shop, { type: 'phone', proven: true });
  const name = { account: account.slice(2), type: 'phone', areaCode: '55' } as const;
  const { token } = (await shop.request(endpoints.login, { body: { ...name, password: 'secret-123' } })).data;
  const ana = { token, password: 'secret-123' };
  await changeContact(shop, ana, emailOf('first.bound@example.com'));
  await changeContact(shop, ana, emailOf('second.bound@example.com'));
  const mails = await mailboxOf(shop, 'first.bound@example.com');
  const link = linkOf(mails.find(({ text }) => text.includes('token=')) ?? { text: '' });
  await shop.request(endpoints.removePhone, { body: { confirmation: await proofOf(shop, ana) } }, { token });
  expect((await shop.request(endpoints.restoreContact, { body: { token: link.token } })).code).toBe(0);
  const [row] = await shop.db.select().from(users).where(eq(users.uid, uid));
  expect(row).toMatchObject({ account, accountType: 'phone', email: 'first.bound@example.com' });
});
