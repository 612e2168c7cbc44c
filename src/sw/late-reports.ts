import * as v from 'valibot';
import { Queue } from 'workbox-background-sync';
import { registerRoute } from 'workbox-routing';
import { addressOf } from '#contract/endpoint.ts';
import { report } from '#contract/analytics.ts';
import { savedAtHeader } from '#contract/worker.ts';
import { workerMessageSchema } from '#contract/worker-messages.ts';
import { isGatewayError } from './response-kinds.ts';
import { beforeEnd } from './kill-switch.ts';
import { scope } from './cache-names.ts';
import { policyFor } from './policy.ts';
import { withinLimit } from './store-limits.ts';

/**
 * Analytics reports that reach no server wait in a Workbox queue (`reportsDatabase`), without token or page headers. They
 * are sent after any report that arrives, and by Background Sync; where a browser lacks that, when a worker starts. The
 * page removes its copy.
 */
const queueName = 'late-reports';
/** Beyond this number the oldest are deleted. */
const maxEntries = 20;
const maxRetentionMinutes = 7 * 24 * 60;
/** How long sending waits for the database, in milliseconds. No page waits for it. */
const sendingStoreLimitMs = 5_000;

// the page's headers contain its token
const requestWith = (body: string): Request =>
  new Request(new URL(addressOf(report), scope.location.href), {
    method: report.method,
    body,
    headers: { 'Content-Type': 'application/json', Authorization: 'null' },
  });

/** Undefined where the queue is empty or fails. An entry that comes too late is lost: it counts less than a free worker. */
const takeFirst = (queue: Queue) => withinLimit(() => queue.shiftRequest(), sendingStoreLimitMs);

async function sendEntries(queue: Queue): Promise<void> {
  for (let entry = await takeFirst(queue); entry; entry = await takeFirst(queue)) {
    const unsent = entry;
    try {
      // accepted or refused: it would be refused again
      if (isGatewayError(await fetch(unsent.request.clone()))) throw new Error('The server is away');
    } catch (error) {
      await withinLimit(() => queue.unshiftRequest(unsent), sendingStoreLimitMs);
      throw error;
    }
  }
}

let sending: Promise<void> | undefined;

/** Rejects while there is no network: the browser then repeats its sync event, at growing intervals. */
function sendQueued(queue: Queue): Promise<void> {
  // two senders would read the same first entry
  sending ??= sendEntries(queue).finally(() => (sending = undefined));
  return sending;
}

async function deleteQueued(queue: Queue): Promise<void> {
  // an entry that is being sent returns to the queue if that fails
  await Promise.allSettled([sending]);
  while (await takeFirst(queue));
}

function openQueue(): Queue {
  const hasSync = 'sync' in scope.registration;
  return new Queue(queueName, {
    maxRetentionTime: maxRetentionMinutes,
    onSync: ({ queue }) => {
      if (hasSync) return sendQueued(queue);
      // Workbox calls this when the worker starts, and handles no rejection
      return sendQueued(queue).catch((error: unknown) => console.info('Reports wait for a network.', error));
    },
  });
}

async function deleteSurplus(queue: Queue): Promise<void> {
  // reading deletes those that are too old
  const { length } = await queue.getAll();
  for (let surplus = length - maxEntries; surplus > 0; surplus -= 1) await queue.shiftRequest();
}

/** Like a success, with the header that tells the page that no server sent it. */
const queuedResponse = () =>
  new Response(JSON.stringify({ code: 0, [report.payload]: {} }), {
    headers: { 'content-type': 'application/json', [savedAtHeader]: String(Date.now()) },
  });

/** Queues a report that did not arrive; false where the page has to retain it. */
async function queueReport(queue: Queue, request: Request): Promise<boolean> {
  // the page has aborted it, and has it in its own queue
  if (request.signal.aborted) return false;
  const parsed = v.safeParse(report.body, await request.json());
  if (!parsed.success) return false;
  const pushing = queue.pushRequest({ request: requestWith(JSON.stringify(parsed.output)) });
  const isStored = await withinLimit(() => pushing.then(() => true));
  if (!isStored) {
    // the page retains it, so that it would be counted twice; where nothing was stored, there is nothing to remove
    pushing.then(() => queue.popRequest()).catch((error: unknown) => console.info('A report was not queued.', error));
    return false;
  }
  await withinLimit(() => deleteSurplus(queue));
  return true;
}

async function answerReport(queue: Queue, event: FetchEvent): Promise<Response> {
  const copy = event.request.clone();
  let answer: Response | undefined;
  try {
    answer = await fetch(event.request);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  if (answer && !isGatewayError(answer)) {
    event.waitUntil(sendQueued(queue));
    return answer;
  }
  if (await queueReport(queue, copy)) return queuedResponse();
  return answer ?? Response.error();
}

/** Sends reports at once where the network allows it, else later. Logout and the kill switch delete those that wait. */
export function sendReports(): void {
  const queue = openQueue();
  const isReport = ({ request }: { request: Request }) => policyFor(request, scope.location.origin) === 'report';
  // as: a request of a page always comes as a fetch event
  registerRoute(isReport, ({ event }) => answerReport(queue, event as FetchEvent), 'POST');
  scope.addEventListener('message', (event) => {
    const message = v.safeParse(workerMessageSchema, event.data);
    if (message.success && message.output.type === 'WIPE') event.waitUntil(deleteQueued(queue));
  });
  beforeEnd(() => deleteQueued(queue));
}
