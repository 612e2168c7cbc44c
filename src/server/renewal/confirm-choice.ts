import type { Database } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { SmsDeps } from '#server/messages/sms-budget.ts';
import { renewalChosenMail, type RenewalChoice } from '#server/messages/renewal-chosen-mail.ts';
import { factsOf, lockRenewal, tell } from '#server/billing/subscriptions/lock-renewal.ts';

/** Confirms by email a customer's choice about a renewal, in the transaction that writes it. */
export async function confirmChoice(
  tx: Database,
  who: { readonly brand: string; readonly uid: string },
  deps: SmsDeps & Pick<Deps, 'catalog' | 'sms'>,
  chose: RenewalChoice,
): Promise<void> {
  const held = await lockRenewal(tx, who, deps);
  const chargeAt = held?.row.nextChargeAt ?? null;
  if (!held || chargeAt === null) return;
  const { brand, user } = held;
  const mail = () => renewalChosenMail(brand, user.language, { ...factsOf(held), chargeAt, chose });
  await tell(tx, held, { mail, sms: null }, deps);
}
