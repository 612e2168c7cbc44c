import { eq, sql } from 'drizzle-orm';
import { sandboxNotices } from '#sandbox/schema.ts';
import type { Deliver, Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { signNotice } from '#server/payments/notice-signature.ts';
import { noticeSecret, signatureHeader, timestampHeader } from '#sandbox/gateway/protocol.ts';
import { noticeHeaders, sandboxWebhookId } from '#sandbox/paypal/events.ts';
import type { Bank } from './bank.ts';
import { applyScheduledOutcomes, findChargeByPublicId } from './charges.ts';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { pageHeaders, bankPage, type BankPage } from '#sandbox/page-html.ts';
import { bankApi } from './api.ts';
import type { Family } from './family.ts';
import { families } from './families.ts';

const repeatAfterMs = 1200;
const batch = 20;

/**
 * Delivers due notices, each twice, signed when sent. Claiming a notice moves its due time, so that no other process
 * takes it and a crash only delays it. Returns how many were sent.
 */
export async function deliverNotices(
  bank: Bank,
  { secret, origin, deliver }: { secret: string; origin: string; deliver: Deliver },
): Promise<number> {
  const { db, clock } = bank;
  const now = clock();
  await applyScheduledOutcomes(bank);
  const due = db
    .select({ id: sandboxNotices.id })
    .from(sandboxNotices)
    .where(sql`${sandboxNotices.dueAt} <= ${now}`)
    .orderBy(sandboxNotices.dueAt)
    .limit(batch)
    .for('update', { skipLocked: true });
  const claimed = await db
    .update(sandboxNotices)
    .set({ dueAt: now + repeatAfterMs })
    .where(sql`${sandboxNotices.id} = any(array${due})`)
    .returning();
  for (const notice of claimed) {
    if (await send(notice, { now, secret, origin, deliver })) await decrementRepeats(bank, notice);
  }
  return claimed.length;
}

/** As `deliverNotices`, to the default brand's origin. */
export const deliverDueNotices: Sandbox['deliverNotices'] = async (deps, deliver) => {
  const origin = deps.catalog.byCode(deps.env.DEFAULT_BRAND)?.origin;
  if (origin) await deliverNotices(deps, { secret: noticeSecret(deps.env), origin, deliver });
};

/** Decrements the remaining deliveries; deletes the notice after the last. */
async function decrementRepeats({ db }: Bank, { id, repeats }: { id: string; repeats: number }): Promise<void> {
  const same = eq(sandboxNotices.id, id);
  if (repeats > 1)
    await db
      .update(sandboxNotices)
      .set({ repeats: repeats - 1 })
      .where(same);
  else await db.delete(sandboxNotices).where(same);
}

type Due = typeof sandboxNotices.$inferSelect;

async function send(
  notice: Due,
  { now, secret, origin, deliver }: { now: number; secret: string; origin: string; deliver: Deliver },
): Promise<boolean> {
  const { body, gateway } = notice;
  const url = `${origin}/webhooks/${gateway}`;
  const headers = { 'content-type': 'application/json', ...signatureHeaders(notice, { now, secret, origin }) };
  try {
    const response = await deliver(new Request(url, { method: 'POST', headers, body }));
    return response.status < 500;
  } catch {
    // the server is down: the notice stays and is sent again
    return false;
  }
}

/** Each provider has its own signature; the sandbox PayPal uses PayPal's. */
function signatureHeaders(
  { id, gateway, body }: Due,
  { now, secret, origin }: { now: number; secret: string; origin: string },
): Record<string, string> {
  if (gateway === 'paypal') return noticeHeaders(secret, { id, webhookId: sandboxWebhookId, body, now, origin });
  return { [timestampHeader]: String(now), [signatureHeader]: signNotice(secret, now, body) };
}

/** Mounts the sandbox bank: its API for adapters, and its pages at `/sandbox/bank/{page}/{id}`. */
export function mountSandboxBank(app: App, deps: Deps): void {
  app.route('/', bankApi(deps));
  const smallForm = bodyLimit({
    maxSize: 1024,
    onError: () => page(413, { title: 'Too much', lines: ['Try again.'] }),
  });
  for (const family of Object.values(families)) if (family.page) mountPage(app, deps, family.page, smallForm);
}

function mountPage(app: App, deps: Deps, bankPageOf: NonNullable<Family['page']>, form: Limit) {
  const { name, show, press, leaves } = bankPageOf;
  const path = `/sandbox/bank/${name}/:id`;
  const find = async (c: Context<AppEnv>) => {
    c.set('route', `/sandbox/bank/${name}`);
    const id = c.req.param('id') ?? '';
    const charge = (await findChargeByPublicId(deps, id)) ?? (await bankPageOf.find?.(deps, id));
    return charge && families[charge.kind].page?.name === name ? charge : undefined;
  };
  app.get(path, async (c) => {
    const charge = await find(c);
    return charge ? page(200, show(charge, deps.clock())) : page(404, notFound);
  });
  app.post(path, form, async (c) => {
    const charge = await find(c);
    if (!charge) return page(404, notFound);
    await press(deps, charge, await actionOf(c));
    return c.redirect(leaves ? charge.returnUrl : c.req.path, 303);
  });
}

type Limit = ReturnType<typeof bodyLimit>;

const notFound: BankPage = { title: 'Not found', lines: ['The bank knows no such payment.'] };

async function actionOf(c: Context<AppEnv>): Promise<string> {
  const form = new URLSearchParams(await c.req.text());
  return form.get('action') ?? '';
}

function page(status: number, content: BankPage): Response {
  return new Response(bankPage(content), { status, headers: pageHeaders });
}
