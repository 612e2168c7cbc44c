import type { UserInfo } from '../../../contract/user.ts';
import type { SignOnLink } from '../../entry/secrets.ts';

const plain = (account: string) => account.replace(/^\+/, '').toLowerCase();

/** Whether a link speaks of the one who is signed in here already. It only spares a question; nothing rests on it. */
export function isSameAccount(user: Pick<UserInfo, 'uid' | 'account'>, link: Omit<SignOnLink, 'token'>): boolean {
  return link.accountId === user.uid || plain(link.loginId) === plain(user.account);
}
