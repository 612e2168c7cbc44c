import { savedAtHeader, siteDataCache } from '#contract/worker.ts';
import { cachedAnswer } from '#web/platform/session/storage/answer-caches.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { isOffline, recordNetworkFailure, recordNetworkSuccess } from './network-state.ts';
import { setSavedAt, savedAtOf } from './saved-at.ts';

/** When a saved copy was stored, from its header; undefined for a fresh answer. */

function readTime(headers: Pick<Headers, 'get'>): number | undefined {
  const time = Number(headers.get(savedAtHeader));
  return Number.isSafeInteger(time) && time > 0 ? time : undefined;
}

/** How old a copy may be, in milliseconds, to count as the answer that arrived just after the worker's timeout. */
const lateAnswerMs = 60_000;

/**
 * Call with every answer, with `url` as `addressOf` built it. Also updates the network state ([Note: Network state]).
 */
export function recordAnswer(url: string, { status, headers }: Pick<Response, 'status' | 'headers'>): void {
  const time = readTime(headers);
  const before = savedAtOf(url);
  // On a slow connection the worker always answers with a copy. One that is newer than the previous copy is the
  // server's current answer.
  const late = time !== undefined && before !== undefined && time > before && serverNow() - time < lateAnswerMs;
  const shown = late ? undefined : time;
  if (shown === undefined && !isOfProxy(status, headers)) recordNetworkSuccess();
  else recordNetworkFailure();
  setSavedAt(url, shown);
}

/** Whether the response is HTML instead of an API answer. */
export const isPage = (headers: Pick<Headers, 'get'>): boolean => !!headers.get('content-type')?.includes('html');

/** Whether something other than the server sent it: a proxy's error page, or the login page of a Wi-Fi. */
function isOfProxy(status: number, headers: Pick<Headers, 'get'>): boolean {
  return isPage(headers) || (status > 501 && status < 505 && !headers.get('content-type')?.includes('json'));
}

/**
 * How long a read waits for the server, in milliseconds, before a saved copy is shown. The server's answer replaces the
 * copy.
 */
const waitMs = 3000;
/** The same, where the network is known to fail or the page itself loaded slowly. */
const shortWaitMs = 300;

let slowStart: boolean | undefined;

/** Whether the page loaded slowly and no answer has been in time since. */
function startedSlowly(): boolean {
  const [page]: Partial<PerformanceNavigationTiming>[] = performance.getEntriesByType('navigation');
  return (slowStart ??= (page?.responseStart ?? 0) > 2000);
}

/** The saved copy for an answer that is not in time; undefined where the answer is in time or there is no copy. */
export async function readCopyIfLate(pending: Promise<unknown>, url: string): Promise<Response | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const short = isOffline() || startedSlowly();
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, short ? shortWaitMs : waitMs, false);
  });
  const ended = pending.then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([ended, tooLate]);
  clearTimeout(timer);
  if (inTime) slowStart = false;
  return inTime ? undefined : anonymousCopy(url);
}

/**
 * The visitor's copy of an answer that is the same for everyone. The worker serves it to visitors but ignores requests
 * with a token. Undefined if no copy exists.
 */
export async function anonymousCopy(url: string): Promise<Response | undefined> {
  const copy = await cachedAnswer(new URL(url, location.href), siteDataCache);
  return copy && readTime(copy.headers) !== undefined ? copy : undefined;
}
