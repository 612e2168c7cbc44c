import { Trans, Plural } from '@lingui/react/macro';
import { useRef, useEffect } from 'react';
import { formatMoney, type Money } from '#contract/money.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Button } from '#web/ui/button.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { StickyBar } from '#web/ui/sticky-bar.tsx';
import styles from './checkout.module.css';
import { isBusy, isSameMoney, type PayState } from './act/pay-machine.ts';
import type { Cards } from './cards/use-cards.ts';
import type { CardUse } from '#web/domain/payments/payer/payer-form.ts';
import { RenewalLine } from './renewal/renewal-choice.tsx';
import type { Purchase } from './price/use-purchase.ts';
import { Untranslated } from '#web/ui/untranslated.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';

interface ActionBarProps {
  purchase: Purchase;
  cards: Cards;
  state: PayState;
  /** the account is to be deleted, so nothing can be bought */
  leaves: boolean;
}

/** The total and the next action, if each step is a page. */
export function ActionBar({ isLast, ...action }: ActionBarProps & { isLast: boolean }) {
  const language = useLanguage();
  const { purchase, state } = action;
  const { charged } = purchase;
  return (
    <>
      {isLast ? <SaleTerms /> : null}
      <div className={styles.bar}>
        <StickyBar>
          {isLast ? <ExplanationLine {...action} /> : null}
          <p className={styles.amount}>
            <Trans>Total</Trans>
            <strong>{charged ? <MoneyText money={charged} language={language} /> : '…'}</strong>
          </p>
          {isLast ? (
            <PayButton {...action} />
          ) : (
            <Button type="submit" size="lg" busy={isBusy(state)}>
              <Trans>Continue</Trans>
            </Button>
          )}
        </StickyBar>
      </div>
    </>
  );
}

/** The same below the summary, which contains the total already. */
export function SummaryPayButton(action: ActionBarProps) {
  return (
    <div className={styles.payHere} data-sticky-bar>
      <ExplanationLine {...action} />
      <PayButton {...action} wide />
      <SaleTerms />
    </div>
  );
}

/** Explains the button below. */
function ExplanationLine({ leaves, purchase }: ActionBarProps) {
  if (!leaves) return <RenewalLine purchase={purchase} />;
  return (
    <p className={styles.line}>
      <Trans>Keep your account first, then buy.</Trans>
    </p>
  );
}

function PayButton({ purchase, cards, state, wide }: Omit<ActionBarProps, 'leaves'> & { wide?: boolean }) {
  const { charged, outdated, method, priceError } = purchase;
  const waiting = charged === undefined || outdated || cards.loading;
  const ref = useRef<HTMLButtonElement>(null);
  const early = useEarlyTap({
    choice: choiceOf(purchase, cards.use),
    price: charged,
    chargesAtOnce: method.fields.includes('card') || cards.use.saved !== undefined,
    state: priceError ? 'failed' : waiting ? 'waiting' : 'ready',
    pay: () => ref.current?.form?.requestSubmit(ref.current),
  });
  const isPaying = isBusy(state);
  return (
    <Button
      ref={ref}
      type="submit"
      size="lg"
      wide={wide}
      busy={isPaying || waiting}
      onEarlyClick={isPaying ? undefined : early}
    >
      <span>
        <PayButtonLabel purchase={purchase} cards={cards} />
      </span>
    </Button>
  );
}

/** A card is charged by this tap, so the button names the amount and the installments. */
function PayButtonLabel({ purchase, cards }: Pick<ActionBarProps, 'purchase' | 'cards'>) {
  const language = useLanguage();
  const { charged, method, options, installments } = purchase;
  const methodName = <Untranslated text={method.name} />;
  if (!method.fields.includes('card') && !cards.use.saved) return <Trans>Pay with {methodName}</Trans>;
  if (!charged) return <Trans>Pay</Trans>;
  const parts = options.find(({ count }) => count === installments);
  if (parts && parts.count > 1) {
    // without a line break, whatever the width of the button
    const each = <Untranslated text={`${installments}\u00A0×\u00A0${formatMoney(parts.amount, language)}`} />;
    return <Trans>Pay {each}</Trans>;
  }
  const total = <MoneyText money={charged} language={language} />;
  return <Trans>Pay {total}</Trans>;
}

/** Beside the pay button: the withdrawal period, and the seller. */
function SaleTerms() {
  const { seller, payment } = useBrand().siteConfig;
  const { withdrawalDays: days } = payment;
  const legalName = seller?.legalName;
  if (legalName === undefined && days === undefined) return null;
  return (
    <ul className={styles.sale}>
      {days === undefined ? null : (
        <li>
          <Plural
            value={days}
            one="You have # day to change your mind and get your money back"
            other="You have # days to change your mind and get your money back"
          />
        </li>
      )}
      {legalName === undefined ? null : (
        <li>
          <Trans>Sold by {legalName}</Trans>
        </li>
      )}
    </ul>
  );
}

interface Payable {
  /** what is paid with; a tap is valid for this only */
  readonly choice: string;
  /** the price on the screen */
  readonly price: Money | undefined;
  /** the tap itself charges that price */
  readonly chargesAtOnce: boolean;
}

/**
 * Everything that the customer agrees to beside the price, as one text. Saved cards and the terms of renewal load, too: a
 * tap before they were on the screen does not agree to them.
 */
export function choiceOf(
  { input, installments, renewal }: Pick<Purchase, 'input' | 'installments' | 'renewal'>,
  { saved }: Pick<CardUse, 'saved'>,
): string {
  return JSON.stringify([input, installments, renewal.chosen, saved?.cardId]);
}

/** Whether a tap while the price was loading is still valid for what is on the screen now. */
export function isTapStillValid(tapped: Payable, now: Payable): boolean {
  if (tapped.choice !== now.choice) return false;
  // the customer has not agreed to an amount that was not on the screen
  if (!now.chargesAtOnce) return true;
  return tapped.price !== undefined && now.price !== undefined && isSameMoney(tapped.price, now.price);
}

interface EarlyTap extends Payable {
  readonly state: 'waiting' | 'ready' | 'failed';
  readonly pay: () => void;
}

/**
 * Stores a tap on the pay button before the price is loaded, and replays it then. Returns the function that stores a
 * tap.
 */
function useEarlyTap({ pay, state, ...now }: EarlyTap): () => void {
  const tapped = useRef<Payable>(undefined);
  const latest = useRef({ pay, now });
  useEffect(() => {
    latest.current = { pay, now };
  });
  useEffect(() => {
    if (state === 'waiting' || !tapped.current) return;
    const found = tapped.current;
    tapped.current = undefined;
    if (state === 'ready' && isTapStillValid(found, latest.current.now)) latest.current.pay();
  }, [state]);
  return () => {
    tapped.current = now;
  };
}
