import type * as contract from '../../contract/account.ts';
import { refuse } from '../request/api-error.ts';
import { newDeviceToken } from '../auth/device-token.ts';
import { assertHardToGuess } from '../auth/guessed-password.ts';
import { checkOwnPassword } from '../auth/confirm-owner.ts';
import { hashPassword, isStillPassword } from '../auth/password.ts';
import { setPassword } from '../auth/set-password.ts';
import type { Handler } from '../request/bind.ts';

/** Only the device that the password was changed on stays known, by a token of its own ([Note: Device token]). */
export const changePassword: Handler<typeof contract.changePassword> = async ({ body }, context) => {
  const { deps, brand, user, ip } = context;
  assertHardToGuess(body.newPassword, { brand, account: user.account, field: 'newPassword' });
  const current = await checkOwnPassword(context, body.currentPassword);
  const passwordHash = await hashPassword(body.newPassword, ip);
  const changed = await deps.db.transaction(async (tx) => {
    if (!(await isStillPassword(tx, user, current))) refuse(3);
    return setPassword(tx, user, passwordHash, context);
  });
  return { deviceToken: newDeviceToken(deps, changed ?? user) };
};
