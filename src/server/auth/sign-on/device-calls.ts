import type * as contract from '#contract/sign-on.ts';
import { maskAccount } from '#contract/mask.ts';
import { lockCustomer } from '../users.ts';
import { hasSession } from '../session.ts';
import { signIn } from '../sign-in.ts';
import type { Database } from '#server/db/connect.ts';
import type { RequestContext, AppEnv, Handler } from '#server/runtime/request/request-context.ts';
import { handoverOfUserCode, findByUserCode } from '../handover-rows.ts';
import { planName } from '#server/site/plan.ts';
import { findCustomerByUid } from './sso.ts';
import { answerGrant, grantOfUserCode } from './device-grant.ts';
import type { Context } from 'hono';
import { ApiRefusal } from '#server/runtime/request/api-error.ts';
import type { BodyGateDeps } from '#server/runtime/request/body-gate.ts';
import { readText } from '#server/runtime/request/read-bytes.ts';

/** What a TV's code is for, before the customer approves it. */
export const deviceQuery: Handler<typeof contract.deviceQuery> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const found = await findByUserCode(context, () => pendingRequest(body.userCode, context));
  const { device, model, uid, plan, expiresAt } = found;
  const owner = uid === null ? undefined : await findCustomerByUid(deps.db, brand.code, uid);
  const account = owner ? maskAccount(owner.account) : null;
  const isOwn = owner !== undefined && owner.uid === user?.uid;
  return { device, model, account, isOwn, expiresAt, ...(plan !== undefined && { plan }) };
};

/**
 * The pending request of a code: a login of a TV, a TV that shares its account, or a handed-over checkout ([Note:
 * Hand-over]) with the account that pays.
 */
async function pendingRequest(userCode: string, { deps, brand, language }: RequestContext) {
  const grant = await grantOfUserCode(deps.db, brand.code, userCode);
  if (grant) return { ...grant, uid: grant.signedIn ? grant.uid : null, plan: undefined };
  const handover = await handoverOfUserCode(deps.db, brand.code, userCode);
  return handover && { ...handover, plan: planName(brand, handover.purchase.planId, language) ?? '' };
}

/** The customer's answer: the TV's account is opened on the phone, or the phone's account on the TV. */
export const deviceConfirm: Handler<typeof contract.deviceConfirm> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const { userCode, approve, device } = body;
  const grant = await findByUserCode(context, () => grantOfUserCode(deps.db, brand.code, userCode));
  if (approve && !grant.signedIn && !user) return context.refuse('invalidToken');
  return deps.db.transaction(async (tx) => {
    const uid = grant.signedIn ? grant.uid : (user?.uid ?? null);
    const owner = approve && uid !== null ? await lockCustomer(tx, { brand: brand.code, uid }) : undefined;
    // The session may have been evicted during the wait for the lock, and a TV must not stay logged in after that.
    if (approve && !grant.signedIn && !(await stillSignedIn(tx, context))) return context.refuse('invalidToken');
    const answer = { brand: brand.code, userCode, approve, uid, now: deps.clock() };
    const answered = await answerGrant(tx, answer);
    if (!answered) return context.refuse('codeNotFound');
    if (!approve || !answered.signedIn || !owner) return { user: null };
    return { user: await signIn(tx, owner, context, { via: 'device', device }) };
  });
};

async function stillSignedIn(tx: Database, { brand, tokenHash }: RequestContext): Promise<boolean> {
  return tokenHash !== null && (await hasSession(tx, brand.code, tokenHash));
}

/** The headers of OAuth answers (RFC 6749, 5.1 and 5.2): JSON that is not cached. */
const headers = {
  'content-type': 'application/json; charset=UTF-8',
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

type OauthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_dpop_proof'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'access_denied'
  | 'temporarily_unavailable';

/** Forms of both endpoints have a few short values. */
const maxBytes = 8 * 1024;

export function oauthAnswer(body: object, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

/** `more` is added to the error, for diagnosis. */
export function oauthError(
  error: OauthError,
  status = 400,
  moreHeaders: Readonly<Record<string, string>> = {},
  more: object = {},
): Response {
  return new Response(JSON.stringify({ error, ...more }), { status, headers: { ...headers, ...moreHeaders } });
}

/** Converts a refusal of the body into an OAuth error; other errors are thrown again. */
export function oauthRefusal(error: unknown): Response {
  if (!(error instanceof ApiRefusal)) throw error;
  if (error.status !== 503) return oauthError('invalid_request', error.status);
  return oauthError('temporarily_unavailable', 503, { 'retry-after': String(error.params?.waitSeconds ?? 3) });
}

/** Reads and parses a form, if the content type is that of a form. */
export async function readOauthForm(
  c: Context<AppEnv>,
  deps: BodyGateDeps,
): Promise<ReadonlyMap<string, string> | undefined> {
  return isForm(c) ? parseOauthForm(c, await readText(c, deps, { maxBytes })) : undefined;
}

/**
 * The parameters of a form, without empty ones. Undefined if it is not a form or repeats a parameter (RFC 6749, 3.2).
 */
export function parseOauthForm(c: Context<AppEnv>, text: string): ReadonlyMap<string, string> | undefined {
  if (!isForm(c)) return undefined;
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) return undefined;
    if (value !== '') form.set(name, value);
  }
  return form;
}

function isForm(c: Context<AppEnv>): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '');
}
