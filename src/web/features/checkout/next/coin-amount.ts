import type { NextStepOf } from '../../../../contract/next-step.ts';

export type ChosenCoin = NonNullable<NextStepOf<'crypto'>['chosen']>;

/** Amounts of a coin are decimal text, which has more digits than a number holds exactly. */
export function isNoCoin(amount: string): boolean {
  return /^0+(\.0+)?$/.test(amount);
}
