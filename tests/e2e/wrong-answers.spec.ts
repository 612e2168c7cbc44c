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
