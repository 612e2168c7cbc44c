import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepCaptcha, passCaptcha } from '../../src/server/captcha/ticket.ts';
import { openPostgres, type OpenedDatabase } from '../../src/server/db/connect.ts';
import { createLog } from '../../src/server/log.ts';
import { testApp, type TestApp } from '../builders/test-app.ts';
import { startPostgres, type RunningPostgres } from '../fixtures/postgres.ts';

let postgres: RunningPostgres;
let opened: OpenedDatabase;
let shop: TestApp;
beforeAll(async () => {
  postgres = await startPostgres();
  opened = await openPostgres(postgres.url, createLog('silent'));
  shop = await testApp({ db: opened.db });
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await postgres?.stop();
});

it('of twenty calls with one ticket at the same moment, one passes', { timeout: 60_000 }, async () => {
  const { captchaId } = await keepCaptcha(shop.deps, 'lumen', 'RIGHT');
  const given = { captchaId, captcha: 'right' };
  const passed = await Promise.all(Array.from({ length: 20 }, () => passCaptcha(shop.deps, 'lumen', given)));
  expect(passed.filter(Boolean)).toHaveLength(1);
});
