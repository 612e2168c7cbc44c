import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { currencySchema, languageSchema, planIdSchema, text, textSchema } from './fields.ts';
import { moneySchema, type Money } from './money.ts';
import { periodDays } from './limits.ts';

/** A percentage off for one payment method. */
export const methodDiscountSchema = v.object({
  methodCode: textSchema,
  name: text(60),
  /** percent, 0 to 100 */
  discount: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
});
export type MethodDiscount = v.InferOutput<typeof methodDiscountSchema>;

/**
 * Why this customer cannot buy a plan now: `planUnavailable`, it is no longer sold; `cannotBuyPlan`, not during a
 * current plan for several devices.
 */
const planRefusalSchema = v.object({
  errCode: v.number(),
  /** when it can be bought, if known; epoch milliseconds */
  availableFrom: v.optional(v.number()),
});
export type PlanRefusal = v.InferOutput<typeof planRefusalSchema>;

/** A plan as the pricing table shows it. Name and features are in the language of the request. */
export const planSchema = v.object({
  id: planIdSchema,
  name: text(80),
  /** length of the service in days */
  days: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** how many devices may play at once */
  devices: v.pipe(v.number(), v.integer(), v.minValue(1)),
  price: moneySchema,
  /** price before a permanent reduction, if there is one */
  listPrice: v.optional(moneySchema),
  recommended: v.boolean(),
  discounts: v.array(methodDiscountSchema),
  /** absent if the plan can be bought; `cannotBuyPlan` occurs only in a customer's own list (`mine` of `listPlans`) */
  refusal: v.optional(planRefusalSchema),
  /** the current plan of the logged-in customer */
  yours: v.optional(v.boolean()),
});
export type Plan = v.InferOutput<typeof planSchema>;

export const planDetailSchema = v.object({
  ...planSchema.entries,
  description: text(400),
  features: v.array(text(160)),
});
export type PlanDetail = v.InferOutput<typeof planDetailSchema>;

export type Period = keyof typeof periodDays;

/** Discount labels use 30-day months, 180-day half-years and 365-day years. */
export function periodOf(days: number): Period | undefined {
  // as: the keys of a constant table
  return (Object.keys(periodDays) as Period[]).find((period) => periodDays[period] === days);
}

/** A year is twelve months and a half-year six; other lengths count in months of 30 days. */
const monthsOf = { month: 1, halfYear: 6, year: 12 } as const satisfies Record<Period, number>;

function monthsIn(days: number): number {
  const period = periodOf(days);
  return period ? monthsOf[period] : days / periodDays.month;
}

/**
 * Price per month, for comparison. Rounded up to the minor unit, so that the sum is never below the plan's price; shown
 * only, never charged.
 */
export function pricePerMonth(plan: Pick<Plan, 'days' | 'price'>): Money {
  return { amount: Math.ceil(plan.price.amount / monthsIn(plan.days)), currency: plan.price.currency };
}

/** A percentage with one decimal at most, rounded down: never more than is taken off. */
export function roundPercentDown(percent: number): number {
  // the epsilon corrects numbers such as 1.1, which times ten is not eleven in binary
  return Math.floor(percent * 10 + 1e-9) / 10;
}

/**
 * The first recommended plan. If it cannot be bought, another one of the same length, preferably the customer's current
 * plan; undefined if no plan qualifies.
 */
export function recommendedPlanId(plans: readonly Plan[]): string | undefined {
  const first = plans.find((plan) => plan.recommended);
  if (!first?.refusal) return first?.id;
  const others = plans.filter((plan) => plan.days === first.days && !plan.refusal);
  return (others.find((plan) => plan.yours) ?? others[0])?.id;
}

/**
 * Whole percent saved against monthly payment for the same number of devices, rounded down; 0 if there is no monthly
 * plan.
 */
export function savedPercent(plan: Plan, all: readonly Plan[]): number {
  const monthly = all.find((other) => other.days === periodDays.month && other.devices === plan.devices);
  if (!monthly || monthly.price.currency !== plan.price.currency) return 0;
  const full = monthly.price.amount * monthsIn(plan.days);
  return Math.max(0, Math.floor((1 - plan.price.amount / full) * 100));
}

/**
 * The plans of the brand in its default currency. `final` is false for a visitor, whose price may change after login.
 * The language is in the query and not only in the header, so that a cache cannot mix languages. With `mine`, plans
 * include the customer's state: which one is current, and which cannot be bought now.
 */
export const listPlans = endpoint({
  name: 'listPlans',
  method: 'GET',
  path: '/api/site/listPlans/v1',
  access: 'optional',
  query: v.strictObject({
    language: languageSchema,
    currency: v.optional(currencySchema),
    mine: v.optional(v.literal('1')),
  }),
  result: v.object({
    plans: v.array(planSchema),
    final: v.boolean(),
    /** with `mine`: when the account will be deleted; nothing can be bought until the deletion is cancelled */
    leavesAt: v.optional(v.nullable(v.number())),
    /** every payment method, in any currency; `icon` as in `paymentMethods` */
    methods: v.optional(
      v.array(v.object({ code: text(40), name: text(60), icon: text(20), currencies: v.array(currencySchema) })),
      [],
    ),
  }),
});

/**
 * One plan. `llanguage` is the specification's spelling. `pageNotFound` if the brand has no such plan; a plan no longer
 * sold has a `refusal`.
 */
export const planDetail = endpoint({
  name: 'planDetail',
  method: 'GET',
  path: '/api/site/plan/detail/{id}',
  params: v.object({ id: planIdSchema }),
  query: v.strictObject({ llanguage: languageSchema }),
  result: planDetailSchema,
  errors: ['pageNotFound', 'rateUnsupported'],
});

/**
 * Whether the customer may buy this plan now. If not, `cannotBuyPlan` or `planUnavailable`, with `availableFrom` if it
 * is known.
 */
export const checkPlanAvailable = endpoint({
  name: 'checkPlanAvailable',
  method: 'POST',
  path: '/api/site/checkPlanAvailable/v1',
  access: 'customer',
  body: v.strictObject({ planId: planIdSchema }),
  result: v.object({
    planId: planIdSchema,
    /** when its days would begin, after all existing periods, and end */
    startsAt: v.optional(v.number()),
    expiryAfter: v.number(),
  }),
  reads: true,
  errors: ['planUnavailable', 'resetPasswordFirst', 'cannotBuyPlan', 'pageNotFound'],
});

/** The discounts of payment methods on a plan. */
export const planMethodDiscount = endpoint({
  name: 'planMethodDiscount',
  method: 'GET',
  path: '/api/site/plan/method/discount',
  query: v.strictObject({ planId: planIdSchema }),
  result: v.array(methodDiscountSchema),
  errors: ['pageNotFound'],
});

/** The plan's price in another currency. `rateUnsupported` if the brand has no rate for it. */
export const planConvert = endpoint({
  name: 'planConvert',
  method: 'POST',
  path: '/api/site/plan/convert',
  query: v.strictObject({ planId: planIdSchema }),
  body: v.strictObject({ currency: currencySchema }),
  result: v.object({ planId: planIdSchema, price: moneySchema }),
  reads: true,
  errors: ['rateUnsupported', 'pageNotFound'],
});

/** The brand's payment currencies (the path's name is the specification's); empty if no method can charge. */
export const currencyList = endpoint({
  name: 'currencyList',
  method: 'GET',
  path: '/api/bill/getCheckCode/v1',
  result: v.array(v.object({ code: currencySchema, symbol: text(8) })),
});
