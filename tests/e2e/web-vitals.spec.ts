/// <reference lib="dom" />
import { visit } from '#tests/fixtures/checkout.ts';
import { ask } from '#tests/fixtures/postgres.ts';
import type { ShopOnPostgres } from '#tests/fixtures/shop-on-postgres.ts';
import { expect, test } from '#tests/fixtures/test.ts';

/** How many web vitals the server has of the help page: largest paint, slowest interaction, layout shift. */
async function countVitals({ origin }: ShopOnPostgres): Promise<number[]> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return ['lcp_seconds', 'inp_seconds', 'cls'].map((name) =>
    Number(new RegExp(`^web_vitals_${name}_count\\{route="/help"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0),
  );
}

const isMeasured = () => performance.getEntriesByType('resource').some(({ name }) => name.includes('/web-vitals-'));

test('the share of visits that the brand names reports how a page felt @slow', async ({ page, context, ownServer }) => {
  const other = await context.newPage();
  await visit(other, `${ownServer.origin}/help`);
  await other.waitForLoadState('networkidle');
  expect(await other.evaluate(isMeasured)).toBe(false);
  await other.close();
  await ownServer.stop();
  await ask(ownServer.database, `update brands set config = config || '{"webVitals": 1}' where code = 'lumen'`);
  await ownServer.restart();
  await visit(page, `${ownServer.origin}/help`);
  await page.waitForFunction(isMeasured);
  await page.getByRole('heading', { level: 1 }).click();
  // the browser measures the click at its next frame
  await page.evaluate(
    () => new Promise((seen) => new PerformanceObserver(seen).observe({ type: 'first-input', buffered: true })),
  );
  expect(await countVitals(ownServer)).toEqual([0, 0, 0]);
  await page.goto(`${ownServer.origin}/privacy`);
  await expect.poll(() => countVitals(ownServer)).toEqual([1, 1, 1]);
});
