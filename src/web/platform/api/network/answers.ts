import { savedAtHeader, siteDataCache } from '#contract/worker.ts';
import { cachedAnswer } from '#web/platform/session/storage/answer-caches.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { isOffline, recordNetworkFailure, recordNetworkSuccess } from './network-state.ts';
import { setSavedAt, savedAtOf } from './saved-at.ts';

/** What an answer tells of the network, and the copy in its place where none comes ([Note: Saved copies]). */

function readTime(headers: Pick<Headers, 'get'>): number | undefined {
  const time = Number(headers.get(savedAtHeader));
  return Number.isSafeInteger(time) && time > 0 ? time : undefined;
}

/** How old a copy may be, in milliseconds, to be the answer that came too late for the worker a moment ago. */
const momentMs = 60_000;

/** Call with every answer: `url` as `addressOf` made it. Tells the network's state too ([Note: Network state]). */
export function recordAnswer(url: string, { status, headers }: Pick<Response, 'status' | 'headers'>): void {
  const time = readTime(headers);
  const before = savedAtOf(url);
  // On a slow wire the worker's answer is always a copy. One that is newer than the one before is what the shop says.
  const late = time !== undefined && before !== undefined && time > before && serverNow() - time < momentMs;
  const shown = late ? undefined : time;
  if (shown === undefined && !isOfProxy(status, headers)) recordNetworkSuccess();
  else recordNetworkFailure();
  setSavedAt(url, shown);
}

/** A page where there should be an answer. */
export const isPage = (headers: Pick<Headers, 'get'>): boolean => !!headers.get('content-type')?.includes('html');

/** Said in the place of the shop: that it is away, by a page of a proxy, or what the login of a Wi-Fi says. */
function isOfProxy(status: number, headers: Pick<Headers, 'get'>): boolean {
  return isPage(headers) || (status > 501 && status < 505 && !headers.get('content-type')?.includes('json'));
}

/** How long a read waits for the shop, in milliseconds, before a saved copy is shown; the shop's answer replaces it. */
const patienceMs = 3000;
/** The same where the network is known to fail, or where the page itself was waited for already. */
const impatienceMs = 300;

let slowStart: boolean | undefined;

/** Whether the page came late, and nothing has come in time since. */
function startedSlowly(): boolean {
  const [page] = performance.getEntriesByType('navigation');
  // as: what entries of this type are
  return (slowStart ??= page !== undefined && (page as PerformanceNavigationTiming).responseStart > 2000);
}

/** The copy that stands in for an answer that does not come in time; undefined where it does, or where there is none. */
export async function copyBefore(asked: Promise<unknown>, url: string): Promise<Response | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const short = isOffline() || startedSlowly();
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, short ? impatienceMs : patienceMs, false);
  });
  const ended = asked.then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([ended, tooLate]);
  clearTimeout(timer);
  if (inTime) slowStart = false;
  return inTime ? undefined : anonymousCopy(url);
}

/**
 * The visitor's copy of an answer that is the same for everyone. The worker would give it to a visitor, but it does not
 * touch requests with a token ([Note: Service worker]). Undefined where there is none.
 */
export async function anonymousCopy(url: string): Promise<Response | undefined> {
  const copy = await cachedAnswer(new URL(url, location.href), siteDataCache);
  return copy && readTime(copy.headers) !== undefined ? copy : undefined;
}
