import * as v from 'valibot';
import type { SiteConfig } from '#contract/brand.ts';
import { appSchema, type BrandApp } from '#contract/site.ts';

type Rules = SiteConfig['validRules'];

/**
 * The rules of a brand whose file has none. The presence of the phone rule enables numbers; the country's numbering
 * plan decides which numbers exist, and `isEmailAddress` which addresses.
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

/**
 * The stored rules, with the current defaults in place of the former ones, also where a brand's file contains a former
 * one.
 */
export function withPresentDefaults({ email, phone, ...rules }: Rules): Rules {
  return {
    ...rules,
    ...(email !== undefined && email !== former.email && { email }),
    ...(phone !== undefined && (phone === former.phone ? defaultRules : { phone })),
  };
}

/**
 * The brand's app, undefined if it has none that fits. Earlier versions stored its link alone, as `appLink`.
 */
export function appOf({ app, appLink }: SiteConfig & { appLink?: unknown }): BrandApp | undefined {
  const parsed = v.safeParse(appSchema, app ?? { link: appLink });
  return parsed.success ? parsed.output : undefined;
}
