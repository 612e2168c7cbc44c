import { launch, type ConsoleMessage, type Page } from 'puppeteer-core';
import { programsOf } from './debian-engines.ts';
import { waitUntil, type ConsoleEntry, type Engine, type EnginePage } from './engine.ts';

const startLimitMs = 90_000;
const commandLimitMs = 60_000;

/** Starts Firefox, which is driven over WebDriver BiDi. */
export async function openFirefox(): Promise<Engine> {
  const programs = programsOf('Firefox');
  if (!programs) throw new Error('Firefox is not installed: run node .scripts/setup.mjs --engines');
  const browser = await launch({
    browser: 'firefox',
    executablePath: programs.browser,
    headless: true,
    timeout: startLimitMs,
    protocolTimeout: commandLimitMs,
  });
  return {
    newPage: async ({ width, height }) => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(commandLimitMs);
      await page.setViewport({ width, height });
      return pageOf(page, recordConsole(page));
    },
    close: () => browser.close(),
  };
}

/**
 * Firefox reports this for a request through the worker that is cancelled with its page, also when a navigation
 * restarts; without an address if the page is gone already. If the worker really fails to respond, the page is not hydrated and the step fails.
 */
const cancelledRequest =
  /^Failed to load ‘[^’]*’\. A ServiceWorker intercepted the request and encountered an unexpected error\./;

/** Firefox reports violations of the content policy and its own warnings about a page as errors of the page. */
function recordConsole(page: Page): ConsoleEntry[] {
  const entries: ConsoleEntry[] = [];
  const levels: Readonly<Record<string, ConsoleEntry['level']>> = {
    error: 'error',
    assert: 'error',
    warn: 'warning',
  };
  page.on('console', (message: ConsoleMessage) => {
    const level = levels[message.type()];
    if (!level) return;
    const entry = { level, text: `console: ${message.text()}` };
    entries.push(entry);
    // the text of an error object arrives later, or never if its page is gone
    for (const one of message.args()) {
      void one.evaluate(String).then(
        (text) => (entry.text += ` ${text}`),
        () => undefined,
      );
    }
  });
  page.on('pageerror', (error) => {
    if (error instanceof Error && cancelledRequest.test(error.message)) return;
    entries.push({
      level: 'error',
      text: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
    });
  });
  return entries;
}

function pageOf(page: Page, console: readonly ConsoleEntry[]): EnginePage {
  return {
    console,
    // A navigation is aborted when the worker activates meanwhile (NS_BINDING_ABORTED). One that the page cancels by
    // its own navigation is reported as done, so the documents are compared.
    open: (address) =>
      waitUntil(`document of ${address}`, async () => {
        const before = await page.evaluate('performance.timeOrigin');
        await page.goto(address, { waitUntil: 'domcontentloaded' });
        return (await page.evaluate('performance.timeOrigin')) !== before;
      }),
    evaluate: (expression) => page.evaluate(expression),
    tap: ({ x, y }) => page.mouse.click(x, y),
    press: (key) => page.keyboard.press(key as 'Enter'), // as: the names of keys are those of the DOM
    type: (text) => page.keyboard.type(text),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => page.close(),
  };
}
