import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, useMemo } from 'react';
import type { NextStepOf } from '#contract/next-step.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { ShareButton } from '#web/domain/notifications/install/share-button.tsx';
import { webAddress } from '#web/domain/payments/continue-at-provider.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { CalendarDays, ChevronDown, Printer, Mail } from '#web/ui/icon.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { StepHead, WaitingLine } from './step-head.tsx';
import type { StepProps } from './stage.ts';
import styles from './step.module.css';
import ticket from './ticket.module.css';
import { msg } from '@lingui/core/macro';
import { orderRemind } from '#contract/orders.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { scannableImage } from '#web/ui/scannable-image.ts';

type Ticket = NextStepOf<'ticket'>;

/** A slip is due within days, so the year is omitted. */
const dayFormat = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** A slip: a barcode, a line to type or copy, and the due date. */
export function TicketStep({ step, order, onEnd }: StepProps<Ticket>) {
  const { i18n, t } = useLingui();
  const { theme } = useBrand();
  const [scans, setScans] = useState(false);
  useEndsAt(step.expiresAt, onEnd);
  // no line break within a day's name, such as "quinta-feira"
  const day = i18n.date(bankDay(step.dueDate), { ...dayFormat, timeZone: 'UTC' }).replaceAll('-', '\u2011');
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
          <BarCode digits={step.barcode} label={t`Boleto barcode: scan it with your bank’s app`} />
        </div>
        <figcaption className={ticket.line}>
          <code translate="no" aria-label={t`Boleto number`}>
            {step.line}
          </code>
        </figcaption>
      </figure>
      <p className={ticket.printed} translate="no">{`${theme.name} · ${order.orderId}`}</p>
      <WaysToPay step={step} orderId={order.orderId} day={day} />
      <WaitingLine>
        <Trans>Waiting for your boleto payment. This page updates automatically.</Trans>
      </WaitingLine>
      <Button variant="quiet" className={styles.fold} aria-expanded={scans} onClick={() => setScans(!scans)}>
        <Trans>Show barcode</Trans>
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
        label={<Trans>Copy number</Trans>}
        copiedLabel={<Trans>Copied. Now paste it in your bank’s app</Trans>}
      />
      {bank ? (
        <a className={buttonClass({ variant: 'secondary', wide: true })} href={bank}>
          <Trans>Open my bank</Trans>
        </a>
      ) : null}
      <div className={ticket.pair}>
        <ShareButton title={t`Boleto`} text={t`Boleto, pay by ${day}: ${line}`} />
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
        <Trans>Pay in your bank’s app, at a bank or at a shop that accepts boletos.</Trans>
      </li>
      <li>
        <Trans>The bank notifies us within three business days. You can close this page.</Trans>
      </li>
      <li>
        <Trans>Then your access starts automatically, and your receipt appears in your orders.</Trans>
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
        <Trans>Email me the details</Trans>
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
const noAddress = localizedMessage(msg`We don’t have an email address for you.`);

/** The digits as a barcode for a bank's scanner; one path, as sharp as the screen or printer allows. */
function BarCode({ digits, label }: { digits: string; label: string }) {
  const image = useMemo(() => barImage(digits), [digits]);
  return <img className={ticket.bars} src={image} alt={label} />;
}

/** A data URL of the barcode, which scales to any box. */
export function barImage(digits: string): string {
  const { bars, size } = interleavedBars(digits);
  const path = bars.map((bar) => `M${bar.x} 0h${bar.width}v1h-${bar.width}z`).join('');
  return scannableImage({ width: size, height: 1, path, stretches: true });
}

/** Wide (w) and narrow (n) elements of each digit; two of five are wide (ISO/IEC 16390). */
const patterns = ['nnwwn', 'wnnnw', 'nwnnw', 'wwnnn', 'nnwnw', 'wnwnn', 'nwwnn', 'nnnww', 'wnnwn', 'nwnwn'] as const;
/** Width of a wide element in modules; banks print slips 1 to 3 (FEBRABAN). */
const wide = 3;
/** White modules on either side; scanners need ten. */
const quietZone = 10;

export interface Bars {
  /** in modules from the left edge, including the quiet zone */
  readonly bars: readonly { readonly x: number; readonly width: number }[];
  /** total width in modules */
  readonly size: number;
}

/**
 * Interleaved 2 of 5: of each pair of digits, one is encoded in the bars and one in the spaces between them. Throws
 * RangeError unless the text has an even number of digits.
 */
export function interleavedBars(digits: string): Bars {
  if (!/^(\d\d)+$/.test(digits)) throw new RangeError('digits must be an even number of digits');
  const pairs = digits.match(/\d\d/g) ?? [];
  const elements = ['nnnn', ...pairs.map(interleave), 'wnn'].join('');
  const bars: { x: number; width: number }[] = [];
  let x = quietZone;
  for (const [index, element] of elements.split('').entries()) {
    const width = element === 'w' ? wide : 1;
    if (index % 2 === 0) bars.push({ x, width });
    x += width;
  }
  return { bars, size: x + quietZone };
}

function interleave(pair: string): string {
  const [bars = '', spaces = ''] = pair.split('').map((digit) => patterns[Number(digit)] ?? '');
  return bars
    .split('')
    .map((bar, index) => bar + (spaces[index] ?? ''))
    .join('');
}
