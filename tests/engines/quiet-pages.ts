/// <reference lib="dom" />
import { addressesOf } from '#tests/fixtures/every-page.ts';
import { waitUntil, type EnginePage } from './engine.ts';

type ReadPage = Pick<EnginePage, 'console' | 'open' | 'evaluate'>;

/**
 * Standard directives that WebKit, or Safari 16, does not know. It reports and ignores them, as CSP and CSS Viewport
 * require. Omitting them for one engine would be a decision by user agent.
 */
const unknownDirectives = [
  /^Unrecognized Content-Security-Policy directive '(manifest-src|require-trusted-types-for|trusted-types|report-to)'/,
  /^Viewport argument key "interactive-widget" not recognized and ignored/,
];

/**
 * Messages of a short visit or a busy machine. WebKit reports a request to the own origin that ended with the page as
 * refused, and a module imported seconds after its preload as unused. Firefox reports prefetched modules of other
 * pages; without its own modules a page would not be hydrated.
 */
const timingMessages = [
  /^(?:Fetch API cannot|Cannot) load http:\/\/localhost:\d+\/\S* due to access control checks/,
  /^The resource \S+ was preloaded using link preload but not used within a few seconds/,
  /(?:Unable to preload CSS for|error loading dynamically imported module:) http:\/\/localhost:\d+\/assets\//,
];

/** The page /404 responds with the status of its error, which engines report. */
const notFoundStatus = /status of 404/;

/** A page that is left earlier cannot load the messages of what it shows late. */
const isDone =
  `'hydrated' in document.documentElement.dataset && document.querySelector('main [aria-busy=true]') === null && ` +
  `(!location.search.includes('reason=passwordChanged') || document.querySelector('main [role=status]') !== null)`;

/** Opens every public page. Returns the unexpected messages in the console, each with its address. */
export async function consoleOfPublicPages(page: ReadPage, origin: string): Promise<string[]> {
  const found: string[] = [];
  for (const address of addressesOf('page', undefined, '101')) {
    const before = page.console.length;
    await page.open(origin + address);
    await waitUntil(`hydrated ${address}`, async () => (await page.evaluate(isDone)) === true);
    const allowed = [...unknownDirectives, ...timingMessages, ...(address === '/404' ? [notFoundStatus] : [])];
    const faults = page.console.slice(before).filter(({ text }) => !allowed.some((pattern) => pattern.test(text)));
    found.push(...faults.map(({ level, text }) => `${address} ${level}: ${text}`));
  }
  return found;
}
