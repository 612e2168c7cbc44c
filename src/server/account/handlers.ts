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
import * as email from '#contract/email.ts';
import { activeUser, emailResetPassword, obtainResetPasswordEmail } from './email/active-user.ts';
import { resendConfirmation, resetPasswordByEmail, sendResetPasswordEmail } from './email/request-mail.ts';
import { bindEmailConfirmed } from './email/bind-email.ts';
import * as myData from '#contract/my-data.ts';
import { deletionState, keepAccount, requestDeletion } from './my-data/deletion.ts';
import { exportData, exportReceipts } from './my-data/export-data.ts';
import * as push from '#contract/push.ts';
import { renewPush } from '#server/messages/push/send-push.ts';
import { endPush, listPush, subscribePush } from './push/subscriptions.ts';

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

/** The endpoints of links in emails. */
export const emailHandlers = {
  resetPasswordByEmail: bind(email.resetPasswordByEmail, resetPasswordByEmail),
  resendConfirmation: bind(email.resendConfirmation, resendConfirmation),
  obtainResetPasswordEmail: bind(email.obtainResetPasswordEmail, obtainResetPasswordEmail),
  emailResetPassword: bind(email.emailResetPassword, withHashingLimit(emailResetPassword)),
  activeUser: bind(email.activeUser, activeUser),
  bindEmailConfirmed: bind(email.bindEmailConfirmed, bindEmailConfirmed),
  sendResetPasswordEmail: bind(email.sendResetPasswordEmail, sendResetPasswordEmail),
};

/** The endpoints of the data export and the deletion of an account. */
export const myDataHandlers = {
  exportData: bind(myData.exportData, exportData),
  exportReceipts: bind(myData.exportReceipts, exportReceipts),
  deletionState: bind(myData.deletionState, deletionState),
  requestDeletion: bind(myData.requestDeletion, requestDeletion),
  keepAccount: bind(myData.keepAccount, keepAccount),
};

/** The endpoints of push subscriptions. */
export const pushHandlers = {
  listPush: bind(push.listPush, listPush),
  subscribePush: bind(push.subscribePush, subscribePush),
  endPush: bind(push.endPush, endPush),
  renewPush: bind(push.renewPush, renewPush),
};
