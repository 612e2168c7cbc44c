import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { App, AppEnv } from '../app-env.ts';
import type { Deps } from '../deps.ts';
import { answerChallenge, chargeOfPage, payPix, type Charge } from './bank.ts';
import { bankPage, challengePage, pageStyle, pixPage, type BankPage } from './page-html.ts';

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

const pageHeaders = {
  'content-type': 'text/html; charset=UTF-8',
  // A form's redirect counts as its target too, and the challenge sends its holder back to the shop on this origin.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** The pages of the sandbox bank: `/sandbox/bank/challenge/{id}` and `/sandbox/bank/pix/{id}`. */
export function mountSandbox(app: App, deps: Deps): void {
  const smallForm = bodyLimit({
    maxSize: 1024,
    onError: () => page(413, { title: 'Too much', lines: ['Try again.'] }),
  });

  app.get('/sandbox/bank/challenge/:id', (c) => show(c, deps, 'card', challengePage));
  app.post('/sandbox/bank/challenge/:id', smallForm, async (c) => {
    const { id } = c.req.param();
    const action = await actionOf(c);
    if (action === 'approve' || action === 'refuse') await answerChallenge(deps, id, action === 'approve');
    const charge = await chargeOfPage(deps, id);
    return charge?.kind === 'card' ? c.redirect(charge.returnUrl, 303) : page(404, notFound);
  });

  app.get('/sandbox/bank/pix/:id', (c) => show(c, deps, 'pix', pixPage));
  app.post('/sandbox/bank/pix/:id', smallForm, async (c) => {
    const { id } = c.req.param();
    const action = await actionOf(c);
    if (action === 'pay' || action === 'pay-late') await payPix(deps, id, action === 'pay-late');
    return c.redirect(c.req.path, 303);
  });
}

const notFound: BankPage = { title: 'Not found', lines: ['The bank knows no such payment.'] };

async function show(c: Context<AppEnv>, deps: Deps, kind: Charge['kind'], view: (charge: Charge) => BankPage) {
  c.set('route', `/sandbox/bank/${kind}`);
  const charge = await chargeOfPage(deps, c.req.param('id') ?? '');
  return charge?.kind === kind ? page(200, view(charge)) : page(404, notFound);
}

async function actionOf(c: Context<AppEnv>): Promise<string> {
  const form = new URLSearchParams(await c.req.text());
  return form.get('action') ?? '';
}

function page(status: number, content: BankPage): Response {
  return new Response(bankPage(content), { status, headers: pageHeaders });
}
