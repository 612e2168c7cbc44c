import { Trans } from '@lingui/react/macro';
import { isOpen } from '#contract/order-status.ts';
import type { RenewalInfo } from '#contract/renewal.ts';

interface RenewalTrouble {
  /** the order of the payment that waits for the customer's confirmation; without it, the payment was declined */
  readonly toConfirm: string | undefined;
  /** the renewal charges a PayPal account */
  readonly byAccount: boolean;
}

/** Why a renewal is past due. */
export function renewalTrouble({ history, card }: RenewalInfo): RenewalTrouble {
  const [last] = history;
  return {
    toConfirm: last !== undefined && isOpen(last.status) ? last.orderId : undefined,
    byAccount: card?.account !== undefined,
  };
}

export function RenewalTroubleTitle({ toConfirm, byAccount }: RenewalTrouble) {
  if (byAccount)
    return toConfirm === undefined ? (
      <Trans>PayPal declined the payment</Trans>
    ) : (
      <Trans>PayPal needs your confirmation</Trans>
    );
  return toConfirm === undefined ? (
    <Trans>Your card was declined</Trans>
  ) : (
    <Trans>Your bank needs your confirmation</Trans>
  );
}

/** What ends the trouble of a declined payment. */
export function RenewalTroubleHelp({ byAccount }: Pick<RenewalTrouble, 'byAccount'>) {
  return byAccount ? (
    <Trans>Choose another payment method and we’ll charge it right away, without interruption.</Trans>
  ) : (
    <Trans>Use another card and we’ll charge it right away, without interruption.</Trans>
  );
}
