import type * as contract from '../../contract/signup.ts';
import { refuse } from '../api-error.ts';
import { passCaptcha } from '../captcha/ticket.ts';
import { makeMailLink } from '../email/mail-links.ts';
import { queueMail } from '../email/outbox.ts';
import { welcomeMail } from '../email/welcome-mail.ts';
import type { Database } from '../db/connect.ts';
import type { Handler } from '../mount.ts';
import type { RequestContext } from '../request-context.ts';
import { takeTry } from '../throttle.ts';
import { identityOf } from './account-rules.ts';
import { spendCode } from './codes.ts';
import { createUser } from './create-user.ts';
import type { UserRow } from './find-user.ts';
import { hashPassword } from './password.ts';
import { signIn } from './sign-in.ts';

/** New accounts from one address; many people share one at work or behind a carrier. */
const limit = { tries: 300, windowMs: 60 * 60 * 1000 };
/** Without a code, a refused 6 tells who has an account: asking for many of them takes captchas. */
const freeWithoutCode = 100;

type Body = Parameters<Handler<typeof contract.signup>>[0]['body'];

export const signup: Handler<typeof contract.signup> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  const identity = identityOf(brand, body);
  await assertMaySignUp(body, context);
  const passwordHash = await hashPassword(body.password, ip);
  const { code, language, nickname, entry } = body;
  const proven = code !== undefined;
  const owner = { brand: brand.code, account: identity.account, ip };
  // outside of the transaction, which a refusal would roll back together with the try that it counted
  if (proven) await spendCode(deps, { ...owner, scene: 'signup', code });
  return deps.db.transaction(async (tx) => {
    const user = await createUser(tx, { brand, identity, passwordHash, language, nickname, entry, proven }, deps);
    if (!user) return refuse(6);
    await greet(tx, user, context);
    return signIn(tx, user, context, { via: 'password' });
  });
};

/** Refuses with -3031, with -3035, or with 11 where the brand asks for a code and none came. */
async function assertMaySignUp(body: Body, { deps, brand, ip }: RequestContext): Promise<void> {
  const taken = await takeTry(deps.db, `signup ${brand.code} ${ip}`, limit, deps.clock());
  if (!taken.allowed) refuse(-3031, { waitSeconds: taken.waitSeconds });
  if (body.code !== undefined) return;
  if (brand.config.login.signupCode) refuse(11);
  if (taken.count > freeWithoutCode && !(await passCaptcha(deps, brand.code, body))) refuse(-3035);
}

/** Mails a welcome, with the link that confirms the address where no code has. */
async function greet(tx: Database, user: UserRow, { deps, brand }: RequestContext): Promise<void> {
  const { uid, email, language, verifiedAt } = user;
  if (email === null) return;
  const link = { brand, uid, purpose: 'confirm', email, language } as const;
  const confirmUrl = verifiedAt === null ? await makeMailLink(tx, link, deps) : undefined;
  await queueMail(tx, { brand, to: email, ...welcomeMail(brand, language, confirmUrl) }, deps);
}
