import type { Page } from '@playwright/test';
import { expect, test } from '#tests/fixtures/test.ts';
import { browserStorageOf } from '#tests/fixtures/browser-storage.ts';
import { cachedPaths, waitForWorker } from '#tests/fixtures/worker-ready.ts';
import { randomUUID } from 'node:crypto';
import { report } from '#contract/analytics.ts';
import { savedAtHeader } from '#contract/worker.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import { registerCustomer } from '#tests/fixtures/customer.ts';

test.use({ serviceWorkers: 'allow' });

// Requests fail while there is no network; a server that starts answers 503.
test.use({
  expectedErrors:
    /net::ERR_(CONNECTION_REFUSED|INTERNET_DISCONNECTED|FAILED|CONNECTION_RESET|EMPTY_RESPONSE)|network unreachable|status of 50[23]/,
});

// These tests wait for several seconds, and longer on a busy machine.
test.describe.configure({ timeout: 120_000 });

/** Sends an analytics event with the token of the customer, as the page does. Returns whether the worker queued it. */
const isQueued = (page: Page, session: string, token: string) =>
  page.evaluate(
    async ([path, header, session_id, authorization]) => {
      const fieldsMap = {
        version: '2.3.2',
        entrance_way: 'memberSite',
        session_id,
        page_id: 1,
        page_name: 'home',
        language: 'en',
        terminal_type: 'WEB',
        event_content: 'page_view',
      };
      const body = JSON.stringify({ events: [{ name: 'membersite_event', at: Date.now(), fieldsMap }] });
      const headers = { authorization, 'content-type': 'application/json' };
      return (await fetch(path, { method: 'POST', body, headers })).headers.has(header);
    },
    [report.path, savedAtHeader, session, token] as const,
  );

test('analytics events are queued offline without a token, sent later, and deleted at logout', async ({
  page,
  server,
  logIn,
}) => {
  const { token, ...customer } = await registerCustomer(server.origin);
  await page.goto(`${server.origin}/login`);
  await logIn(page, customer);
  await page.goto(`${server.origin}/account`);
  await waitForWorker(page, 'en');
  const sessions = [randomUUID(), randomUUID(), randomUUID()] as const;
  const queueText = async () => /^workbox-background-sync .*$/m.exec((await browserStorageOf(page)).text)?.[0] ?? '';

  await server.kill9();
  expect(await isQueued(page, sessions[0], token)).toBe(true);
  expect(await queueText()).toContain(sessions[0]);
  expect(await queueText()).not.toContain(token);

  await server.restart();
  expect(await isQueued(page, sessions[1], token)).toBe(false);
  await expect.poll(queueText).not.toContain(sessions[0]);
  const storedSessions = async () => {
    const query = "select fields->>'session_id' as session from analytics_events where fields->>'session_id' = any($1)";
    const rows = await ask<{ session: string }>(server.database, query, [sessions]);
    return rows.map(({ session }) => session).toSorted();
  };
  await expect.poll(storedSessions).toEqual([sessions[0], sessions[1]].toSorted());

  await server.kill9();
  expect(await isQueued(page, sessions[2], token)).toBe(true);
  expect(await queueText()).toContain(sessions[2]);
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect.poll(queueText).not.toContain(sessions[2]);
  await server.restart();
  await page.goto(`${server.origin}/help`);
  expect(await isQueued(page, randomUUID(), token)).toBe(false);
  expect(await storedSessions()).toEqual([sessions[0], sessions[1]].toSorted());
});

test('the caches of the worker never contain data of a customer', async ({ page, server, logIn }) => {
  const customer = await registerCustomer(server.origin);
  await page.goto(`${server.origin}/login`);
  await logIn(page, customer);
  await page.goto(`${server.origin}/help`);
  await waitForWorker(page, 'en');
  for (const path of ['/orders', '/pricing-table', '/payment?planId=101']) {
    await page.goto(server.origin + path);
    await page.waitForLoadState('networkidle');
  }
  const personal = (await cachedPaths(page)).filter((path) => /^\/api\/(?!site\/)/.test(path));
  expect(personal).toEqual([]);
});
