import { paths } from '#contract/paths.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { hostileTexts } from './hostile-values.ts';
import { encoded, noise, searchOf, usualHeaders, type FuzzRequest } from './fuzz-request.ts';
import type { World } from './world.ts';

/** A path outside the API contract: TV devices, webhooks, pages, files, the sandbox. */
interface Door {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** the fields of its query or form */
  readonly fields: readonly string[];
  readonly type?: string;
}

const form = 'application/x-www-form-urlencoded';
const post = (path: string, ...fields: string[]): Door => ({ path, method: 'POST', fields, type: form });
const get = (path: string, ...fields: string[]): Door => ({ path, method: 'GET', fields });
const webhook = (path: string, type = 'application/json'): Door => ({
  path,
  method: 'POST',
  fields: ['id', 'type'],
  type,
});

const pages = Object.keys(paths).map((path) => get(path, 'language', 't', 'planId', 'token', 'return', 'status'));

const doors: readonly Door[] = [
  ...pages,
  post('/oauth/device_authorization', 'client_id', 'device', 'model', 'target', 'login_token'),
  post('/oauth/token', 'client_id', 'grant_type', 'device_code'),
  ...['sandbox', 'card', 'paypal', 'useepay', 'payssion', 'liquido', 'coins', 'transfer', '{id}'].map((name) =>
    webhook(`/webhooks/${name}`),
  ),
  webhook('/policy-reports', 'application/reports+json'),
  webhook('/policy-reports', 'application/csp-report'),
  get('/.well-known/security.txt'),
  get('/manifest.webmanifest', 'language'),
  get('/assets/{id}'),
  get('/icons/{id}/{id}'),
  get('/captcha/frame', 'key'),
  get('/healthz'),
  get('/readyz'),
  get('/healthz/caller'),
  get('/healthz/started'),
  get('/dev/outbox', 'to'),
  get('/dev/outbox.json', 'to'),
  get('/sandbox/desk'),
  post('/sandbox/desk', 'reference', 'objectId', 'verdict'),
  get('/sandbox/google/.well-known/openid-configuration'),
  get('/sandbox/google/authorize', 'client_id', 'redirect_uri', 'state', 'nonce', 'scope', 'response_type', 'prompt'),
  post('/sandbox/google/authorize', 'person', 'email', 'name', 'action'),
  post('/sandbox/google/token', 'client_id', 'client_secret', 'grant_type', 'code', 'code_verifier', 'redirect_uri'),
  post('/sandbox/captcha/token', 'sitekey'),
  post('/sandbox/captcha/siteverify', 'secret', 'response'),
  get('/sandbox/captcha/api.js', 'hl', 'onload'),
  ...['pay', 'pix', 'slip', 'wallet', 'mobile', 'coin', 'challenge'].flatMap((name) => [
    get(`/sandbox/bank/${name}/{id}`),
    post(`/sandbox/bank/${name}/{id}`, 'action'),
  ]),
  webhook('/sandbox/api/charges'),
  post('/sandbox/api/charges/{id}/inquire'),
  get('/sandbox/paypal/checkoutnow', 'token'),
  post('/sandbox/paypal/checkoutnow', 'token', 'action'),
  post('/sandbox/paypal/v1/oauth2/token', 'grant_type'),
  webhook('/sandbox/paypal/v2/checkout/orders'),
  webhook('/sandbox/paypal/v2/checkout/orders/{id}/capture'),
  webhook('/sandbox/paypal/v1/notifications/verify-webhook-signature'),
  get('/sandbox/{id}/{id}'),
  get('/{id}/{id}'),
  get('//{id}'),
  get('/api/{id}'),
];

const usual: Readonly<Record<string, readonly string[]>> = {
  client_id: ['box', 'marquee-sandbox'],
  grant_type: ['urn:ietf:params:oauth:grant-type:device_code', 'authorization_code'],
  device: ['Living room'],
  target: ['orders', 'plans'],
  language: ['en', 'ru'],
  action: ['pay', 'approve', 'cancel', 'decline'],
  verdict: ['accept', 'reject'],
  sitekey: ['sandbox-captcha-key'],
};

/** A random request to a path outside the contract. */
export function fuzzRequestToRoute(chance: SeededRandom, world: World): FuzzRequest {
  const door = chance.pick(doors);
  const actor = chance.pick(world.actors);
  const valueOf = (name: string) => {
    const known = usual[name] ?? world.words[name === 'id' ? 'id' : 'token'] ?? [];
    return known.length > 0 && chance.is(0.5) ? chance.pick(known) : chance.pick(hostileTexts);
  };
  const values = Object.fromEntries(door.fields.filter(() => chance.is(0.8)).map((name) => [name, valueOf(name)]));
  const path = door.path.replaceAll('{id}', () => encoded(valueOf('id')).slice(0, 4000));
  const isForm = door.type === form;
  return {
    at: `${door.method} ${door.path}`,
    method: chance.is(0.03) ? chance.pick(['PUT', 'HEAD', 'OPTIONS', 'DELETE']) : door.method,
    host: actor.host,
    target: path + (door.method === 'GET' ? searchOf(values, chance) : ''),
    headers: {
      ...usualHeaders(chance),
      ...(door.type !== undefined && {
        'Content-Type': chance.is(0.95) ? door.type : chance.pick(['', 'text/plain', 'x/y;z']),
      }),
      ...(chance.is(0.2) && { 'x-sandbox-timestamp': '1', 'x-sandbox-signature': 'ff' }),
    },
    ...(door.method === 'POST' && {
      body: chance.is(0.05) ? noise(chance) : isForm ? searchOf(values, chance).slice(1) : JSON.stringify(values),
    }),
  };
}
