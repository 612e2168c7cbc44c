import { createHmac, timingSafeEqual } from 'node:crypto';
import type * as contract from '#contract/signup.ts';
import type { CaptchaOwner } from './captcha/captcha-owner.ts';
import { verifyCaptchaTicket, refuseWrongCaptcha } from './captcha/ticket.ts';
import { makeMailLink } from './mail-links.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { welcomeMail } from '#server/messages/account-mails.ts';
import type { Database } from '#server/db/connect.ts';
import type { RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { type OneTimeToken, countTryFrom, consumeOnce } from '#server/runtime/limits/throttle.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import { assertReachable, identityOf, type Identity } from '#server/site/account-rules.ts';
import { assertCanBeSent, consumeCode, type ConsumeCodeErrors } from './codes.ts';
import { findLimitSubject } from './login-limits.ts';
import { findUser, type UserRow } from './users.ts';
import { hashPassword, assertStrongPassword } from './password.ts';
import { signIn } from './sign-in.ts';
import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';

/**
 * New accounts from one network before proof of work is required; many customers share one at work or behind a carrier.
 */
const limit = { tries: 300, windowMs: 60 * 60 * 1000 };
/** Without a code, `accountExists` reveals existing accounts, so more sign-ups from one network require a captcha. */
const freeWithoutCode = 100;

/** Long enough for a customer who chooses a password or is interrupted. */
const proofLifetimeMs = 60 * 60_000;

type Body = Parameters<Handler<typeof contract.signup>>[0]['body'];

export const signup: Handler<typeof contract.signup> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  assertCanBeSent(context.refuse, deps, body.type);
  const identity = identityOf(context.refuse, brand, body);
  assertReachable(context.refuse, identity);
  assertStrongPassword(body.password, { brand, account: identity.account, field: 'password' });
  const owner = { brand: brand.code, account: identity.account, ip };
  const { code, proof, language, nickname, entry } = body;
  // checked before the password is hashed, which costs more
  const proved = proof === undefined ? undefined : readProof(context, identity, proof);
  await assertMaySignUp(body, owner, context);
  const passwordHash = await hashPassword(body.password, ip);
  const proven = code !== undefined || proved !== undefined;
  // outside the transaction: a refusal would roll back the count of the attempt
  if (code !== undefined) await consumeSignupCode(context, identity, { code, request: body.request });
  return deps.db.transaction(async (tx) => {
    if (proved && !(await consumeOnce(tx, proved))) return context.refuse('codeExpired');
    const user = await createUser(tx, { brand, identity, passwordHash, language, nickname, entry, proven }, deps);
    if (!user) return context.refuse('accountExists');
    await greet(tx, user, context);
    return signIn(tx, user, context, { via: 'password' });
  });
};

type TypedCode = Pick<Parameters<Handler<typeof contract.checkSignupCode>>[0]['body'], 'code' | 'request'>;

async function consumeSignupCode(
  { deps, brand, ip, refuse }: RequestContext<ConsumeCodeErrors>,
  identity: Identity,
  { code, request }: TypedCode,
): Promise<void> {
  const owner = { brand: brand.code, account: identity.account, ip };
  const { customer } = await findLimitSubject(deps, { brand: brand.code, identity });
  await consumeCode(refuse, deps, { ...owner, code, request, customer, known: undefined, scene: 'signup' });
}

/**
 * Consumes the code, with the limits of all codes (code-guesses.ts), and returns a signed proof. The proof is not
 * stored, and valid for one account and one sign-up.
 */
export const checkSignupCode: Handler<typeof contract.checkSignupCode> = async ({ body }, context) => {
  const { deps, brand } = context;
  assertCanBeSent(context.refuse, deps, body.type);
  const identity = identityOf(context.refuse, brand, body);
  assertReachable(context.refuse, identity);
  await consumeSignupCode(context, identity, body);
  if (await findUser(deps.db, brand.code, identity)) return context.refuse('accountExists');
  const expiresAt = deps.clock() + proofLifetimeMs;
  const payload = [deps.random.token(16), String(expiresAt)];
  return { proof: [...payload, signProof(context, identity, payload).toString('base64url')].join('.'), expiresAt };
};

/** The token that the sign-up consumes. `codeExpired`: the proof is too old or of another account. */
function readProof(context: RequestContext<'codeExpired'>, identity: Identity, proof: string): OneTimeToken {
  const [nonce = '', until = '', ...rest] = proof.split('.');
  const given = Buffer.from(rest.join('.'), 'base64url');
  const expected = signProof(context, identity, [nonce, until]);
  const fits = given.length === expected.length && timingSafeEqual(given, expected);
  const validUntil = Number(until);
  if (!fits || validUntil <= context.deps.clock()) return context.refuse('codeExpired');
  return { brand: context.brand.code, id: `signup ${nonce}`, validUntil };
}

function signProof({ deps, brand }: RequestContext, { account, type }: Identity, payload: readonly string[]): Buffer {
  return createHmac('sha256', derivedKey(deps.env, 'signup proof'))
    .update(JSON.stringify([brand.code, account, type, ...payload]))
    .digest();
}

/** `wrongCaptcha`: a captcha or proof of work is required. `wrongCode`: the brand requires a code and none was sent. */
async function assertMaySignUp(
  body: Body,
  owner: CaptchaOwner,
  { deps, brand, ip, refuse }: RequestContext<'wrongCaptcha' | 'wrongCode'>,
): Promise<void> {
  const taken = await countTryFrom(deps.db, `signup ${brand.code}`, ip, limit, deps.clock());
  const withoutCode = body.code === undefined && body.proof === undefined;
  if (withoutCode && brand.config.login.signupCode) return refuse('wrongCode');
  const due = !taken.allowed ? 'work' : withoutCode && taken.count > freeWithoutCode ? 'captcha' : 'none';
  if (!(await verifyCaptchaTicket(deps, owner, body, due))) refuseWrongCaptcha(refuse, due);
}

/** Queues a welcome email, with a confirmation link if no code has proved the address. */
async function greet(tx: Database, user: UserRow, { deps, brand }: RequestContext): Promise<void> {
  const { uid, email, language, verifiedAt } = user;
  if (email === null) return;
  const link = { brand, uid, purpose: 'confirm', email, language } as const;
  const confirmUrl = verifiedAt === null ? await makeMailLink(tx, link, deps) : undefined;
  await queueMail(tx, { brand, to: email, asked: true, ...welcomeMail(brand, language, confirmUrl) }, deps);
}

interface NewUser {
  readonly brand: Brand;
  readonly identity: Identity;
  /** null for an account created with Google */
  readonly passwordHash: string | null;
  /** the language of the form; the brand's default if the brand does not have it */
  readonly language: Language;
  readonly nickname?: string | undefined;
  readonly entry?: Record<string, string> | undefined;
  /** the identity was proved by a code or by Google */
  readonly proven: boolean;
  readonly googleSub?: string | undefined;
}

/** Creates an account; undefined if the brand has one with this account name, email address or Google account. */
export async function createUser(
  tx: Database,
  { brand, identity, passwordHash, language, nickname = '', entry, proven, googleSub }: NewUser,
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
): Promise<UserRow | undefined> {
  const now = clock();
  // the number may be stored in the spelling of an earlier version, which no unique index compares
  if (identity.type === 'phone' && (await findUser(tx, brand.code, identity))) return undefined;
  const [user] = await tx
    .insert(users)
    .values({
      uid: random.id(),
      brand: brand.code,
      account: identity.account,
      accountType: identity.type,
      areaCode: identity.areaCode,
      email: identity.type === 'email' ? identity.account : null,
      phone: identity.type === 'phone' ? identity.account : null,
      verifiedAt: proven ? now : null,
      passwordHash,
      googleSub: googleSub ?? null,
      nickname: nickname.trim(),
      language: supportedLanguage(brand, language),
      entry: entry ?? null,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning();
  return user;
}

/** The language of messages to a customer: the requested one if the brand has it, else its default. */
export function supportedLanguage({ config }: Pick<Brand, 'config'>, language: Language): Language {
  return config.langs.includes(language) ? language : config.defaultLang;
}
