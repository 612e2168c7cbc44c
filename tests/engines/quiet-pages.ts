/// <reference lib="dom" />
import { addressesOf } from '#tests/fixtures/every-page.ts';
import { waitUntil, type EnginePage } from './engine.ts';

type ReadPage = Pick<EnginePage, 'console' | 'open' | 'evaluate'>;

/**
 * Standard words that WebKit does not know yet, or did not know in Safari 16. It reports them and goes on, as CSP and CSS
 * Viewport have it; leaving them out for one engine would be a decision by user agent.
 */
const unknownWords = [
  /^Unrecognized Content-Security-Policy directive '(manifest-src|require-trusted-types-for|trusted-types|report-to)'/,
  /^Viewport argument key "interactive-widget" not recognized and ignored/,
];

/**
 * What says that the visit was short or the machine busy. WebKit reports a request to the page's own origin that ended with
 * the page as refused, and a module that is imported seconds after its preload as not used. Firefox reports the modules of
 * other pages that were being fetched ahead; without its own modules a page would not be hydrated.
 */
const outOfTime = [
  /^(?:Fetch API cannot|Cannot) load http:\/\/localhost:\d+\/\S* due to access control checks/,
  /^The resource \S+ was preloaded using link preload but not used within a few seconds/,
  /(?:Unable to preload CSS for|error loading dynamically imported module:) http:\/\/localhost:\d+\/assets\//,
];

/** The page /404 is answered with the status of its error, which engines report. */
const ownStatus = /status of 404/;

const isDone = `'hydrated' in document.documentElement.dataset && document.querySelector('main [aria-busy=true]') === null`;

/** Opens every public page and answers with all that the console says there, each with its address. */
export async function consoleOfPublicPages(page: ReadPage, origin: string): Promise<string[]> {
  const found: string[] = [];
  for (const address of addressesOf('page', undefined, '101')) {
    const before = page.console.length;
    await page.open(origin + address);
    await waitUntil(`hydrated ${address}`, async () => (await page.evaluate(isDone)) === true);
    const allowed = [...unknownWords, ...outOfTime, ...(address === '/404' ? [ownStatus] : [])];
    const faults = page.console.slice(before).filter(({ text }) => !allowed.some((pattern) => pattern.test(text)));
    found.push(...faults.map(({ level, text }) => `${address} ${level}: ${text}`));
  }
  return found;
}
