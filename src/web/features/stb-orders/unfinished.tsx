import { Trans } from '@lingui/react/macro';
import type { Order } from '../../../contract/order.ts';
import { serverNow } from '../../api/server-clock.ts';
import { useLanguage } from '../../i18n/active.ts';
import { OrderActions } from '../../payment-state/order-actions.tsx';
import { Card } from '../../ui/card.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { MoneyText } from '../../ui/money-text.tsx';
import styles from './stb-orders.module.css';

/** The order that was begun and not paid, before everything else (spec 4). */
export function Unfinished({ order }: { order: Order }) {
  const language = useLanguage();
  return (
    <Card as="section" tone="brand" className={styles.unfinished} aria-labelledby="stb-unfinished">
      <div>
        <h2 className={styles.heading} id="stb-unfinished">
          <Trans>Your payment is not finished</Trans>
        </h2>
        <p>
          {order.planName} · <MoneyText money={order.total} language={language} />
          {order.expiresAt === null ? null : (
            <>
              {' · '}
              <Countdown until={order.expiresAt} now={serverNow} />
            </>
          )}
        </p>
      </div>
      <OrderActions order={order} />
    </Card>
  );
}
