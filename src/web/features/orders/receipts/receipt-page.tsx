import { Trans, useLingui, Plural } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '#web/platform/brand/link.tsx';
import { useRef } from 'react';
import { order, service } from '#contract/orders.ts';
import { mailReceipt, receiptFile, receiptParties } from '#contract/receipts.ts';
import { q } from '#web/platform/api/query.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { canSaveFiles, canShareFiles, fileOfBase64, saveFile, shareFile } from '#web/platform/pwa/save-file.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { InstallOfferSlot } from '#web/domain/notifications/install/install-offer-slot.tsx';
import { ShareButton } from '#web/domain/notifications/install/share-button.tsx';
import { WithdrawalNote, WithdrawOrder } from '#web/domain/payments/withdraw-order.tsx';
import { OrderMailButton } from '#web/domain/payments/order-mail-button.tsx';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { ConfirmedEmptyList, useIsComplete } from '#web/domain/payments/access-text.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ArrowLeft, Download, Printer, Share2 } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import styles from './receipt.module.css';
import { ReceiptSheet } from './receipt-sheet.tsx';
import { receiptText, receiptTitle, useTabTitle, type Receipt } from './receipt-text.ts';
import { msg } from '@lingui/core/macro';
import { useApiMutation, useAction } from '#web/platform/form/use-api-mutation.ts';
import type { PeriodChange } from '#contract/periods.ts';
import { DateText } from '#web/domain/payments/period-text.tsx';

/** /receipt: a printable page with what was paid, when and for what, by whom and to whom. */
export function ReceiptPage({ orderId }: { orderId: string }) {
  const params = { id: orderId };
  const asked = useQuery(q(order, { params }, { quiet: true }));
  const validity = useQuery(q(service, { params }, { quiet: true }));
  const parties = useQuery({
    ...q(receiptParties, { params }, { quiet: true }),
    enabled: asked.data?.receipt === true,
  });
  const isComplete = useIsComplete(asked, [validity, parties]);
  const title = receiptTitle(parties.data);
  useTabTitle(title);
  if (!asked.data) {
    return asked.error ? <LoadFailed error={asked.error} onRetry={() => void asked.refetch()} /> : <ReceiptSkeleton />;
  }
  if (!asked.data.receipt) {
    const retry = () => void asked.refetch();
    return (
      <ConfirmedEmptyList error={asked.error} readAt={asked.dataUpdatedAt} onRetry={retry} asking={<ReceiptSkeleton />}>
        <NoReceipt />
      </ConfirmedEmptyList>
    );
  }
  if (!isComplete) return <ReceiptSkeleton />;
  // the order contains its own dates; `validity` includes what refunds changed
  const { serviceStart, serviceEnd } = validity.data ?? asked.data;
  return (
    <div className={styles.page}>
      <Link to="/orders" className={classNames(buttonClass({ variant: 'quiet' }), styles.up)}>
        <ArrowLeft aria-hidden />
        <Trans>Orders</Trans>
      </Link>
      <ReceiptSheet {...{ serviceStart, serviceEnd }} order={asked.data} parties={parties.data}>
        <PeriodChanges changes={validity.data?.changes ?? []} />
      </ReceiptSheet>
      <SavedStamp error={asked.error} readAt={asked.dataUpdatedAt} />
      <WithdrawalNote order={asked.data} className={styles.said} />
      <Tools receipt={{ title, order: asked.data, serviceStart, serviceEnd }} />
      <InstallOfferSlot wide />
    </div>
  );
}

/** Save, share, email and print. A TV can do none of these. */
function Tools({ receipt }: { receipt: Omit<Receipt, 'seller'> }) {
  const { orderId } = receipt.order;
  return (
    <div className={styles.tools}>
      <SavePdf orderId={orderId} />
      {canShareFiles() ? null : <ShareReceipt {...receipt} />}
      {canSaveFiles() ? (
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden />
          <Trans>Print</Trans>
        </Button>
      ) : null}
      <OrderMailButton endpoint={mailReceipt} orderId={orderId} className={styles.said}>
        <Trans>Email it to me</Trans>
      </OrderMailButton>
      <WithdrawOrder order={receipt.order} />
    </div>
  );
}

/** Fetches the PDF once; both buttons wait for the same request. */
function useReceiptFile(orderId: string) {
  // some browsers share only soon after a tap, so a second tap uses the fetched file
  const fetched = useRef<{ name: string; file: Blob }>(undefined);
  const fetching = useRef<ReturnType<typeof request.send>>(undefined);
  const request = useApiMutation(receiptFile, {
    onSuccess: ({ name, content }) => {
      fetched.current = { name, file: fileOfBase64(content, 'application/pdf') };
    },
    shows: 'all',
  });
  return async () => {
    if (fetched.current) return { ready: fetched.current };
    fetching.current ??= request.send({ params: { id: orderId } }).finally(() => (fetching.current = undefined));
    const { refusal } = await fetching.current;
    return refusal ? { refusal } : { ready: fetched.current };
  };
}

/** The server creates the PDF, the same for every phone, because not every browser can print to a file. */
function SavePdf({ orderId }: { orderId: string }) {
  const fetchFile = useReceiptFile(orderId);
  const save = useAction(async () => {
    const { ready, refusal } = await fetchFile();
    if (ready) saveFile(ready.name, ready.file);
    return { refusal };
  });
  const share = useAction(async () => {
    const { ready, refusal } = await fetchFile();
    if (!ready || (await shareFile(ready.name, ready.file))) return { refusal };
    return { refusal: { summary: notShared } };
  });
  return (
    <>
      {canSaveFiles() ? (
        <Button busy={save.isPending} onClick={save.mutate}>
          <Download aria-hidden />
          <Trans>Save as PDF</Trans>
        </Button>
      ) : null}
      {canShareFiles() ? (
        <Button variant="secondary" busy={share.isPending} onClick={share.mutate}>
          <Share2 aria-hidden />
          <Trans>Share</Trans>
        </Button>
      ) : null}
      <Problem>{save.problem ?? share.problem}</Problem>
    </>
  );
}

const notShared = localizedMessage(msg`Sharing didn’t work. Try again or have it sent by email.`);

function ShareReceipt(receipt: Omit<Receipt, 'seller'>) {
  const { i18n } = useLingui();
  const { name } = useBrand().theme;
  return <ShareButton title={i18n._(receipt.title)} text={receiptText(i18n, { ...receipt, seller: name })} />;
}

function NoReceipt() {
  return (
    <StatePage
      art={<StateArt kind="empty" />}
      title={<Trans>There is no receipt for this order yet</Trans>}
      action={
        <Link to="/orders" className={buttonClass()}>
          <Trans>View my orders</Trans>
        </Link>
      }
    >
      <p>
        <Trans>Your receipt appears once the payment arrives.</Trans>
      </p>
    </StatePage>
  );
}

function ReceiptSkeleton() {
  return (
    <div className={styles.page} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <div className={styles.sheet}>
        <Skeleton lines={8} height={28} />
      </div>
    </div>
  );
}

const dayMs = 86_400_000;

/** Why the days of an order have changed: because of refunds and lost disputes ([Note: Periods]). */
function PeriodChanges({ changes }: { changes: readonly PeriodChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <li key={`${change.at} ${change.orderId}`}>
          <PeriodChangeText change={change} />
        </li>
      ))}
    </ul>
  );
}

function PeriodChangeText({ change: { kind, because, orderId, at, ms } }: { change: PeriodChange }) {
  const day = <DateText at={at} short />;
  const days = <Plural value={Math.round(ms / dayMs)} one="# day" other="# days" />;
  if (kind === 'moved') {
    return (
      <Trans>
        {day}: starts {days} earlier, because order {orderId} was refunded
      </Trans>
    );
  }
  return because === 'refund' ? (
    <Trans>
      {day}: {days} removed with the refund
    </Trans>
  ) : (
    <Trans>
      {day}: {days} removed, because the bank reversed the payment
    </Trans>
  );
}
