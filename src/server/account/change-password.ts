import type * as contract from '#contract/account.ts';
import { newDeviceToken } from '#server/auth/device-token.ts';
import { assertStrongPassword } from '#server/auth/guessed-password.ts';
import { checkOwnPassword } from '#server/auth/confirm-owner.ts';
import { hashPassword, isStillPassword } from '#server/auth/password.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import { setPassword } from '#server/auth/set-password.ts';
import type { Handler } from '#server/runtime/request/bind.ts';

/** Each change notifies the account's email address or number, which may belong to someone else until it is verified. */
const changesADay = { tries: 10, windowMs: 24 * 60 * 60_000 };

/** Only the device that changed the password stays known, by a new device token. */
export const changePassword: Handler<typeof contract.changePassword> = async ({ body }, context) => {
  const { deps, brand, user, ip } = context;
  assertStrongPassword(body.newPassword, { brand, account: user.account, field: 'newPassword' });
  const current = await checkOwnPassword(context, body.currentPassword);
  const change = await countTry(deps.db, `password changes ${brand.code} ${user.uid}`, changesADay, deps.clock());
  if (!change.allowed) return context.refuse('tooManyFailures', { waitSeconds: change.waitSeconds });
  const passwordHash = await hashPassword(body.newPassword, ip);
  const changed = await deps.db.transaction(async (tx) => {
    if (!(await isStillPassword(tx, user, current))) return context.refuse('wrongPassword');
    return setPassword(tx, user, passwordHash, context);
  });
  return { deviceToken: newDeviceToken(deps, changed ?? user) };
};
