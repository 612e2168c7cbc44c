import { Trans } from '@lingui/react/macro';

/**
 * Whether nobody can say if a payment was charged: `methodUnsupported` is refused before there is an order, so an order that
 * has it was given up when its provider could be asked no longer.
 */
export function isChargeUnknown(code: number | null): boolean {
  return code === -2502;
}

/** What such a payment means for its customer: nothing that we do not know. */
export function UnknownCharge() {
  return (
    <Trans>
      We can no longer ask the provider of this payment, so we do not know whether you were charged. If you were, we
      credit it or give it back. You can pay this order in another way.
    </Trans>
  );
}
