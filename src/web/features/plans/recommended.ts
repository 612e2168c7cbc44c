import type { Plan } from '../../../contract/plan.ts';

/** The one plan that the shop recommends: advice in two places is none, so the first counts. */
export function recommendedId(plans: readonly Plan[]): string | undefined {
  return plans.find((plan) => plan.recommended)?.id;
}
