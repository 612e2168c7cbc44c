import type { NextStep, NextStepOf } from '#contract/next-step.ts';
import type { Order } from '#contract/order.ts';

export type ChosenCoin = NonNullable<NextStepOf<'crypto'>['chosen']>;

/** Amounts of a coin are decimal text, which has more digits than a number can represent exactly. */
export function isZeroCoinAmount(amount: string): boolean {
  return /^0+(\.0+)?$/.test(amount);
}

/**
 * URI schemes of payment requests (EIP-681, BIP-21 and successors). Nothing else is opened, whatever a response
 * contains.
 */
const request = /^(ethereum|bitcoin|lightning|litecoin|dogecoin|dash|monero):[^\s"'<>\\]+$/;

/** The URI that opens a wallet, or undefined if `uri` is not a URI: on TRON it is a bare address. */
export function walletLink(uri: string): string | undefined {
  return request.test(uri) ? uri : undefined;
}

/** The props of every step. */
export interface StepProps<Step extends NextStep> {
  step: Step;
  order: Order;
  /** reads the payment's state again */
  ask: () => void;
  /** the step's deadline has passed */
  onEnd: () => void;
}
