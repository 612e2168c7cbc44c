import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import type { ReactNode } from 'react';
import type { RenewalInfo } from '#contract/renewal.ts';
import { isOpen, isUnpaid } from '#contract/order-status.ts';
import { cardExpiry, cardName, lastDigits } from '#web/domain/payments/payer/card-brand.ts';
import { DateText, RecurringPrice } from '#web/domain/payments/period-text.tsx';
import { statusLabel } from '#web/domain/payments/status-label.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { Pill } from '#web/ui/pill.tsx';
import styles from './renewal.module.css';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** Whether the paid time has ended, or was refunded. */
export const isOver = (endsAt: number | null) => endsAt !== null && endsAt <= serverNow();

/** When and how much is charged, to which card, for what: one row if there is space. */
export function RenewalFacts({ info: { status, terms, card, endsAt, graceUntil } }: { info: RenewalInfo }) {
  const language = useLanguage();
  const charged = status === 'on' || (status === 'pastDue' && (graceUntil === null || terms.nextChargeAt < graceUntil));
  const hasEnded = status === 'ended' || isOver(endsAt);
  return (
    <dl className={styles.facts}>
      {charged ? (
        <Fact label={status === 'on' ? <Trans>Next payment</Trans> : <Trans>Next try</Trans>}>
          <strong>
            <DateText at={terms.nextChargeAt} />
          </strong>
          <small>
            <MoneyText money={terms.price} language={language} />
          </small>
        </Fact>
      ) : null}
      {(status === 'off' || status === 'ended') && endsAt !== null ? (
        <Fact label={hasEnded ? <Trans>Ended on</Trans> : <Trans>Your access ends on</Trans>}>
          <strong>
            <DateText at={endsAt} />
          </strong>
        </Fact>
      ) : null}
      {card && status !== 'ended' ? (
        <Fact label={card.account === undefined ? <Trans>Card</Trans> : <Trans>Payment method</Trans>}>
          <CardOfRenewal card={card} />
        </Fact>
      ) : null}
      <Fact label={<Trans>Plan</Trans>}>
        <strong translate="no">{terms.planName}</strong>
        <small>
          <RecurringPrice price={terms.price} days={terms.days} />
        </small>
      </Fact>
    </dl>
  );
}

function CardOfRenewal({ card }: { card: NonNullable<RenewalInfo['card']> }) {
  return (
    <>
      <strong translate="no">{cardName(card)}</strong>
      {card.account === undefined ? (
        <small>
          {card.expired ? <Trans>Expired {cardExpiry(card)}</Trans> : <Trans>Expires {cardExpiry(card)}</Trans>}
        </small>
      ) : null}
    </>
  );
}

function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Past charges, newest first; each paid one links to its receipt. */
export function RenewalHistory({ history }: Pick<RenewalInfo, 'history'>) {
  if (history.length === 0) return null;
  return (
    <details className={styles.history}>
      <summary>
        <Plural value={history.length} one="# payment so far" other="# payments so far" />
      </summary>
      <ul>
        {history.map((charge) => (
          <Charge key={charge.orderId} charge={charge} />
        ))}
      </ul>
    </details>
  );
}

function Charge({ charge }: { charge: RenewalInfo['history'][number] }) {
  const { i18n } = useLingui();
  const language = useLanguage();
  const { orderId, at, amount, status, last4 } = charge;
  const { label, tone } = statusLabel(status);
  const day = dayText(i18n, at, 'medium');
  const paid = !isOpen(status) && !isUnpaid(status) && status !== 'PAYMENT_CANCELLED';
  return (
    <li className={styles.charge}>
      <span>
        <strong>{day}</strong>
        <small>
          <MoneyText money={amount} language={language} />
          <span>{last4 === undefined ? null : `${dot}${lastDigits(last4)}`}</span>
        </small>
      </span>
      <Pill tone={tone}>{i18n._(label)}</Pill>
      {paid ? (
        <Link to="/receipt" search={{ orderId }} className={buttonClass({ variant: 'quiet' })}>
          <Trans>
            Receipt<span className="sr-only"> {day}</span>
          </Trans>
        </Link>
      ) : null}
    </li>
  );
}
