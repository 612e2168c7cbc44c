import { type NextStep, confirmingProviderSchema } from '#contract/next-step.ts';
import type { ChargeRequest, ChargeStep, ChargeView } from '#sandbox/gateway/protocol.ts';
import type { BankPage } from '#sandbox/page-html.ts';
import type { Bank, Charge } from './bank.ts';
import { type Notice, changeCharge, closeCharge } from './charges.ts';
import { formatMoney } from '#contract/money.ts';
import * as v from 'valibot';
import type { ChargeOutcome } from '#sandbox/schema.ts';

export interface Opening {
  readonly charge: Charge;
  readonly notices?: readonly Notice[];
}

/** A payment method family of the sandbox bank. */
export interface Family {
  /** the new charge for a request */
  open(bank: Bank, request: ChargeRequest): Opening | Promise<Opening>;
  /** the payer's next step while the charge is pending */
  nextStep(charge: Charge, now: number): NextStep;
  /** applies a step of the server to a pending charge; returns the reason if it changed nothing */
  performStep?(bank: Bank, charge: Charge, step: ChargeStep): Promise<ChargeView['refusal'] | undefined>;
  /** false if money has arrived, so that the server can no longer cancel the charge */
  mayCancel?(charge: Charge): boolean;
  /** the bank's page at `/sandbox/bank/{name}/{id}` */
  readonly page?: {
    readonly name: string;
    show(charge: Charge, now: number): BankPage;
    press(bank: Bank, charge: Charge, action: string): Promise<void>;
    /** finds a charge by another ID than its public one */
    find?(bank: Bank, id: string): Promise<Charge | undefined>;
    /** whether a button leads back to the storefront */
    readonly leaves: boolean;
  };
}

/** A charge with defaults, before its family adds details. */
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

/** The URL of the bank's page for a charge, at the origin that its payer came from. */
export function pageOf(charge: Pick<Charge, 'publicId' | 'returnUrl'>, name: string): string {
  return new URL(`/sandbox/bank/${name}/${charge.publicId}`, charge.returnUrl).href;
}

export function amountRow({ amount, currency }: Pick<Charge, 'amount' | 'currency'>): readonly [string, string] {
  return ['Amount', formatMoney({ amount, currency }, 'en')];
}

interface PayableMessages {
  readonly waiting: Pick<BankPage, 'title' | 'lines'>;
  readonly expired: Pick<BankPage, 'title' | 'lines'>;
  readonly closed: string;
}

/** A page to pay a pending charge; after its expiry it can still be paid late. */
export function payablePage(charge: Charge, messages: PayableMessages): BankPage {
  const { status, returnUrl: back } = charge;
  const rows = [amountRow(charge)];
  if (status === 'waiting') {
    return { ...messages.waiting, rows, buttons: [{ action: 'pay', label: 'Pay', primary: true }], back };
  }
  if (status === 'expired') {
    return { ...messages.expired, rows, buttons: [{ action: 'pay-late', label: 'Pay late', primary: false }], back };
  }
  const paid = status === 'paid' || status === 'refunded';
  return { title: paid ? 'Paid' : 'Closed', lines: [paid ? 'The money is on its way.' : messages.closed], rows, back };
}

const detailsSchema = v.object({ finish: v.optional(confirmingProviderSchema) });

/** The redirect step shared by all payments on a provider's page. */
export function redirectStep(charge: Charge, page: string): NextStep {
  const { finish } = v.parse(detailsSchema, charge.details);
  const { expiresAt } = charge;
  return {
    type: 'redirect',
    url: pageOf(charge, page),
    ...(expiresAt !== null && { expiresAt }),
    ...(finish && { finish }),
  };
}

/** The outcome of the payer's approval: paid at once, or approved until the server confirms it. */
export function outcomeOfApproval(charge: Charge, then: ChargeOutcome = { status: 'paid' }): ChargeOutcome {
  const { finish } = v.parse(detailsSchema, charge.details);
  return finish !== undefined && then.status === 'paid' ? { status: 'approved' } : then;
}

export async function approve(bank: Bank, charge: Charge, then?: ChargeOutcome): Promise<void> {
  await closeCharge(bank, charge, outcomeOfApproval(charge, then));
}

/** `reopen` gives the page a new URL and invalidates the old one; `confirm` captures an approved charge. */
export async function processRedirectStep(bank: Bank, charge: Charge, step: ChargeStep): Promise<undefined> {
  if (step.type === 'reopen') await changeCharge(bank, charge, { publicId: bank.random.token(16) });
  if (step.type === 'confirm' && charge.status === 'approved') {
    await closeCharge(bank, charge, { status: 'paid' }, { quiet: true });
  }
}
