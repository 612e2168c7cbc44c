import type { SiteConfig } from '#contract/brand.ts';

type Rules = SiteConfig['validRules'];

/**
 * The rules of a brand whose file has none. The presence of the one for phones turns numbers on; which number exists is decided by
 * its country's numbering plan, and which address exists by `isEmailAddress`.
 */
export const defaultRules: Rules = { phone: String.raw`^\d{4,15}$` };

/**
 * Earlier versions stored these rules with every brand whose file had none. They refuse real addresses, such as
 * o'brien@example.com, and the numbers of small islands.
 */
const former = {
  email: String.raw`^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]{2,})+$`,
  phone: String.raw`^\d{7,15}$`,
};

/** The stored rules, with the present defaults in place of the former ones, also where a brand's file states a former one. */
export function withPresentDefaults({ email, phone, ...rules }: Rules): Rules {
  return {
    ...rules,
    ...(email !== undefined && email !== former.email && { email }),
    ...(phone !== undefined && (phone === former.phone ? defaultRules : { phone })),
  };
}
