import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import type { Deps } from '#server/deps.ts';
import { pageHeaders, bankPage, type BankPage } from '../page-html.ts';
import { bankApi } from './api.ts';
import { chargeOfPage } from './charges.ts';
import type { Family } from './family.ts';
import { families } from './families.ts';

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
    const charge = (await chargeOfPage(deps, id)) ?? (await bankPageOf.find?.(deps, id));
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
