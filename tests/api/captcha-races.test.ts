import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyCaptchaTicket } from '#server/auth/captcha/ticket.ts';
import { aTicket, someWork } from '#tests/builders/a-captcha.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: TestApp;
beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await testApp({ db: opened.db });
}, 120_000);
afterAll(() => opened?.close());

const owner = { brand: 'lumen', account: 'ana@example.com', ip: '127.0.0.1' };

it.each([
  ['the script captcha', () => aTicket(shop, owner)],
  ['proof of work', async () => someWork(shop, owner)],
])('one of twenty simultaneous calls with one ticket of %s passes', { timeout: 60_000 }, async (_, solve) => {
  const ticket = await solve();
  const passed = await Promise.all(
    Array.from({ length: 20 }, () => verifyCaptchaTicket(shop.deps, owner, ticket, 'captcha')),
  );
  expect(passed.filter(Boolean)).toHaveLength(1);
});
