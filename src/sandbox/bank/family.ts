import type { NextStep } from '#contract/next-step.ts';
import type { ChargeRequest, ChargeStep, ChargeView } from '../gateway/protocol.ts';
import type { BankPage } from '../page-html.ts';
import type { Bank, Charge } from './bank.ts';
import type { Notice } from './notices.ts';

export interface Opening {
  readonly charge: Charge;
  readonly notices?: readonly Notice[];
}

/** One way to pay, as the sandbox bank plays it. */
export interface Family {
  /** what is written when the shop asks for money */
  open(bank: Bank, request: ChargeRequest): Opening | Promise<Opening>;
  /** what the payer has to do, while the charge waits */
  todo(charge: Charge, now: number): NextStep;
  /** what the shop tells about a charge that waits; the answer says why it changed nothing, when it did not */
  takeStep?(bank: Bank, charge: Charge, step: ChargeStep): Promise<ChargeView['refusal'] | undefined>;
  /** false where something has arrived already, so that the shop can no longer call it off */
  mayCancel?(charge: Charge): boolean;
  /** the bank's own page at `/sandbox/bank/{name}/{id}` */
  readonly page?: {
    readonly name: string;
    show(charge: Charge, now: number): BankPage;
    press(bank: Bank, charge: Charge, action: string): Promise<void>;
    /** finds a page by another name than the charge's public id */
    find?(bank: Bank, id: string): Promise<Charge | undefined>;
    /** whether a press leads back to the shop */
    readonly leaves: boolean;
  };
}

/** A charge as it is before its family says more. */
export function blankCharge(bank: Bank, request: ChargeRequest): Charge {
  const { key, kind, gateway, methodCode, brand, amount, currency, returnUrl, finish } = request;
  return {
    key,
    kind,
    gateway,
    methodCode,
    brand,
    amount,
    currency,
    returnUrl,
    status: 'waiting',
    declineCode: null,
    afterChallenge: null,
    scheduledOutcome: null,
    scheduledAt: null,
    publicId: bank.random.token(16),
    payload: null,
    details: finish ? { finish } : {},
    createdAt: bank.clock(),
    expiresAt: null,
    paidAt: null,
  };
}

/** The address of the bank's page for a charge, at the origin that its payer came from. */
export function pageOf(charge: Pick<Charge, 'publicId' | 'returnUrl'>, name: string): string {
  return new URL(`/sandbox/bank/${name}/${charge.publicId}`, charge.returnUrl).href;
}
