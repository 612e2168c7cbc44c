import * as v from 'valibot';
import { confirmingProviderSchema, type NextStep } from '#contract/next-step.ts';
import type { ChargeOutcome } from '../schema.ts';
import type { ChargeStep } from '../gateway/protocol.ts';
import type { Bank, Charge } from './bank.ts';
import { changeCharge, closeCharge } from './charges.ts';
import { pageOf } from './family.ts';

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
