import { Trans } from '@lingui/react/macro';
import { formatMoney } from '../../../contract/money.ts';
import { useLanguage } from '../../i18n/active.ts';
import { Button } from '../../ui/button.tsx';
import { MoneyText } from '../../ui/money-text.tsx';
import { StickyBar } from '../../ui/sticky-bar.tsx';
import styles from './checkout.module.css';
import { isBusy, type PayState } from './act/pay-machine.ts';
import type { CheckoutStep } from './steps.tsx';
import type { Purchase } from './price/use-purchase.ts';

interface ActionBarProps {
  step: CheckoutStep;
  purchase: Purchase;
  /** what the details ask for is known */
  ready: boolean;
  state: PayState;
}

/** The total and the one thing to do next. */
export function ActionBar({ step, purchase, ready, state }: ActionBarProps) {
  const language = useLanguage();
  const { charged, outdated } = purchase;
  const waiting = charged === undefined || outdated || !ready;
  return (
    <div className={styles.bar}>
      <StickyBar>
        <p className={styles.amount}>
          <Trans>Total</Trans>
          <strong>{charged ? <MoneyText money={charged} language={language} /> : '…'}</strong>
        </p>
        <Button type="submit" size="lg" busy={isBusy(state) || (step === 'details' && waiting)}>
          {step === 'method' ? <Trans>Continue</Trans> : <PayWords purchase={purchase} />}
        </Button>
      </StickyBar>
    </div>
  );
}

/** The total stands beside it; a card is charged by this very tap, so its button says how much. */
function PayWords({ purchase: { charged, method } }: { purchase: Purchase }) {
  const language = useLanguage();
  if (!method.fields.includes('card')) return <Trans>Pay with {method.name}</Trans>;
  if (!charged) return <Trans>Pay</Trans>;
  const total = formatMoney(charged, language);
  return <Trans>Pay {total}</Trans>;
}
