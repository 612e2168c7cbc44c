import type { NextStep, NextStepOf } from '#contract/next-step.ts';
import type { Order } from '#contract/order.ts';

export type ChosenCoin = NonNullable<NextStepOf<'crypto'>['chosen']>;

/** Amounts of a coin are decimal text, which has more digits than a number holds exactly. */
export function isNoCoin(amount: string): boolean {
  return /^0+(\.0+)?$/.test(amount);
}

/** Schemes of payment requests (EIP-681, BIP-21 and those made after it). Nothing else is opened, whatever an answer says. */
const request = /^(ethereum|bitcoin|lightning|litecoin|dogecoin|dash|monero):[^\s"'<>\\]+$/;

/** The address that opens a wallet, or undefined where `uri` is none: on TRON it is a bare address. */
export function walletLink(uri: string): string | undefined {
  return request.test(uri) ? uri : undefined;
}

/** What every step is given. */
export interface StepProps<Step extends NextStep> {
  step: Step;
  order: Order;
  /** reads the payment's state again */
  ask: () => void;
  /** its time is over */
  onEnd: () => void;
}
