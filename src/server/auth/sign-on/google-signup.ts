import type * as contract from '#contract/sign-on.ts';
import { createUser } from '../create-user.ts';
import { signIn } from '../sign-in.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { welcomeMail } from '#server/messages/account-mails.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';
import { readTicket } from './google-ticket.ts';
import { consumeOnce } from '#server/runtime/limits/consume-once.ts';

/** New accounts from one network, as with a password. */
const limit = { tries: 300, windowMs: 60 * 60_000 };

/** Creates the account of a ticket: without a password, and with a verified address. */
export const googleSignup: Handler<typeof contract.googleSignup> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  const { language, nickname, entry } = body;
  const taken = await countTryFrom(deps.db, `google signup ${brand.code}`, ip, limit, deps.clock());
  if (!taken.allowed) return context.refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
  const { sub, email, jti, goodUntil } = await readTicket(context.refuse, deps, brand.code, body.ticket);
  const identity = { account: email, type: 'email', areaCode: null } as const;
  return deps.db.transaction(async (tx) => {
    if (!(await consumeOnce(tx, { brand: brand.code, id: `google ${jti}`, goodUntil })))
      return context.refuse('loginFailedRefresh');
    const account = { brand, identity, passwordHash: null, language, nickname, entry, proven: true, googleSub: sub };
    const user = await createUser(tx, account, deps);
    if (!user) return context.refuse('accountExists');
    await queueMail(tx, { brand, to: email, ...welcomeMail(brand, user.language) }, deps);
    return signIn(tx, user, context, { via: 'google' });
  });
};
