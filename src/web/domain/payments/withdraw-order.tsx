import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '#contract/money.ts';
import { orderNumber } from '#contract/mask.ts';
import type { Order, WithdrawalState } from '#contract/order.ts';
import { withdrawOrder } from '#contract/orders.ts';
import { isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { formatPaymentMethod } from './payer/card-brand.ts';
import { DateText } from './period-text.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

type Possible = Extract<WithdrawalState, { state: 'possible' }>;

/**
 * Cancels a paid order and refunds it after a confirmation, within the days that the brand grants; renders nothing
 * later.
 */
export function WithdrawOrder({ order, className }: { order: Order; className?: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const { withdrawal } = order;
  const request = useWithdrawal(order, () => setOpen(false));
  if (withdrawal?.state !== 'possible' || withdrawal.until <= serverNow()) return null;
  return (
    <>
      <Button variant="quiet" className={className} onClick={() => (request.clear(), setOpen(true))}>
        <Trans>Cancel and get your money back</Trans>
        <span className="sr-only">{` ${order.planName} ${orderNumber(order.orderId)}`}</span>
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={<Trans>Cancel this order and get your money back?</Trans>}
        actions={
          <>
            <Button variant="danger" busy={request.isPending} onClick={request.mutate}>
              <Trans>Yes, cancel and refund</Trans>
            </Button>
            <Button variant="secondary" onClick={() => setOpen(false)}>
              <Trans>Keep my plan</Trans>
            </Button>
          </>
        }
      >
        <Consequences order={order} withdrawal={withdrawal} />
        <Problem>{request.problem}</Problem>
      </Dialog>
    </>
  );
}

function Consequences({ order, withdrawal: { amount, until } }: { order: Order; withdrawal: Possible }) {
  const money = <MoneyText money={amount} language={useLanguage()} />;
  const method = formatPaymentMethod(order);
  // the last day that is granted, not the midnight after it
  const day = <DateText at={until - 1} />;
  return (
    <>
      <p>
        <Trans>
          <strong>{order.planName}</strong>: we’ll refund <strong>{money}</strong> to your payment method ({method}).
          You can do this until {day}.
        </Trans>
      </p>
      <p>
        <Trans>
          The days of this order end when we send the refund. Automatic renewal of this plan turns off right away.
        </Trans>
      </p>
    </>
  );
}

/** The state of a withdrawal; nothing for an order without one. */
export function WithdrawalNote({ order, className }: { order: Order; className?: string | undefined }) {
  const language = useLanguage();
  const { withdrawal } = order;
  if (!withdrawal || withdrawal.state === 'possible') return null;
  if (withdrawal.state === 'refused') {
    return (
      <span className={className}>
        <span>
          <Trans>We didn’t refund this order.</Trans>
        </span>
        {withdrawal.words === null ? null : <span>{` ${withdrawal.words}`}</span>}
      </span>
    );
  }
  const money = <MoneyText money={withdrawal.amount} language={language} />;
  return (
    <span className={className}>
      {withdrawal.byHand ? (
        <Trans>You cancelled this order. We send your refund of {money} manually and email you once it’s sent.</Trans>
      ) : (
        <Trans>You cancelled this order. We’ll email you once your refund of {money} is sent.</Trans>
      )}
    </span>
  );
}

const tooLate = localizedMessage(msg`You can no longer cancel this order here. Contact us and we’ll help.`);
const unknownOutcome = localizedMessage(
  msg`The connection was lost. Try again: you’ll only be refunded once, no matter how often you tap.`,
);

function useWithdrawal({ orderId }: Order, onDone: () => void) {
  const client = useQueryClient();
  const { i18n } = useLingui();
  const language = useLanguage();
  const withdraw = useApiMutation(withdrawOrder, {
    onSuccess: async (after) => {
      await refreshQueries(client, personalQueries);
      onDone();
      const amount = formatMoney(after.refunded ?? after.total, language);
      const text =
        after.status === 'REFUND_SUCCEEDED'
          ? i18n._(msg`Your order is cancelled and ${amount} is on its way to you.`)
          : i18n._(msg`Your order is cancelled. We’ll email you once the refund is sent.`);
      showToast({ tone: 'success', text });
    },
    onError: (error) => {
      // the request may have arrived: the order then shows it, and the dialog has nothing to request
      if (isOutcomeUnknown(error)) void refreshQueries(client, personalQueries);
    },
    errors: { operationUnsupported: () => tooLate },
    message: (error) => (isOutcomeUnknown(error) ? unknownOutcome : undefined),
    shows: 'all',
  });
  return { ...withdraw, mutate: () => withdraw.mutate({ body: { orderId } }) };
}
