import { theme } from '#contract/site.ts';
import { json, openScriptedServer, raw } from '#tests/fixtures/scripted-server.ts';
import { startStaticFront } from '#tests/fixtures/static-front.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// the browser itself logs the status
test.use({ expectedErrors: /The (?:backend|answer)|status of 404/ });

test('the developer of a backend reads what is wrong with its answers, and a visitor sees an error', async ({
  page,
}) => {
  const api = await openScriptedServer();
  const missing = raw('<h1>Not found</h1>', 'text/html', 404);
  const broken = json({ code: 0, data: { name: 'Acme', themeColor: '', tenantId: 7 } });
  api.script = missing;
  const front = await startStaticFront(Number(new URL(api.origin).port));
  const report = page.locator('pre');
  try {
    await page.goto(front.origin);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong on our side');
    await expect(report).toHaveCount(0);

    await page.goto(`${front.origin}/?debug=contract`);
    await expect(report).toContainText(`The backend does not answer theme (GET ${theme.path}): HTTP 404, text/html`);

    // the tab remembers it
    api.script = (response, request) => (request.url === theme.path ? broken : missing)(response, request);
    await page.goto(`${front.origin}/pricing-table`);
    await expect(report).toContainText('data.tenantId: expected string, received 7');
  } finally {
    await page.close();
    await front.close();
    api.close();
  }
});

test('a page does not reload again and again while something else answers for the API', async ({ page }) => {
  const api = await openScriptedServer();
  api.script = raw('<!doctype html><h1>Welcome to nginx</h1>', 'text/html');
  const front = await startStaticFront(Number(new URL(api.origin).port));
  const asked = () => api.received.filter(({ url }) => url === theme.path).length;
  let loads = 0;
  page.on('load', () => (loads += 1));
  try {
    await page.goto(front.origin);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We can’t reach the shop');
    // the start, and three attempts after a probe that was answered
    await expect.poll(asked, { timeout: 40_000 }).toBeGreaterThanOrEqual(4);
    expect(loads).toBe(1);

    const answer = { name: 'Acme', themeColor: '#0a7d55', tenantId: 'acme' };
    api.script = (response, one) =>
      (one.url === theme.path ? json({ code: 0, data: answer }) : json({ code: 6001 }, 404))(response, one);
    // the page loads again and explains the next wrong answer
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong on our side', {
      timeout: 60_000,
    });
    expect(loads).toBe(2);
  } finally {
    await page.close();
    await front.close();
    api.close();
  }
});
