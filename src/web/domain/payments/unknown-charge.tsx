import { Trans } from '@lingui/react/macro';
import { errorNameOf } from '#contract/error-codes.ts';

/**
 * Whether it is unknown if a payment was charged. `methodUnsupported` is normally raised before there is an order, so
 * an order with it was closed because its provider could no longer be reached.
 */
export function isChargeUnknown(code: number | null): boolean {
  return code !== null && errorNameOf(code) === 'methodUnsupported';
}

/** What such a payment means for its customer, without claims that we cannot verify. */
export function UnknownCharge() {
  return (
    <Trans>
      We can no longer check this payment with the provider, so we don’t know whether you were charged. If you were,
      we’ll credit it or refund it. You can pay for this order another way.
    </Trans>
  );
}
