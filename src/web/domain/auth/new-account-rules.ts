import type { SiteConfig } from '#contract/brand.ts';
import type { AccountType } from '#contract/user.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { isPossibleNumber } from '#web/domain/account/possible-number.ts';
import { accountProblems, invalidPhone } from './account-rules.ts';

/** What is wrong with a new account: its number exists in its country. Older ones may have been stored without that check. */
export function newAccountProblems(tab: AccountType, values: AccountValues, rules: SiteConfig['validRules']) {
  const problems = accountProblems(tab, values, rules);
  const isMissing = tab === 'phone' && values.areaCode !== '' && !isPossibleNumber(values);
  return isMissing && !('phone' in problems) ? { ...problems, phone: invalidPhone } : problems;
}
