import type { SiteConfig } from '../../../contract/brand.ts';

type Rules = SiteConfig['validRules'];

/**
 * The rules of a brand whose file has none. The presence of the one for phones turns numbers on; which number exists is decided by
 * its country's numbering plan, and which address exists by `isEmailAddress`.
 */
export const defaultRules: Rules = { phone: String.raw`^\d{7,15}$` };

/** Earlier versions stored this rule with every brand whose file had none. It refuses real addresses, such as o'brien@example.com. */
const formerEmailRule = String.raw`^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]{2,})+$`;

/** The stored rules, without the one that the brand did not choose. */
export function withoutFormerDefaults({ email, ...rules }: Rules): Rules {
  return email === undefined || email === formerEmailRule ? rules : { ...rules, email };
}
