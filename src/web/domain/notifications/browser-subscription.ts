import type { BrowserSubscription } from '#contract/push.ts';
import { workerRegistration } from '#web/platform/session/storage/worker-registration.ts';

/** The browser cannot subscribe: it refuses, has no worker, or cannot reach its push service. */
export class NoSubscription extends Error {}

/**
 * Returns the browser's subscription for this key of the shop and creates it if it is missing. Throws `NoSubscription`.
 */
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
    // a DOMException means that the push service is missing or unreachable, or that the permission was withdrawn
    if (!(cause instanceof DOMException)) throw cause;
    throw new NoSubscription(cause.message, { cause });
  }
  throw new NoSubscription('the subscription has no keys');
}

/** A subscription for another key is useless and prevents a new one. */
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

/** Removes the browser's subscription, if it has one. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await workerRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
