import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { App, AppEnv } from '../../app-env.ts';
import type { Deps } from '../../deps.ts';
import { pageHeaders } from '../page-headers.ts';
import { bankPage, type BankPage } from '../page-html.ts';
import { sandboxBase } from './account.ts';
import { sandboxPaypal } from './api.ts';
import { approve, findOrder } from './books.ts';
import type { Order } from './order.ts';
import { checkoutPage, wayBack } from './page.ts';

/** The sandbox PayPal: its API, and its page for people. It makes way for the real one. */
export function mountSandboxPaypal(app: App, deps: Deps): void {
  if (deps.env.PAYPAL_CLIENT_ID !== undefined) return;
  app.route('/', sandboxPaypal(deps));
  const path = `${sandboxBase}/checkoutnow`;
  const form = bodyLimit({ maxSize: 1024, onError: () => page(413, { title: 'Too much', lines: ['Try again.'] }) });
  app.get(path, async (c) => {
    const order = await orderOf(c, deps);
    return order ? page(200, checkoutPage(order)) : page(404, notFound);
  });
  app.post(path, form, async (c) => {
    const order = await orderOf(c, deps);
    if (!order) return page(404, notFound);
    const action = new URLSearchParams(await c.req.text()).get('action');
    const approved = action === 'approve' || action === 'decline';
    if (approved) await approve(deps, order, { declines: action === 'decline' });
    return c.redirect(wayBack(order, { approved }), 303);
  });
}

const notFound: BankPage = { title: 'Not found', lines: ['PayPal knows no such payment, or knows it no longer.'] };

async function orderOf(c: Context<AppEnv>, deps: Deps): Promise<Order | undefined> {
  c.set('route', `${sandboxBase}/checkoutnow`);
  return findOrder(deps, c.req.query('token') ?? '');
}

function page(status: number, content: BankPage): Response {
  return new Response(bankPage(content), { status, headers: pageHeaders });
}
