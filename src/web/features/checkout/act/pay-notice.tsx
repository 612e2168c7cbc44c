import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLanguage } from '../../../i18n/active.ts';
import { errorWords } from '../../../i18n/error-words.ts';
import { isChargeUnknown, UnknownCharge } from '../../../payment-state/unknown-charge.tsx';
import { Alert } from '../../../ui/alert.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { MoneyText } from '../../../ui/money-text.tsx';
import { Ring } from '../../../ui/ring.tsx';
import styles from '../checkout.module.css';
import { wantsAnotherWay } from './pay-outcome.ts';
import type { PayNotice as Notice, PayState } from './pay-machine.ts';
import type { AskedGroup } from '../payer/payer-form.ts';
import { placeOfRefusal } from './refusal-place.ts';

interface PayNoticeProps {
  state: PayState;
  /** what the form asks for; a refusal that belongs to one of its inputs is told there */
  asked: readonly AskedGroup[];
  /** leads to the methods; left out where they are on the screen already */
  onOtherMethod?: (() => void) | undefined;
}

/** What the customer should know before the next tap. It comes into sight by itself. */
export function PayNotice({ state, asked, onOtherMethod }: PayNoticeProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isShown(state, asked)) ref.current?.scrollIntoView({ block: 'center' });
  }, [state, asked]);
  return (
    <div ref={ref} className={styles.notice}>
      {isShown(state, asked) ? <Words state={state} onOtherMethod={onOtherMethod} /> : null}
    </div>
  );
}

function isShown(state: PayState, asked: readonly AskedGroup[]): boolean {
  if (state.phase === 'checking' || state.phase === 'priceChanged') return true;
  if (state.phase !== 'idle' || !state.notice) return false;
  return state.notice.kind !== 'coupon' && placeOfRefusal(state.notice, asked) === undefined;
}

function Words({ state, onOtherMethod }: Omit<PayNoticeProps, 'asked'>): ReactNode {
  if (state.phase === 'checking') return <Checking />;
  if (state.phase === 'priceChanged') return <PriceChanged was={state.was} total={state.total} />;
  return state.phase === 'idle' && state.notice ? (
    <Refusal notice={state.notice} onOtherMethod={onOtherMethod} />
  ) : null;
}

function Checking() {
  return (
    <Alert tone="warning" live="assertive" title={<Trans>We are checking your payment. Do not pay again.</Trans>}>
      <Trans>The connection was lost on the way. This page tells you as soon as we know.</Trans>
      <Ring />
    </Alert>
  );
}

function PriceChanged({ was, total }: Pick<Extract<PayState, { phase: 'priceChanged' }>, 'was' | 'total'>) {
  const language = useLanguage();
  return (
    <Alert tone="warning" live="assertive" title={<Trans>The price has changed</Trans>}>
      <Trans>
        It was <MoneyText money={was} language={language} /> and is now{' '}
        <strong>
          <MoneyText money={total} language={language} />
        </strong>
        . Nothing was charged. To accept it, pay again.
      </Trans>
    </Alert>
  );
}

function Refusal({ notice, onOtherMethod }: { notice: Notice; onOtherMethod?: (() => void) | undefined }) {
  const { i18n } = useLingui();
  switch (notice.kind) {
    case 'declined':
      return (
        <Alert tone="danger" live="assertive" action={wayOut(notice.code, onOtherMethod)}>
          {isChargeUnknown(notice.code) ? <UnknownCharge /> : errorWords(i18n, notice.code)}
        </Alert>
      );
    case 'refused':
      return (
        <Alert tone="danger" live="assertive" action={wayOut(notice.code, onOtherMethod)}>
          {notice.code === undefined ? (
            <Trans>The payment was not accepted. Nothing was charged.</Trans>
          ) : (
            errorWords(i18n, notice.code)
          )}
        </Alert>
      );
    case 'notSent':
      return (
        <Alert tone="warning" live="assertive">
          <Trans>We could not reach the shop, so nothing was sent. Please try again.</Trans>
        </Alert>
      );
    case 'notPaid':
      return (
        <Alert tone="info" live="assertive">
          <Trans>We have checked: this payment did not go through. You can pay again.</Trans>
        </Alert>
      );
    case 'coupon':
      return null;
  }
}

/** What helps where trying the same once more does not. */
function wayOut(code: number | undefined, onOtherMethod: (() => void) | undefined): ReactNode {
  if (wantsAnotherWay(code) && onOtherMethod) {
    return (
      <Button variant="secondary" onClick={onOtherMethod}>
        <Trans>Choose another method</Trans>
      </Button>
    );
  }
  if (code !== 2008) return undefined;
  return (
    <Link to="/pricing-table" className={buttonClass({ variant: 'secondary' })}>
      <Trans>See the plans</Trans>
    </Link>
  );
}
