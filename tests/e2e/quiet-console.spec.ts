import type { ConsoleEntry } from '#tests/engines/engine.ts';
import { consoleOfPublicPages } from '#tests/engines/quiet-pages.ts';
import { expect, test } from '#tests/fixtures/test.ts';

// The page /404 responds with the status of its error.
test.use({ expectedErrors: /status of 404 .*\/404/ });
// Playwright logs a warning in the console when it blocks a worker.
test.use({ serviceWorkers: 'allow' });

test('a visitor finds no warning and no error in the console of any public page @slow', async ({ page, server }) => {
  const entries: ConsoleEntry[] = [];
  page.on('console', (message) => {
    const level = message.type();
    if (level === 'error' || level === 'warning') entries.push({ level, text: message.text() });
  });
  const read = {
    console: entries,
    open: async (address: string) => void (await page.goto(address)),
    evaluate: (expression: string) => page.evaluate<unknown>(expression),
  };
  expect(await consoleOfPublicPages(read, server.origin)).toEqual([]);
});
