import { eq } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import type { PushAbout } from '#contract/push.ts';
import { tokenHash } from '#server/auth/session.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { aPushBrowser, type PushBrowser } from './a-push-browser.ts';
import { byPix, type Buyer, type Shop } from './a-shop.ts';
import type { TestApp } from './test-app.ts';

const dayMs = 24 * 60 * 60_000;

type Asking = Pick<TestApp, 'app' | 'request'>;
interface Who {
  readonly token: string;
  readonly host?: string;
}

/** The key that a browser of this customer subscribes with. */
export async function pushKey({ request }: Asking, { token, host }: Who): Promise<string> {
  return (await request(endpoints.listPush, { body: {} }, { token, host })).data.key;
}

/** A new browser of a customer. */
export async function aBrowserOf(shop: Asking, who: Who): Promise<PushBrowser> {
  const { host = 'localhost' } = who;
  const ask = async (path: string, init?: RequestInit) =>
    shop.app.request(`http://${host}${path}`, { ...init, headers: { Host: host } });
  return aPushBrowser(ask, await pushKey(shop, who));
}

/** A customer asks in this browser to be told. */
export async function subscribeToPush(shop: Asking, who: Who, browser: PushBrowser, about: PushAbout) {
  const body = { ...browser.subscription, key: await pushKey(shop, who), about };
  return shop.request(endpoints.subscribePush, { body }, who);
}

/** A customer with a Pix code that waits. */
export async function aWaitingBuyer(shop: Shop): Promise<{ ana: Buyer; orderId: string }> {
  const ana = await oneBuyer(shop);
  const { data } = await ana.pay(byPix);
  return { ana, orderId: data.orderId };
}

/** Somebody who is signed in. */
export async function oneBuyer(shop: Shop): Promise<Buyer> {
  const [buyer] = await shop.buyers(1);
  if (!buyer) throw new Error('no buyer');
  return buyer;
}

/** The same customer on one more device. */
export async function onAnotherDevice(shop: Shop, { uid, ...ana }: Buyer) {
  const token = shop.deps.random.token(32);
  const times = { createdAt: shop.clock.now, expiresAt: shop.clock.now + dayMs };
  await shop.db.insert(sessions).values({ tokenHash: tokenHash(token), brand: 'lumen', uid, ...times });
  return { ...ana, token };
}

/** The money of every open charge arrives. */
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
