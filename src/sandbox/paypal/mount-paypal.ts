import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Deps } from '#server/deps.ts';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import { pageHeaders, bankPage, type BankPage } from '#sandbox/page-html.ts';
import { sandboxBase, sandboxAccount } from './events.ts';
import { sandboxPaypal } from './api.ts';
import { approveSetup, findSetup, type Setup } from './accounts.ts';
import type { Order } from './events.ts';
import { approve, findOrder } from './orders.ts';
import { formatMoney } from '#contract/money.ts';
import type { Sandbox } from '#server/runtime/wiring/sandbox.ts';
import { providerFetch } from '#server/runtime/outbound.ts';

/** Mounts the sandbox PayPal, its API and its page, unless PayPal itself is configured. */
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
    return c.redirect(returnPath(order, { approved }), 303);
  });
  mountAccountPage(app, deps, form);
}

/** The page on which a payer lets the shop charge the account later. */
function mountAccountPage(app: App, deps: Deps, form: MiddlewareHandler): void {
  const path = `${sandboxBase}/agreements/approve`;
  const setupOf = async (c: Context<AppEnv>) => {
    c.set('route', path);
    return findSetup(deps, c.req.query('approval_session_id') ?? '');
  };
  app.get(path, async (c) => {
    const setup = await setupOf(c);
    return setup ? page(200, agreementPage(setup)) : page(404, notFound);
  });
  app.post(path, form, async (c) => {
    const setup = await setupOf(c);
    if (!setup) return page(404, notFound);
    const action = new URLSearchParams(await c.req.text()).get('action');
    const approved = action === 'approve' || action === 'decline';
    if (approved) await approveSetup(deps, setup, { declines: action === 'decline' });
    const back = new URL(approved ? setup.returnUrl : setup.cancelUrl);
    // as PayPal appends them: both are the setup token
    back.searchParams.set('approval_token_id', setup.id);
    back.searchParams.set('approval_session_id', setup.id);
    return c.redirect(back.href, 303);
  });
}

function agreementPage({ status, cancelUrl }: Setup): BankPage {
  if (status !== 'PAYER_ACTION_REQUIRED')
    return { title: 'Nothing to do', lines: ['This agreement has been answered.'], back: cancelUrl };
  return {
    title: 'Save PayPal for later payments',
    lines: [
      'You are signed in as a buyer who has no money, and none of it will be taken.',
      'You agree that this shop may charge your account for renewals.',
    ],
    buttons: [
      { action: 'approve', label: 'Agree and continue', primary: true },
      { action: 'decline', label: 'Agree, and decline later charges', primary: false },
      { action: 'refuse', label: 'Cancel and return', primary: false },
    ],
  };
}

const notFound: BankPage = { title: 'Not found', lines: ['PayPal knows no such payment, or knows it no longer.'] };

async function orderOf(c: Context<AppEnv>, deps: Deps): Promise<Order | undefined> {
  c.set('route', `${sandboxBase}/checkoutnow`);
  return findOrder(deps, c.req.query('token') ?? '');
}

function page(status: number, content: BankPage): Response {
  return new Response(bankPage(content), { status, headers: pageHeaders });
}

/** The payer's page. */
function checkoutPage({ status, amount, currency, cancelUrl, saves }: Order): BankPage {
  if (status === 'COMPLETED' || status === 'VOIDED') {
    return { title: 'Nothing to do', lines: ['This payment has ended.'], back: cancelUrl };
  }
  return {
    title: 'Pay with PayPal',
    lines: [
      'You are signed in as a buyer who has no money, and none of it will be taken.',
      ...(saves ? ['You also agree that this shop may charge your account for renewals.'] : []),
    ],
    rows: [['Amount', formatMoney({ amount, currency }, 'en')]],
    buttons: [
      { action: 'approve', label: 'Pay', primary: true },
      { action: 'decline', label: 'Pay by a card that is declined', primary: false },
      { action: 'refuse', label: 'Cancel and return', primary: false },
    ],
  };
}

/** The return URL with PayPal's parameters: the order, and the payer after an approval. */
export function returnPath({ id, returnUrl, cancelUrl }: Order, { approved }: { approved: boolean }): string {
  const back = new URL(approved ? returnUrl : cancelUrl);
  back.searchParams.set('token', id);
  if (approved) back.searchParams.set('PayerID', 'SANDBOXPAYER1');
  return back.href;
}

/** In process or, with `SANDBOX_WIRE`, over a real connection that a test can break. */
export const openSandboxPaypal: Sandbox['paypalAccount'] = (deps) => {
  const account = sandboxAccount(deps.env);
  const wire = deps.env.SANDBOX_WIRE;
  if (wire !== undefined) return { ...account, base: wire + sandboxBase, send: providerFetch(wire) };
  const paypal = sandboxPaypal(deps);
  return { ...account, base: `http://sandbox.paypal${sandboxBase}`, send: async (request) => paypal.fetch(request) };
};
