import type { SiteConfig } from '#contract/brand.ts';
import type { AccountType } from '#contract/user.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { isPossibleNumber } from '#web/domain/account/possible-number.ts';
import { accountProblems, invalidPhone } from './account-rules.ts';

/** The problems of a new account. The number must exist in its country; older accounts may lack that check. */
export function newAccountProblems(tab: AccountType, values: AccountValues, rules: SiteConfig['validRules']) {
  const problems = accountProblems(tab, values, rules);
  const isMissing = tab === 'phone' && values.areaCode !== '' && !isPossibleNumber(values);
  return isMissing && !('phone' in problems) ? { ...problems, phone: invalidPhone } : problems;
}
