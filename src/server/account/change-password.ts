import { and, eq } from 'drizzle-orm';
import type * as contract from '../../contract/account.ts';
import { refuse } from '../api-error.ts';
import { newDeviceToken } from '../auth/device-token.ts';
import { assertHardToGuess } from '../auth/guessed-password.ts';
import { fitsPassword, hashPassword, isStillPassword } from '../auth/password.ts';
import { setPassword } from '../auth/set-password.ts';
import { users } from '../db/schema.ts';
import type { Handler } from '../mount.ts';
import { forgetTries, takeTry } from '../throttle.ts';

/** Someone who found a phone unlocked must not find the password by it, too. */
const limit = { tries: 10, windowMs: 15 * 60 * 1000 };

/** Only the device that the password was changed on stays known, by a token of its own ([Note: Device token]). */
export const changePassword: Handler<typeof contract.changePassword> = async ({ body }, { deps, brand, user, ip }) => {
  assertHardToGuess(body.newPassword, { brand, account: user.account, field: 'newPassword' });
  const key = `change password ${brand.code} ${user.uid}`;
  const taken = await takeTry(deps.db, key, limit, deps.clock());
  if (!taken.allowed) refuse(17, { waitSeconds: taken.waitSeconds });
  const [own] = await deps.db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.brand, brand.code), eq(users.uid, user.uid)));
  const current = own?.passwordHash;
  if (!current) return refuse(4598);
  if (!(await fitsPassword(current, body.currentPassword, ip))) return refuse(3);
  const passwordHash = await hashPassword(body.newPassword, ip);
  const changed = await deps.db.transaction(async (tx) => {
    if (!(await isStillPassword(tx, user, current))) refuse(3);
    return setPassword(tx, user, passwordHash, { now: deps.clock() });
  });
  await forgetTries(deps.db, key);
  return { deviceToken: newDeviceToken(deps, changed ?? user) };
};
