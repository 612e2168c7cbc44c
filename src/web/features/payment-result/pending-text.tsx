import { Trans, useLingui } from '@lingui/react/macro';
import type { PaymentView } from '#web/domain/payments/use-payment-state.ts';
import { timeText } from '#web/platform/i18n/day-text.ts';

/** What is awaited, which depends on the method. */
export function PendingText({ view }: { view: PaymentView }) {
  const { next } = view;
  if (next?.type === 'ticket') {
    return (
      <p>
        <Trans>
          When you have paid the slip, the bank tells us within three business days. Please do not pay it again.
        </Trans>
      </p>
    );
  }
  if (next?.type === 'upload' && next.proof === 'received') {
    return (
      <p>
        <Trans>We have your picture and compare it with our account. Please do not pay again.</Trans>
      </p>
    );
  }
  if (next?.type === 'crypto' && next.chosen?.missing === '0') {
    return (
      <p>
        <Trans>Your coins have arrived, and the network is confirming them. Please do not pay again.</Trans>
      </p>
    );
  }
  return <PayUntil expiresAt={view.expiresAt} />;
}

function PayUntil({ expiresAt }: Pick<PaymentView, 'expiresAt'>) {
  const { i18n } = useLingui();
  const time = expiresAt && timeText(i18n, expiresAt);
  return (
    <p>
      <Trans>This page changes by itself when the payment arrives.</Trans>
      <span> </span>
      {time ? <Trans>You can pay until {time}.</Trans> : null}
    </p>
  );
}
