import type { BrowserSubscription } from '#contract/push.ts';
import { workerRegistration } from '#web/platform/session/storage/worker-registration.ts';

/** The browser has no subscription to give: it says so, or has no worker, or no way to its own push service. */
export class NoSubscription extends Error {}

/** The browser's subscription for this key of the shop, made if there is none; throws `NoSubscription`. */
export async function subscribeBrowser(key: string): Promise<BrowserSubscription> {
  const registration = await workerRegistration();
  if (!registration) throw new NoSubscription('there is no worker');
  try {
    const subscription = await currentOrNew(registration.pushManager, key);
    const { endpoint, keys } = subscription.toJSON();
    const [p256dh, auth] = [keys?.['p256dh'], keys?.['auth']];
    if (endpoint !== undefined && p256dh !== undefined && auth !== undefined)
      return { endpoint, keys: { p256dh, auth } };
  } catch (cause) {
    // the browser's own word for a push service that it cannot reach or does not have, or a permission taken back
    if (!(cause instanceof DOMException)) throw cause;
    throw new NoSubscription(cause.message, { cause });
  }
  throw new NoSubscription('the subscription has no keys');
}

/** One that was made for another key is of no use, and stands in the way of a new one. */
async function currentOrNew(manager: PushManager, key: string): Promise<PushSubscription> {
  const current = await manager.getSubscription();
  if (current && keyOf(current) === key) return current;
  await current?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Lets go of the browser's subscription, if it has one. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await workerRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
