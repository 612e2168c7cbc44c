import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import type { NextStepOf } from '#contract/next-step.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { useSession } from '#web/platform/session/session.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import { messageOfCode } from '#web/platform/api/error-message.ts';
import { awaitsAnswer, type PaymentView } from '#web/domain/payments/use-payment-state.ts';
import { PurchasedPeriod, DateText } from '#web/domain/payments/period-text.tsx';
import { isChargeUnknown, UnknownCharge } from '#web/domain/payments/unknown-charge.tsx';
import type { ResultKind } from './use-finish.ts';
import { timeText } from '#web/platform/i18n/day-text.ts';
import { Link } from '#web/platform/brand/link.tsx';
import { cardName } from '#web/domain/payments/payer/card-brand.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { AccountName } from '#web/domain/account/names.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { useRenewal } from '#web/domain/payments/use-renewal.ts';

interface ResultWordsProps {
  kind: ResultKind;
  view: PaymentView;
  wants: NextStepOf<'redirect'> | undefined;
  gaveUp: boolean;
}

/** What the state means for the customer. */
export function ResultText({ kind, view, wants, gaveUp }: ResultWordsProps) {
  switch (kind) {
    case 'succeeded':
      return <Succeeded view={view} />;
    case 'pending':
      return <PendingText view={view} />;
    case 'left':
      return <LeftUnpaid view={view} wants={wants} gaveUp={gaveUp} />;
    case 'lapsed':
      return (
        <p>
          <Trans>
            We’ve kept your order, and you can pay it again. If you’ve just paid, don’t pay again: this page updates
            when your payment arrives.
          </Trans>
        </p>
      );
    case 'failed':
      return <Failed code={view.failureCode} />;
    case 'cancelled':
      return (
        <p>
          <Trans>
            The order is closed, so you don’t have to pay it. If a payment still arrives, we’ll credit it or refund it.
            You can buy the plan again at any time.
          </Trans>
        </p>
      );
    case 'checking':
      return <Checking view={view} />;
    case 'returned':
      return <AwaitingProvider />;
  }
}

function Succeeded({ view }: { view: PaymentView }) {
  return (
    <>
      <p>
        <PurchasedPeriod order={view.order} />
      </p>
      {view.order && view.renews ? <RenewalConfirmed planId={view.order.planId} /> : null}
      {view.order?.receipt ? <WhereReceiptWent /> : null}
    </>
  );
}

/**
 * Where the receipt was emailed: to the account, if it is an email address; otherwise this page does not know the
 * address.
 */
function WhereReceiptWent() {
  const login = useSession()?.account;
  if (login === undefined) return null;
  const account = <AccountName account={login} />;
  return (
    <p data-private>
      {login.includes('@') ? (
        <Trans>
          We’ve sent the receipt to <strong>{account}</strong>.
        </Trans>
      ) : (
        <Trans>Your receipt is in your orders.</Trans>
      )}
    </p>
  );
}

interface LeftUnpaidProps extends Pick<ResultWordsProps, 'view' | 'wants' | 'gaveUp'> {}

/** Returned from the provider's page without paying: by its "cancel", or because the payment was impossible. */
function LeftUnpaid({ view, wants, gaveUp }: LeftUnpaidProps) {
  const { i18n } = useLingui();
  const time = view.expiresAt && timeText(i18n, view.expiresAt);
  return (
    <>
      <p>
        {gaveUp ? (
          <Trans>You left the payment page without paying, and nothing was charged.</Trans>
        ) : wants?.finish === 'paypal' ? (
          <Trans>
            PayPal hasn’t made this payment yet. Continue there and choose another card or account if the first one
            didn’t work.
          </Trans>
        ) : (
          <Trans>The payment wasn’t confirmed, and nothing was charged. Continue there or choose another method.</Trans>
        )}
      </p>
      {time ? (
        <p>
          <Trans>We’ll keep your order until {time}.</Trans>
        </p>
      ) : null}
    </>
  );
}

function Checking({ view }: { view: PaymentView }) {
  return (
    <p>
      {awaitsAnswer(view, serverNow()) ? (
        <Trans>We don’t know yet whether you confirmed the payment. This page updates as soon as we do.</Trans>
      ) : (
        <Trans>Don’t pay again. This page updates as soon as your bank answers.</Trans>
      )}
    </p>
  );
}

/** The provider has not reported yet whether the customer paid. */
function AwaitingProvider() {
  return (
    <>
      <p>
        <Trans>
          If you’ve paid, don’t pay again: this page updates when the provider confirms it, usually within a minute.
        </Trans>
      </p>
      <p>
        <Trans>If you left the payment page without paying, you can go back to it.</Trans>
      </p>
    </>
  );
}

function Failed({ code }: { code: number | null }) {
  const { i18n } = useLingui();
  useEffect(() => {
    // the error is part of the state and was not thrown, so its messages are not loaded yet
    void loadMessages('private');
  }, []);
  if (isChargeUnknown(code)) {
    return (
      <p>
        <UnknownCharge />
      </p>
    );
  }
  return (
    <>
      {code === null ? null : <p>{messageOfCode(i18n, code)}</p>}
      <p>
        <Trans>Nothing was charged, and we’ve kept your order.</Trans>
      </p>
    </>
  );
}

/** Confirms that the plan renews: how much, when, with which card, and how to cancel. Nothing if it does not. */
function RenewalConfirmed({ planId }: { planId: string }) {
  const language = useLanguage();
  const { data } = useRenewal({ fresh: true });
  if (data?.status !== 'on' || data.terms.planId !== planId) return null;
  const { terms, card } = data;
  const price = <MoneyText money={terms.price} language={language} />;
  const date = <DateText at={terms.nextChargeAt} />;
  const name = card === null ? '' : cardName(card);
  return (
    <p>
      {card === null ? (
        <Trans>
          Your plan renews automatically: {price} on {date}.
        </Trans>
      ) : (
        <Trans>
          Your plan renews automatically: {price} on {date}, with {name}.
        </Trans>
      )}
      <span> </span>
      <Trans>
        We’ll notify you before each payment, and you can <Link to="/account">turn it off in your account</Link> at any
        time.
      </Trans>
    </p>
  );
}

/** What is awaited, which depends on the method. */
function PendingText({ view }: { view: PaymentView }) {
  const { next } = view;
  if (next?.type === 'ticket') {
    return (
      <p>
        <Trans>
          After you pay the boleto, the bank notifies us within three business days. Please don’t pay it again.
        </Trans>
      </p>
    );
  }
  if (next?.type === 'upload' && next.proof === 'received') {
    return (
      <p>
        <Trans>
          We’ve received your proof of payment and are comparing it with our account. Please don’t pay again.
        </Trans>
      </p>
    );
  }
  if (next?.type === 'crypto' && next.chosen?.missing === '0') {
    return (
      <p>
        <Trans>Your coins have arrived, and the network is confirming them. Please don’t pay again.</Trans>
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
      <Trans>This page updates automatically when the payment arrives.</Trans>
      <span> </span>
      {time ? <Trans>You can pay until {time}.</Trans> : null}
    </p>
  );
}
