import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { NextStepOf } from '#contract/next-step.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { ShareButton } from '#web/domain/notifications/install/share-button.tsx';
import { webAddress } from '#web/domain/payments/web-address.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { CalendarDays, ChevronDown, Printer, Mail } from '#web/ui/icon.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { BarCode } from './bar-code.tsx';
import { StepHead, WaitingLine } from './step-head.tsx';
import type { StepProps } from './step-props.ts';
import styles from './step.module.css';
import ticket from './ticket.module.css';
import { msg } from '@lingui/core/macro';
import { orderRemind } from '#contract/orders.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

type Ticket = NextStepOf<'ticket'>;

/** A slip is due within days, so the year is omitted. */
const inWords = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** A slip: a barcode, a line to type or copy, and the due date. */
export function TicketStep({ step, order, onEnd }: StepProps<Ticket>) {
  const { i18n, t } = useLingui();
  const { theme } = useBrand();
  const [scans, setScans] = useState(false);
  useEndsAt(step.expiresAt, onEnd);
  // no line break within a day's name, such as "quinta-feira"
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
        <div className={ticket.code} data-shown={scans || undefined}>
          <BarCode digits={step.barcode} label={t`Bar code of the slip: scan it with the app of your bank`} />
        </div>
        <figcaption className={ticket.line}>
          <code translate="no" aria-label={t`Numbers of the slip`}>
            {step.line}
          </code>
        </figcaption>
      </figure>
      <p className={ticket.printed} translate="no">{`${theme.name} · ${order.orderId}`}</p>
      <WaysToPay step={step} orderId={order.orderId} day={day} />
      <WaitingLine>
        <Trans>Waiting for your slip to be paid. This page changes by itself.</Trans>
      </WaitingLine>
      <Button variant="quiet" className={styles.fold} aria-expanded={scans} onClick={() => setScans(!scans)}>
        <Trans>Show the bar code, to be scanned</Trans>
        <ChevronDown aria-hidden />
      </Button>
      <Instructions />
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
        size="lg"
        wide
        label={<Trans>Copy the numbers</Trans>}
        copiedLabel={<Trans>Copied. Now paste them in your bank’s app</Trans>}
      />
      {bank ? (
        <a className={buttonClass({ variant: 'secondary', wide: true })} href={bank}>
          <Trans>Open my bank</Trans>
        </a>
      ) : null}
      <div className={ticket.pair}>
        <ShareButton title={t`Payment slip`} text={t`Payment slip, to be paid by ${day}: ${line}`} />
        <Button variant="secondary" className={ticket.print} onClick={() => window.print()}>
          <Printer aria-hidden />
          <Trans>Print</Trans>
        </Button>
        <MailButton orderId={orderId} />
      </div>
    </div>
  );
}

function Instructions() {
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

/**
 * A bank date (`YYYY-MM-DD`) as a time of that day in UTC, to be formatted with `timeZone: 'UTC'`: the day is the same
 * in every time zone.
 */
export function bankDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date, 12));
}

/** Longer delays overflow browser timers: a slip is valid for days. In milliseconds. */
const longestMs = 60 * 60_000;

/** Calls `onEnd` once at `until` (epoch milliseconds of the server), for steps without a countdown. */
function useEndsAt(until: number, onEnd: () => void): void {
  const latest = useRef(onEnd);
  useEffect(() => {
    latest.current = onEnd;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const left = until - serverNow();
      if (left <= 0) latest.current();
      else timer = setTimeout(look, Math.min(left, longestMs));
    };
    look();
    return () => clearTimeout(timer);
  }, [until]);
}

/** Emails the customer what is needed to pay later, or on another device. */
function MailButton({ orderId }: { orderId: string }) {
  const [sentTo, setSentTo] = useState<string>();
  const { mutate, isPending, problem } = useApiMutation(orderRemind, {
    onSuccess: (sent) => setSentTo(sent.sentTo),
    errors: { operationUnsupported: () => noAddress },
    shows: 'all',
  });
  const send = () => {
    setSentTo(undefined);
    mutate({ body: { orderId } });
  };
  return (
    <>
      <Button variant="secondary" wide busy={isPending} onClick={send}>
        <Mail aria-hidden />
        <Trans>E-mail me the payment details</Trans>
      </Button>
      {sentTo === undefined ? null : (
        <Alert tone="success" live="polite">
          <Trans>Sent to {sentTo}.</Trans>
        </Alert>
      )}
      <Problem>{problem}</Problem>
    </>
  );
}

/** The error for an unpaid order whose account has no email address. */
const noAddress = localizedMessage(msg`We have no e-mail address of yours to send it to.`);
