import * as contract from '#contract/account.ts';
import * as boxes from '#contract/tv-devices.ts';
import { withHashingLimit } from '#server/auth/password.ts';
import { bind, type Handler } from '#server/runtime/request/request-context.ts';
import { bounceOf } from '#server/messages/bounces.ts';
import { endBox, listBoxes } from './tv-devices.ts';
import { queryInfo, changePassword } from './query-info.ts';
import { endOtherSignIns, endSignIn } from './sign-ins.ts';
import { and, eq, isNotNull } from 'drizzle-orm';
import { users } from '#server/db/schema/users.ts';

const queryUrv: Handler<typeof contract.queryUrv> = async (_, { deps, user }) => {
  const { brand, uid, accountType, email, verifiedAt, passwordResetDue } = user;
  // the hash itself is not read
  const withPassword = await deps.db
    .select({ uid: users.uid })
    .from(users)
    .where(and(eq(users.brand, brand), eq(users.uid, uid), isNotNull(users.passwordHash)));
  // an address is bound to a phone account only by a link that was sent to it
  const emailVerified = email !== null && (accountType === 'phone' || verifiedAt !== null);
  const mailBounces = email !== null && (await bounceOf(deps, email)) === 'permanent';
  return { emailVerified, passwordResetDue, hasPassword: withPassword.length > 0, email, mailBounces };
};

/** The endpoints of the customer's own account. */
export const accountHandlers = {
  queryInfo: bind(contract.queryInfo, queryInfo),
  queryUrv: bind(contract.queryUrv, queryUrv),
  changePassword: bind(contract.changePassword, withHashingLimit(changePassword)),
  endSignIn: bind(contract.endSignIn, endSignIn),
  endOtherSignIns: bind(contract.endOtherSignIns, endOtherSignIns),
  listBoxes: bind(boxes.listBoxes, listBoxes),
  endBox: bind(boxes.endBox, endBox),
};
