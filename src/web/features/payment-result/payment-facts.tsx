import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/active.ts';
import type { PaymentView } from '../../payment-state/payment-view.ts';
import { MoneyText } from '../../ui/money-text.tsx';
import styles from './payment-result.module.css';

/** The order in a few lines; without a session only what the payment's public face tells. */
export function PaymentFacts({ view, orderId }: { view: PaymentView; orderId: string | undefined }) {
  const language = useLanguage();
  return (
    <dl className={styles.rows}>
      <Row label={<Trans>Plan</Trans>}>{view.planName}</Row>
      <Row label={<Trans>Amount</Trans>}>
        <MoneyText money={view.total} language={language} />
      </Row>
      {view.order ? <Row label={<Trans>Payment method</Trans>}>{view.order.methodName}</Row> : null}
      {orderId === undefined ? null : <Row label={<Trans>Order</Trans>}>{orderId}</Row>}
    </dl>
  );
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
