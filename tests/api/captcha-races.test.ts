import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepCaptcha, passCaptcha } from '../../src/server/captcha/ticket.ts';
import { testApp, type TestApp } from '../builders/test-app.ts';
import { openOnPostgres } from '../fixtures/postgres.ts';

let opened: Awaited<ReturnType<typeof openOnPostgres>>;
let shop: TestApp;
beforeAll(async () => {
  opened = await openOnPostgres();
  shop = await testApp({ db: opened.db });
}, 120_000);
afterAll(() => opened?.close());

it('of twenty calls with one ticket at the same moment, one passes', { timeout: 60_000 }, async () => {
  const { captchaId } = await keepCaptcha(shop.deps, 'lumen', 'RIGHT');
  const given = { captchaId, captcha: 'right' };
  const passed = await Promise.all(Array.from({ length: 20 }, () => passCaptcha(shop.deps, 'lumen', given)));
  expect(passed.filter(Boolean)).toHaveLength(1);
});
