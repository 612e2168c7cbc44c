import * as v from 'valibot';
import { addressOf } from '#contract/endpoint.ts';
import { pushMessageSchema, renewPush } from '#contract/push.ts';
import { workerMessageSchema } from '#contract/worker-messages.ts';
import { chooseWindow } from './choose-window.ts';
import { scope } from './cache-names.ts';

/** The data of a notification. */
const notificationDataSchema = v.object({ path: pushMessageSchema.entries.path });

/** Shows a push message. Browsers require every one to be shown, so an invalid one shows the site's host. */
async function showMessage(data: PushMessageData | null): Promise<void> {
  const message = v.safeParse(v.pipe(v.string(), v.parseJson(), pushMessageSchema), data?.text());
  if (!message.success) return scope.registration.showNotification(scope.location.host, { data: { path: '/account' } });
  const { title, body, icon, tag, path, language: lang } = message.output;
  return scope.registration.showNotification(title, { body, icon, tag, lang, data: { path } });
}

/** Opens the page of a message: in an open window that may be navigated, else in a new one. */
async function openPage({ data }: Notification): Promise<void> {
  const parsed = v.safeParse(notificationDataSchema, data);
  const path = parsed.success ? parsed.output.path : '/account';
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const place = chooseWindow(
    path,
    windows.map(({ url }) => url),
  );
  const client = place && windows[place.index];
  if (!client) return void (await scope.clients.openWindow(path));
  await client.focus();
  if (place.needsNavigation) await navigate(client, path);
}

/** A page controlled by another worker cannot be navigated. */
async function navigate(client: WindowClient, path: string): Promise<void> {
  try {
    await client.navigate(path);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    await scope.clients.openWindow(path);
  }
}

/** The browser has changed its subscription: the worker sends the new one, with the secret of the old. */
async function renewSubscription({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const old = oldSubscription?.toJSON();
  if (!oldSubscription || old?.endpoint === undefined) return;
  const fresh = newSubscription ?? (await scope.registration.pushManager.subscribe(oldSubscription.options));
  const { endpoint, keys } = fresh.toJSON();
  const body = {
    old: { endpoint: old.endpoint, auth: old.keys?.['auth'] },
    endpoint,
    keys: { p256dh: keys?.['p256dh'], auth: keys?.['auth'] },
  };
  const headers = { 'Content-Type': 'application/json', Authorization: 'null' };
  await fetch(addressOf(renewPush), {
    method: renewPush.method,
    headers,
    body: JSON.stringify(body),
    credentials: 'omit',
  });
}

/** Closes the customer's notifications after logout. */
async function closeNotifications(): Promise<void> {
  for (const notification of await scope.registration.getNotifications()) notification.close();
}

/** Handles push messages ([Note: Push] in the contract). */
export function handlePushMessages(): void {
  scope.addEventListener('push', (event) => event.waitUntil(showMessage(event.data)));
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openPage(event.notification));
  });
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)));
  scope.addEventListener('message', (event) => {
    const message = v.safeParse(workerMessageSchema, event.data);
    if (message.success && message.output.type === 'WIPE') event.waitUntil(closeNotifications());
  });
}
