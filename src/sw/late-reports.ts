import * as v from 'valibot';
import { registerRoute } from 'workbox-routing';
import { addressOf } from '#contract/endpoint.ts';
import { report } from '#contract/analytics.ts';
import { savedAtHeader } from '#contract/worker.ts';
import { isAway } from './answers.ts';
import { lateCache, scope } from './cache-names.ts';
import { policyFor } from './policy.ts';
import { withinLimit } from './store-limits.ts';

/**
 * [Note: Late reports] What was counted without a network is kept here and sent when the browser says that there is one,
 * even when no page is open any more (Background Sync). The page is told that it arrived, and forgets it. Where the
 * browser has no such thing, the page's own queue keeps it. What is kept is the counted words alone: no token, no header
 * of the request. Nothing that pays goes this way.
 */
const tag = 'late-reports';
/** The oldest give way. */
const maxKept = 20;

// neither is in TypeScript's library
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}
type Syncing = ServiceWorkerRegistration & { readonly sync?: { register(tag: string): Promise<void> } };

const bodySchema = report.body;

const send = (body: string): Promise<Response> =>
  fetch(addressOf(report), {
    method: report.method,
    body,
    headers: { 'Content-Type': 'application/json', Authorization: 'null' },
  });

/** Answers how to take it back. */
async function keep(body: string): Promise<() => Promise<unknown>> {
  const cache = await caches.open(lateCache);
  const old = (await cache.keys()).slice(0, -maxKept);
  await Promise.all(old.map((request) => cache.delete(request)));
  const address = `/late/${Date.now()}-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  await cache.put(address, new Response(body));
  return () => cache.delete(address);
}

/** Sends what was kept. Rejects while there is no network: the browser then tries again, ever more rarely. */
async function sendKept(): Promise<void> {
  const cache = await caches.open(lateCache);
  for (const request of await cache.keys()) {
    const stored = await cache.match(request);
    const answer = stored && (await send(await stored.text()));
    if (answer && isAway(answer)) throw new Error('The server is away');
    // taken or refused: it would be refused again
    await cache.delete(request);
  }
}

/** Like a success, with the sign that no server gave it. */
const kept = () =>
  new Response(JSON.stringify({ code: 0, [report.payload]: {} }), {
    headers: { 'content-type': 'application/json', [savedAtHeader]: String(Date.now()) },
  });

/** Keeps a report that did not arrive; false where only the page can. */
async function keptForLater(request: Request): Promise<boolean> {
  const { sync } = scope.registration as Syncing; // as above
  // the page has given it up, and has it in its own queue
  if (!sync || request.signal.aborted) return false;
  const parsed = v.safeParse(bodySchema, await request.json());
  if (!parsed.success) return false;
  const keeping = keep(JSON.stringify(parsed.output));
  const takeBack = await withinLimit(() => keeping);
  // the page has it in its queue as well: what is stored too late would be counted twice
  if (!takeBack) {
    keeping.then((undo) => undo()).catch(() => undefined);
    return false;
  }
  try {
    await sync.register(tag);
    return true;
  } catch (error) {
    // the customer has switched it off for this site
    console.info('Reports wait in the page.', error);
    await takeBack();
    return false;
  }
}

async function answerReport(event: FetchEvent): Promise<Response> {
  const copy = event.request.clone();
  let answer: Response | undefined;
  try {
    answer = await fetch(event.request);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  if (answer && !isAway(answer)) {
    event.waitUntil(sendKept());
    return answer;
  }
  if (await keptForLater(copy)) return kept();
  return answer ?? Response.error();
}

/** Reports go out at once where they can. */
export function sendReports(): void {
  const isReport = ({ request }: { request: Request }) => policyFor(request, scope.location.origin) === 'report';
  // a request of a page always comes as a fetch event
  registerRoute(isReport, ({ event }) => answerReport(event as FetchEvent), 'POST');
  scope.addEventListener('sync', (event) => {
    // as above
    const { tag: due } = event as SyncEvent;
    if (due === tag) (event as SyncEvent).waitUntil(sendKept()); // as above
  });
}
