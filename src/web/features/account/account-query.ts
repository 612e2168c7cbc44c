import { queryInfo, queryUrv } from '#contract/account.ts';
import { listCard } from '#contract/cards.ts';
import type { UserInfo } from '#contract/user.ts';
import { q } from '#web/platform/api/query.ts';

/** The query of the account page; it may be prefetched. */
export const accountQuery = ({ uid, account, type }: Pick<UserInfo, 'uid' | 'account' | 'type'>) =>
  q(queryInfo, { body: { uid, account, type } });

/** What the customer still has to do; the page works without it. */
export const urvQuery = q(queryUrv, {}, { quiet: true });

/** The saved cards. */
export const cardsQuery = q(listCard, { body: {} }, { quiet: true });
