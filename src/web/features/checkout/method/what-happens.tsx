import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { PaymentMethod } from '#contract/billing.ts';
import { slipValidityDays } from '#contract/limits.ts';
import { Info } from '#web/ui/icon.tsx';
import styles from '../checkout.module.css';

/** What follows the pay button, in a sentence. A card is charged at once. */
export function WhatHappens({ method, bySaved }: { method: PaymentMethod; bySaved: boolean }) {
  if (method.fields.includes('card') || bySaved) return null;
  return (
    <p className={styles.next}>
      <Info aria-hidden />
      <span>{sentence(method)}</span>
    </p>
  );
}

function sentence({ flow, flavour, name, fields }: PaymentMethod): ReactNode {
  if (fields.includes('cardPage')) {
    return <Trans>You type your card on the page of our payment provider, and come back here.</Trans>;
  }
  switch (flow) {
    case 'qr':
      return <Trans>You get a code to scan or to copy into the app of your bank.</Trans>;
    case 'ticket':
      return (
        <Trans>
          You get a slip with a bar code. Pay it within {slipValidityDays} days, in the app of your bank or at its
          counter.
        </Trans>
      );
    case 'redirect':
      return <Trans>You go on to {name}, approve the payment there, and come back here.</Trans>;
    case 'crypto':
      return <Trans>You choose your coin on the next page, and get the exact amount and the address for it.</Trans>;
    case 'push':
    case 'otp':
      return <Trans>You confirm the payment to {name} on your phone. Keep it at hand.</Trans>;
    case 'upload':
      return flavour === 'caishen' ? (
        <Trans>You get a code to pay by. When you have paid, you show us a picture of the receipt.</Trans>
      ) : (
        <Trans>
          You get the account for your transfer. When you have sent it, you show us a picture of the receipt.
        </Trans>
      );
    case 'none':
      return <Trans>The next page shows how to pay with {name}.</Trans>;
  }
}
