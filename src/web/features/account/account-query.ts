import { queryInfo } from '#contract/account.ts';
import { listCard } from '#contract/cards.ts';
import { renewInfo } from '#contract/renewal.ts';
import type { UserInfo } from '#contract/user.ts';
import { q } from '#web/platform/api/query.ts';

/** The call behind the page; it may be made ahead. */
export const accountQuery = ({ uid, account, type }: Pick<UserInfo, 'uid' | 'account' | 'type'>) =>
  q(queryInfo, { body: { uid, account, type } });

/** How the renewal stands; the page does without it where it cannot be had. */
export const renewalQuery = q(renewInfo, {}, { quiet: true });

/** The cards that are kept. */
export const cardsQuery = q(listCard, { body: {} }, { quiet: true });
