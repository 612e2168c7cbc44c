import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import type { Money } from '#contract/money.ts';
import { updateRenewStatus, type RenewalInfo } from '#contract/renewal.ts';
import { cardExpiry, cardName } from '#web/domain/payments/payer/card-brand.ts';
import { DateText } from '#web/domain/payments/period-text.tsx';
import { renewalTrouble, RenewalTroubleHelp, RenewalTroubleTitle } from '#web/domain/payments/renewal-trouble.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { isOver } from './renewal-facts.tsx';
import { useRenewalOptions, successResult, type ActionResult } from './renewal-action.ts';
import styles from './renewal.module.css';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface NoticesProps {
  info: RenewalInfo;
  /** the account is to be deleted, so the renewal cannot be turned on */
  leaves: boolean;
  onAct: (act: 'off' | 'card') => void;
  onResult: (said: ActionResult) => void;
}

/** The state in a sentence, and what the customer has to decide or correct. */
export function RenewalNotices(props: NoticesProps) {
  const { info } = props;
  const buysOnly = useSession()?.buysOnly === true;
  switch (info.status) {
    case 'on':
      if (info.asks) return <NewPrice {...props} asks={info.asks} />;
      return <CardTrouble info={info} />;
    case 'off':
      return <RenewalOff info={info} cannotTurnOn={buysOnly || props.leaves} />;
    case 'renewing':
      return <Renewing byAccount={info.card?.account !== undefined} />;
    case 'pastDue':
      return <PastDue info={info} />;
    case 'ended':
      return <Ended info={info} />;
  }
}

function RenewalOff({ info: { offered, endsAt }, cannotTurnOn }: { info: RenewalInfo; cannotTurnOn: boolean }) {
  // without days there is no plan to offer
  if (!offered && isOver(endsAt))
    return (
      <p>
        <Trans>No automatic charges.</Trans>
      </p>
    );
  if (!offered)
    return (
      <p>
        <Trans>No automatic charges. This plan doesn’t offer automatic renewal.</Trans>
      </p>
    );
  return (
    <p>
      <Trans>No automatic charges.</Trans>
      <span> </span>
      {cannotTurnOn ? null : <Trans>Turn it on and your plan continues automatically.</Trans>}
    </p>
  );
}

function Renewing({ byAccount }: { byAccount: boolean }) {
  if (byAccount)
    return (
      <Alert tone="info">
        <Trans>We’re charging your PayPal account, so you can’t change anything until that’s done.</Trans>
      </Alert>
    );
  return (
    <Alert tone="info">
      <Trans>
        We’re charging your card, so you can’t change anything until that’s done. If your bank asks you to confirm,
        you’ll find the payment in <Link to="/orders">your orders</Link>.
      </Trans>
    </Alert>
  );
}

function PastDue({ info }: Pick<NoticesProps, 'info'>) {
  const { graceUntil, terms } = info;
  const language = useLanguage();
  const trouble = renewalTrouble(info);
  const { toConfirm } = trouble;
  const triesAgain = toConfirm === undefined && (graceUntil === null || terms.nextChargeAt < graceUntil);
  return (
    <Alert
      tone="danger"
      title={<RenewalTroubleTitle {...trouble} />}
      action={toConfirm === undefined ? undefined : <Confirm planId={terms.planId} orderId={toConfirm} />}
    >
      {graceUntil === null ? null : (
        <Trans>
          You can still watch until <DateText at={graceUntil} />.
        </Trans>
      )}
      <span> </span>
      {triesAgain ? (
        <Trans>
          We’ll try to charge <MoneyText money={terms.price} language={language} /> again on{' '}
          <DateText at={terms.nextChargeAt} />.
        </Trans>
      ) : null}
      <span> </span>
      <RenewalTroubleHelp {...trouble} />
    </Alert>
  );
}

/** The order waits for the cardholder, who pays it at the checkout. */
function Confirm({ planId, orderId }: { planId: string; orderId: string }) {
  return (
    <Link to="/payment" search={{ planId, orderId }} className={buttonClass()}>
      <Trans>Confirm and pay</Trans>
    </Link>
  );
}

function Ended({ info: { terms } }: Pick<NoticesProps, 'info'>) {
  return (
    <>
      <p>
        <Trans>You won’t be charged again. To come back, buy the plan again.</Trans>
      </p>
      <div className={styles.actions}>
        <Link to="/payment" search={{ planId: terms.planId }} className={buttonClass()}>
          <Trans>Buy again</Trans>
        </Link>
        <Link to="/pricing-table" className={buttonClass({ variant: 'secondary' })}>
          <Trans>See plans</Trans>
        </Link>
      </div>
    </>
  );
}

/** Shown in advance: the next payment would fail. */
function CardTrouble({ info: { card, cardLeft, cardEndsBefore, terms } }: Pick<NoticesProps, 'info'>) {
  if (!card) {
    return (
      <Alert tone="danger" title={<Trans>No payment method</Trans>}>
        <Trans>
          Choose one before <DateText at={terms.nextChargeAt} />, or your access ends then.
        </Trans>
      </Alert>
    );
  }
  if (cardLeft) {
    return (
      <Alert tone="warning" title={<Trans>We can no longer charge this card</Trans>}>
        <Trans>
          We now use another payment provider. Enter your card again before <DateText at={terms.nextChargeAt} />.
        </Trans>
      </Alert>
    );
  }
  if (!cardEndsBefore) return null;
  const name = cardName(card);
  const until = cardExpiry(card);
  return (
    <Alert tone="warning" title={<Trans>Your card expires before the next payment</Trans>}>
      <Trans>
        {name} expires {until}. Choose another card before <DateText at={terms.nextChargeAt} />.
      </Trans>
    </Alert>
  );
}

/** A new price needs consent; without it, the renewal ends with the paid time. */
function NewPrice({ info, asks, onAct, onResult }: NoticesProps & { asks: Money }) {
  const language = useLanguage();
  const buysOnly = useSession()?.buysOnly === true;
  const { price, nextChargeAt } = info.terms;
  const amount = <MoneyText money={asks} language={language} />;
  const { mutate, isPending, problem } = useAgreement(asks, onResult);
  return (
    <Alert
      tone="warning"
      title={<Trans>The price of your plan is changing</Trans>}
      action={
        <div className={styles.actions}>
          {buysOnly ? null : (
            <Button busy={isPending} onClick={mutate}>
              <Trans>Accept {amount}</Trans>
            </Button>
          )}
          <Button variant="secondary" onClick={() => onAct('off')}>
            <Trans>Let my plan end</Trans>
          </Button>
        </div>
      }
    >
      <Trans>
        It was <MoneyText money={price} language={language} />. From <DateText at={nextChargeAt} /> it will be{' '}
        <strong>
          <MoneyText money={asks} language={language} />
        </strong>
        .
      </Trans>
      <span> </span>
      <Trans>If you don’t accept, we won’t charge you, and your access ends with the time you’ve paid for.</Trans>
      <Problem>{problem}</Problem>
    </Alert>
  );
}

function useAgreement(price: Money, onSaid: (said: ActionResult) => void) {
  const options = useRenewalOptions({ onClose: () => undefined, onSaid }, () =>
    successResult((i18n) => i18n._(msg`Thank you! Your plan continues at the new price.`)),
  );
  const agree = useApiMutation(updateRenewStatus, options);
  return { ...agree, mutate: () => agree.mutate({ body: { status: 'on', price } }) };
}
