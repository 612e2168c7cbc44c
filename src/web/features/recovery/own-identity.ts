import type { UserInfo } from '../../../contract/user.ts';
import type { Identity } from '../../account-form/account-rules.ts';

/**
 * Who is signed in, as calls want it: a number comes with its area code in one piece, and is taken apart again. Of
 * several codes that fit, the longest.
 */
export function ownIdentity(
  { account, type }: Pick<UserInfo, 'account' | 'type'>,
  areaCodes: readonly string[],
): Identity {
  if (type === 'email') return { account, type };
  const digits = account.replaceAll(/\D/g, '');
  const fitting = areaCodes.filter((code) => code !== '' && digits.startsWith(code));
  const areaCode = fitting.toSorted((one, other) => other.length - one.length)[0] ?? '';
  return { account: digits.slice(areaCode.length), type, areaCode };
}
