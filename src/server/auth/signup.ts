import type * as contract from '../../contract/signup.ts';
import { refuse } from '../api-error.ts';
import { proves, refuseUnproven } from '../captcha/ticket.ts';
import type { CaptchaOwner } from '../captcha/captcha-owner.ts';
import { makeMailLink } from '../email/mail-links.ts';
import { queueMail } from '../email/outbox.ts';
import { welcomeMail } from '../email/welcome-mail.ts';
import type { Database } from '../db/connect.ts';
import type { Handler } from '../mount.ts';
import type { RequestContext } from '../request-context.ts';
import { takeTryFrom } from '../throttle.ts';
import { identityOf } from './account-rules.ts';
import { spendCode } from './codes.ts';
import { createUser } from './create-user.ts';
import { named } from './customer-key.ts';
import type { UserRow } from './find-user.ts';
import { assertHardToGuess } from './guessed-password.ts';
import { hashPassword } from './password.ts';
import { signIn } from './sign-in.ts';

/** New accounts from one network without work; many people share one at work or behind a carrier. */
const limit = { tries: 300, windowMs: 60 * 60 * 1000 };
/** Without a code, a refused 6 tells who has an account: asking for many of them takes captchas. */
const freeWithoutCode = 100;

type Body = Parameters<Handler<typeof contract.signup>>[0]['body'];

export const signup: Handler<typeof contract.signup> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  const identity = identityOf(brand, body);
  assertHardToGuess(body.password, { brand, account: identity.account, field: 'password' });
  const owner = { brand: brand.code, account: identity.account, ip };
  await assertMaySignUp(body, owner, context);
  const passwordHash = await hashPassword(body.password, ip);
  const { code, language, nickname, entry } = body;
  const proven = code !== undefined;
  // outside of the transaction, which a refusal would roll back together with the try that it counted
  if (proven) {
    const { customer } = await named(deps, { brand: brand.code, identity });
    await spendCode(deps, { ...owner, customer, known: undefined, scene: 'signup', code, request: body.request });
  }
  return deps.db.transaction(async (tx) => {
    const user = await createUser(tx, { brand, identity, passwordHash, language, nickname, entry, proven }, deps);
    if (!user) return refuse(6);
    await greet(tx, user, context);
    return signIn(tx, user, context, { via: 'password' });
  });
};

/** Refuses with -3035 where a captcha or work is due, or with 11 where the brand asks for a code and none came. */
async function assertMaySignUp(body: Body, owner: CaptchaOwner, { deps, brand, ip }: RequestContext): Promise<void> {
  const taken = await takeTryFrom(deps.db, `signup ${brand.code}`, ip, limit, deps.clock());
  const withoutCode = body.code === undefined;
  if (withoutCode && brand.config.login.signupCode) refuse(11);
  const due = !taken.allowed ? 'work' : withoutCode && taken.count > freeWithoutCode ? 'captcha' : 'none';
  if (!(await proves(deps, owner, body, due))) refuseUnproven(due);
}

/** Mails a welcome, with the link that confirms the address where no code has. */
async function greet(tx: Database, user: UserRow, { deps, brand }: RequestContext): Promise<void> {
  const { uid, email, language, verifiedAt } = user;
  if (email === null) return;
  const link = { brand, uid, purpose: 'confirm', email, language } as const;
  const confirmUrl = verifiedAt === null ? await makeMailLink(tx, link, deps) : undefined;
  await queueMail(tx, { brand, to: email, ...welcomeMail(brand, language, confirmUrl) }, deps);
}
