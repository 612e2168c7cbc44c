import type { Context } from 'hono';
import type { App, AppEnv } from '#server/runtime/request/request-context.ts';
import { ApiRefusal, refusalOf, throwRefusal } from '#server/runtime/request/api-error.ts';
import { lockActiveCustomer, lockCustomer } from '../users.ts';
import type { TvDeviceName } from '../session.ts';
import { readProof } from '../request-session.ts';
import { recordAppLogin, signIn } from '../sign-in.ts';
import { callerOf } from '#server/runtime/request/caller.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Deps } from '#server/deps.ts';
import { countTryFrom, type Limit } from '#server/runtime/limits/throttle.ts';
import { findTvDeviceName, findTvDeviceNameByAgent } from './tv-device-names.ts';
import { openGrant, pollGrant, pollSeconds, consumeGrant, type GrantRow } from './device-grant.ts';
import { oauthAnswer, oauthError, oauthRefusal, readOauthForm } from './device-calls.ts';
import { assertSsoAllowed, findTokenCustomer, consumeSsoToken } from './sso.ts';
import { readSsoToken, type SsoClaims } from './sso-token.ts';

/**
 * The known clients: TV devices with the app, and the storefront in a TV's browser. Both are public clients without a
 * secret (RFC 8628, 5.6).
 */
const clients = new Map<string | undefined, GrantRow['client']>([
  ['box', 'box'],
  ['tv', 'tv'],
]);
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** Many TV devices may share an address. */
const openLimit: Limit = { tries: 60, windowMs: 60_000 };
const pollLimit: Limit = { tries: 600, windowMs: 60_000 };

/** The page that the QR code opens; without a target, the page that confirms the TV device. */
const targets: Readonly<Record<string, string>> = { orders: '/stb-orders', payment: '/stbPayment', plans: '/plan' };

/** The two endpoints of device grants, with OAuth's answers instead of the API's envelope. */
export function mountDeviceGrant(app: App, deps: Deps): void {
  app.post('/oauth/device_authorization', (c) => authorize(c, deps).catch(oauthRefusal));
  app.post('/oauth/token', (c) => token(c, deps).catch(oauthRefusal));
}

/** Device authorization request and response (RFC 8628, 3.1 and 3.2). */
async function authorize(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  c.set('route', '/oauth/device_authorization');
  const wait = await secondsToWait(c, deps, 'open', openLimit);
  if (wait) return oauthError('temporarily_unavailable', 429, { 'retry-after': String(wait) });
  const form = await readOauthForm(c, deps);
  if (!form) return oauthError('invalid_request');
  const client = clients.get(form.get('client_id'));
  if (!client) return oauthError('invalid_client', 401);
  const device = form.get('device') ?? '';
  const target = form.get('target') ?? '';
  const isKnown = target === '' || Object.hasOwn(targets, target);
  if ((client === 'box' && device === '') || !isKnown) return oauthError('invalid_request');
  const box =
    client === 'tv'
      ? findTvDeviceNameByAgent(callerOf(c, deps.env).userAgent)
      : findTvDeviceName(device, form.get('model') ?? '');
  const opened = await openFor(c, deps, { client, box, ssoToken: form.get('login_token') });
  if (opened instanceof ApiRefusal) return oauthError('invalid_grant', 400, {}, { errCode: opened.errCode });
  const { origin } = c.get('brand');
  const { deviceCode, userCode } = opened;
  return oauthAnswer({
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${origin}/device`,
    verification_uri_complete: `${origin}${targets[target] ?? '/device'}?user_code=${userCode}&st=STB`,
    expires_in: deps.env.SSO_QR_SECONDS,
    interval: pollSeconds,
  });
}

interface GrantRequest {
  readonly client: GrantRow['client'];
  readonly box: TvDeviceName;
  readonly ssoToken: string | undefined;
}

/**
 * Opens the grant; for a TV device that is logged in, with the account of its single sign-on token, which is consumed.
 */
async function openFor(c: Context<AppEnv>, deps: Deps, { client, box, ssoToken }: GrantRequest) {
  const brand = c.get('brand');
  const now = deps.clock();
  const grant = {
    brand: brand.code,
    client,
    device: box.maker,
    model: box.model,
    expiresAt: now + deps.env.SSO_QR_SECONDS * 1000,
  };
  try {
    if (ssoToken === undefined) return await openGrant(deps.db, { ...grant, uid: null }, deps);
    const claims = await readSsoToken(throwRefusal, ssoToken, { env: deps.env, brand, now });
    return await openForCustomer(deps, claims, { brand, grant });
  } catch (error) {
    // the caller returns it as an OAuth error
    if (error instanceof ApiRefusal) return error;
    throw error;
  }
}

async function openForCustomer(
  deps: Deps,
  claims: SsoClaims,
  { brand, grant }: { brand: Brand; grant: Omit<Parameters<typeof openGrant>[1], 'uid'> },
) {
  // the token of a link in the app must not be shown on a screen that anyone can photograph
  if (claims.src !== 'qr') throwRefusal('tokenError');
  const user = await findTokenCustomer(throwRefusal, deps.db, brand, claims);
  assertSsoAllowed(throwRefusal, user, claims, 'STB');
  return deps.db.transaction(async (tx) => {
    if (!(await lockActiveCustomer(tx, user))) throwRefusal('tokenError');
    await consumeSsoToken(throwRefusal, tx, grant.brand, claims);
    await recordAppLogin(tx, user);
    return openGrant(tx, { ...grant, uid: user.uid }, deps);
  });
}

/** Device access token request and response (RFC 8628, 3.4 and 3.5). */
async function token(c: Context<AppEnv>, deps: Deps): Promise<Response> {
  c.set('route', '/oauth/token');
  const wait = await secondsToWait(c, deps, 'poll', pollLimit);
  if (wait) return oauthError('slow_down', 429, { 'retry-after': String(wait) });
  const form = await readOauthForm(c, deps);
  if (!form) return oauthError('invalid_request');
  const client = clients.get(form.get('client_id'));
  if (!client) return oauthError('invalid_client', 401);
  if (form.get('grant_type') !== grantType) return oauthError('unsupported_grant_type');
  const deviceCode = form.get('device_code');
  if (deviceCode === undefined) return oauthError('invalid_request');
  const now = deps.clock();
  const polled = await pollGrant(deps.db, { brand: c.get('brand').code, client, deviceCode, now });
  if (!polled || polled.row.state === 'done') return oauthError('invalid_grant');
  if (polled.row.expiresAt <= now) return oauthError('expired_token');
  if (polled.early) return oauthError('slow_down');
  return answers[polled.row.state](c, deps, { deviceCode, row: polled.row });
}

interface Polled {
  readonly deviceCode: string;
  readonly row: GrantRow;
}
type Answer = (c: Context<AppEnv>, deps: Deps, polled: Polled) => Response | Promise<Response>;

const answers: Readonly<Record<GrantRow['state'], Answer>> = {
  waiting: () => oauthError('authorization_pending'),
  refused: () => oauthError('access_denied'),
  done: () => oauthError('invalid_grant'),
  granted: answerWithToken,
};

async function answerWithToken(c: Context<AppEnv>, deps: Deps, polled: Polled): Promise<Response> {
  const { dpop } = c.get('brand').config.login;
  const proof = dpop ? await readProof(c, deps).catch(refusalOf) : null;
  // RFC 9449, 5; the grant is not consumed, so the next poll may succeed
  if (proof instanceof ApiRefusal) return oauthError('invalid_dpop_proof');
  const user = await openDeviceSession(c, deps, { ...polled, keyHash: proof?.keyHash ?? null });
  // the account may not log in any more since the customer approved
  if (user instanceof ApiRefusal) return oauthError('access_denied', 400, {}, { errCode: user.errCode });
  // a concurrent poll has consumed the grant, or the account was evicted
  if (!user) return oauthError('invalid_grant');
  const seconds = Math.floor((user.expiration - deps.clock()) / 1000);
  const answer = { access_token: user.token, token_type: user.tokenType ?? 'Bearer', expires_in: seconds };
  // the storefront also needs the user, as after other logins (RFC 6749, 5.1 allows further members)
  return oauthAnswer(polled.row.client === 'tv' ? { ...answer, user } : answer);
}

async function openDeviceSession(
  c: Context<AppEnv>,
  deps: Deps,
  { deviceCode, row, keyHash }: Polled & { readonly keyHash: string | null },
) {
  const brand = c.get('brand');
  const caller = { deps, brand, ...callerOf(c, deps.env), keyHash, refuse: throwRefusal };
  const box = { maker: row.device, model: row.model };
  try {
    return await deps.db.transaction(async (tx) => {
      // locks the customer first, so that an eviction either deletes the grant before, or waits
      const customer = row.uid === null ? undefined : await lockCustomer(tx, { brand: brand.code, uid: row.uid });
      if (!customer || !(await consumeGrant(tx, brand.code, deviceCode))) return undefined;
      return await signIn(tx, customer, caller, { via: 'device', box });
    });
  } catch (error) {
    // the caller returns it as an OAuth error
    if (error instanceof ApiRefusal) return error;
    throw error;
  }
}

/** Seconds to wait, or 0. */
async function secondsToWait(c: Context<AppEnv>, deps: Deps, act: string, limit: Limit): Promise<number> {
  const { ip } = callerOf(c, deps.env);
  const taken = await countTryFrom(deps.db, `oauth ${act} ${c.get('brand').code}`, ip, limit, deps.clock());
  return taken.waitSeconds;
}
