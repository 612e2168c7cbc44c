import type { NextStep } from '../../contract/next-step.ts';

export type StepKind = Exclude<NextStep['type'], 'none'>;

/** Methods that give the customer something with a time printed on it; when that has passed, it is given anew. */
const kinds: Readonly<Record<string, StepKind>> = {
  pix: 'qr',
  boleto: 'ticket',
  crypto: 'crypto',
  paynow: 'upload',
  caishen: 'upload',
};

/**
 * What a method waits by, for the time when its step is gone: the server tells none that has passed. Undefined for the
 * methods that wait for an answer, on a phone or on another page, which may still be on its way.
 */
export function timedKindOf(methodCode: string): StepKind | undefined {
  return Object.hasOwn(kinds, methodCode) ? kinds[methodCode] : undefined;
}
