import { Trans, useLingui } from '@lingui/react/macro';
import type { NextStepOf } from '../../../../contract/next-step.ts';
import { useBrand } from '../../../brand/brand-context.tsx';
import { webAddress } from '../../../payment-state/web-address.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { CalendarDays, Printer } from '../../../ui/icon.tsx';
import { bankDay } from './bank-day.ts';
import { BarCode } from './bar-code.tsx';
import { MailButton } from './mail-button.tsx';
import { ShareButton } from './share-button.tsx';
import { StepHead } from './step-head.tsx';
import type { StepProps } from './step-props.ts';
import styles from './step.module.css';
import ticket from './ticket.module.css';
import { useEndsAt } from './use-ends-at.ts';

type Ticket = NextStepOf<'ticket'>;

/** A slip is due within days, so the year goes without saying. */
const inWords = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** A slip: bars for a scanner, a line to type or to copy, and the last day. */
export function TicketStep({ step, order, onEnd }: StepProps<Ticket>) {
  const { i18n, t } = useLingui();
  const { theme } = useBrand();
  useEndsAt(step.expiresAt, onEnd);
  // no line ends within a day's name, such as "quinta-feira"
  const day = i18n.date(bankDay(step.dueDate), { ...inWords, timeZone: 'UTC' }).replaceAll('-', '\u2011');
  return (
    <>
      <StepHead order={order} amount={step.amount}>
        <p className={styles.until}>
          <CalendarDays aria-hidden />
          <span>
            <Trans>Pay by {day}</Trans>
          </span>
        </p>
      </StepHead>
      <figure className={ticket.slip}>
        <BarCode digits={step.barcode} label={t`Bar code of the slip: scan it with the app of your bank`} />
        <figcaption className={ticket.line}>
          <code aria-label={t`Numbers of the slip`}>{step.line}</code>
        </figcaption>
      </figure>
      <p className={ticket.printed}>
        {theme.name} · {order.orderId}
      </p>
      <WaysToPay step={step} orderId={order.orderId} day={day} />
      <WhatHappens />
    </>
  );
}

function WaysToPay({ step, orderId, day }: { step: Ticket; orderId: string; day: string }) {
  const { t } = useLingui();
  const bank = step.bankUrl === undefined ? undefined : webAddress(step.bankUrl);
  const { line } = step;
  return (
    <div className={`${styles.actions} ${ticket.tools}`}>
      <CopyButton
        text={line}
        variant="primary"
        wide
        label={<Trans>Copy the numbers</Trans>}
        copiedLabel={<Trans>Copied</Trans>}
      />
      {bank ? (
        <a className={buttonClass({ variant: 'secondary', wide: true })} href={bank}>
          <Trans>Open my bank</Trans>
        </a>
      ) : null}
      <div className={ticket.pair}>
        <ShareButton title={t`Payment slip`} text={t`Payment slip, to be paid by ${day}: ${line}`} />
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden />
          <Trans>Print</Trans>
        </Button>
      </div>
      <MailButton orderId={orderId} />
    </div>
  );
}

function WhatHappens() {
  return (
    <ol className={styles.steps}>
      <li>
        <Trans>Pay in the app of your bank, at a bank or at a shop that takes slips.</Trans>
      </li>
      <li>
        <Trans>The bank tells us within three business days. You do not have to keep this page open.</Trans>
      </li>
      <li>
        <Trans>Your access starts by itself then, and a receipt comes to your orders.</Trans>
      </li>
    </ol>
  );
}
