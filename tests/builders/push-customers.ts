import { eq } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import type { PushAbout } from '#contract/push.ts';
import { tokenHash } from '#server/auth/session.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { aPushBrowser, type PushBrowser } from './a-push-browser.ts';
import { byPix, type Buyer, type Shop } from './a-shop.ts';
import type { TestApp } from './test-app.ts';

const dayMs = 24 * 60 * 60_000;

type ShopCalls = Pick<TestApp, 'app' | 'request'>;
interface LoggedIn {
  readonly token: string;
  readonly host?: string;
}

/** The VAPID key that a browser of this customer subscribes with. */
export async function pushKey({ request }: ShopCalls, { token, host }: LoggedIn): Promise<string> {
  return (await request(endpoints.listPush, { body: {} }, { token, host })).data.key;
}

/** A new browser of a customer. */
export async function aBrowserOf(shop: ShopCalls, who: LoggedIn): Promise<PushBrowser> {
  const { host = 'localhost' } = who;
  const send = async (path: string, init?: RequestInit) =>
    shop.app.request(`http://${host}${path}`, { ...init, headers: { Host: host } });
  return aPushBrowser(send, await pushKey(shop, who));
}

/** Subscribes a browser to messages about something. */
export async function subscribeToPush(shop: ShopCalls, who: LoggedIn, browser: PushBrowser, about: PushAbout) {
  const body = { ...browser.subscription, key: await pushKey(shop, who), about };
  return shop.request(endpoints.subscribePush, { body }, who);
}

/** A customer with an unpaid Pix code. */
export async function aWaitingBuyer(shop: Shop): Promise<{ ana: Buyer; orderId: string }> {
  const ana = await oneBuyer(shop);
  const { data } = await ana.pay(byPix);
  return { ana, orderId: data.orderId };
}

/** A customer who is logged in. */
export async function oneBuyer(shop: Shop): Promise<Buyer> {
  const [buyer] = await shop.buyers(1);
  if (!buyer) throw new Error('no buyer');
  return buyer;
}

/** The same customer with a session on another device. */
export async function onAnotherDevice(shop: Shop, { uid, ...ana }: Buyer) {
  const token = shop.deps.random.token(32);
  const times = { createdAt: shop.clock.now, expiresAt: shop.clock.now + dayMs };
  await shop.db.insert(sessions).values({ tokenHash: tokenHash(token), brand: 'lumen', uid, ...times });
  return { ...ana, token };
}

/** Pays every open charge and delivers the notices. */
export async function settleAllCharges(shop: Shop): Promise<void> {
  for (const { publicId, status } of (await shop.books()).charges) {
    if (status === 'waiting') await shop.press(`/sandbox/bank/pix/${publicId}`, 'pay');
  }
  await shop.deliver(300);
}

export async function setAccessEnd(shop: Shop, { uid }: Pick<Buyer, 'uid'>, at: number | null): Promise<void> {
  await shop.db.update(users).set({ expiredTime: at }).where(eq(users.uid, uid));
}

/** The subscriptions of a customer, as the account shows them. */
export async function listedPush(shop: Shop, who: Pick<Buyer, 'token' | 'host'>) {
  return (await shop.request(endpoints.listPush, { body: {} }, who)).data;
}
