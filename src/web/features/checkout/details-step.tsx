import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './checkout.module.css';
import type { DeferredCaptcha } from '#web/domain/auth/captcha/use-deferred-captcha.ts';
import { MethodIcon } from './method/method-step.tsx';
import { requiredGroups } from '#web/domain/payments/payer/payer-form.ts';
import { PayerFields } from '#web/domain/payments/payer/payer-fields.tsx';
import { SaveCard, SavedCards } from './cards/saved-cards.tsx';
import type { Cards } from './cards/use-cards.ts';
import { RenewalChoice } from './renewal/renewal-choice.tsx';
import type { Choices } from './use-choices.ts';
import type { PayerFormControl } from './use-payer.ts';
import type { Purchase } from './price/use-purchase.ts';
import type { Elements } from '#web/ui/elements.ts';
import type { ReactNode } from 'react';
import type { PaymentMethod, InstallmentOption } from '#contract/billing.ts';
import { slipValidityDays } from '#contract/limits.ts';
import { Info } from '#web/ui/icon.tsx';
import { installmentGroups, formatInstallments } from '#contract/installment-parts.ts';
import { formatMoney } from '#contract/money.ts';
import { formatPercent } from '#contract/numbers.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { Select } from '#web/ui/select.tsx';
import { Untranslated } from '#web/ui/untranslated.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';

interface DetailsStepProps {
  purchase: Purchase;
  cards: Cards;
  payer: PayerFormControl;
  choices: Choices;
  /** leads to the methods; undefined if this expands below the chosen one */
  onBack?: (() => void) | undefined;
  captcha: DeferredCaptcha;
  children: Elements;
}

/** The second step: the data that the method requires, and the installments. */
export function DetailsStep({ purchase, cards, payer, choices, onBack, captcha, children }: DetailsStepProps) {
  const { method, options, installments } = purchase;
  return (
    <div className={onBack ? styles.main : styles.details}>
      {onBack ? (
        <p className={styles.chosen}>
          <MethodIcon code={method.code} icon={method.icon} />
          <span className={styles.chosenName} translate="no">
            {method.name}
          </span>
          <Button variant="quiet" onClick={onBack}>
            <Trans>
              Change<span className="sr-only"> {method.name}</span>
            </Trans>
          </Button>
        </p>
      ) : null}
      {children}
      {cards.loading ? <LoadingCards /> : <PaymentDetails purchase={purchase} cards={cards} payer={payer} />}
      {options.length > 1 ? (
        <InstallmentSelect
          options={options}
          value={installments}
          onChange={(count) => choices.choose({ installments: count })}
        />
      ) : null}
      {cards.loading ? null : <RenewalChoice purchase={purchase} cards={cards} choices={choices} />}
      <PaymentExplanation method={method} bySaved={cards.use.saved !== undefined} />
      {captcha.Part ? <captcha.Part onControl={captcha.onControl} /> : null}
    </div>
  );
}

/** The saved cards, then the form. */
function PaymentDetails({
  purchase: { method, renewal, input },
  cards,
  payer,
}: Pick<DetailsStepProps, 'purchase' | 'cards' | 'payer'>) {
  const { saved } = cards.use;
  const context = {
    codeDigits: saved?.codeDigits,
    mobileCode: method.diallingCode,
    mobileName: method.name,
    currency: input.currency,
  };
  return (
    <>
      <SavedCards cards={cards} onChange={payer.anotherCard} />
      <PayerFields
        asked={requiredGroups(method.fields, cards.use)}
        payer={payer}
        context={context}
        known={saved ? undefined : cards.known}
      />
      {method.savesCard && !saved && !renewal.chosen ? <SaveCard cards={cards} /> : null}
    </>
  );
}

/** Avoids showing fields that a saved card would replace a moment later. */
function LoadingCards() {
  return (
    <div aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Skeleton lines={3} height={60} />
    </div>
  );
}

/** What follows the pay button, in a sentence. A card is charged at once. */
function PaymentExplanation({ method, bySaved }: { method: PaymentMethod; bySaved: boolean }) {
  if (method.fields.includes('card') || bySaved) return null;
  return (
    <p className={styles.next}>
      <Info aria-hidden />
      <span>{sentence(method)}</span>
    </p>
  );
}

function sentence({ flow, flavour, name, fields }: PaymentMethod): ReactNode {
  if (fields.includes('cardPage')) {
    return <Trans>Enter your card on our payment provider’s page, then come back here.</Trans>;
  }
  switch (flow) {
    case 'qr':
      return <Trans>You’ll get a code to scan or to copy into your bank’s app.</Trans>;
    case 'ticket':
      return (
        <Trans>
          You’ll get a boleto with a barcode. Pay it within {slipValidityDays} days in your bank’s app or at a branch.
        </Trans>
      );
    case 'redirect':
      return <Trans>You’ll go to {name}, approve the payment there and come back here.</Trans>;
    case 'crypto':
      return <Trans>On the next page, you choose a coin and get the exact amount and address.</Trans>;
    case 'push':
    case 'otp':
      return <Trans>You’ll confirm the {name} payment on your phone. Keep it at hand.</Trans>;
    case 'upload':
      return flavour === 'caishen' ? (
        <Trans>You’ll get a code to pay with. After paying, send us your proof of payment.</Trans>
      ) : (
        <Trans>
          You’ll get the account details for your transfer. After sending it, send us your proof of payment.
        </Trans>
      );
    case 'none':
      return <Trans>The next page shows how to pay with {name}.</Trans>;
  }
}

interface InstallmentSelectProps {
  options: readonly InstallmentOption[];
  value: number;
  onChange: (count: number) => void;
}

/** Selects the installments: the amount of each, with or without interest, and the total below. */
function InstallmentSelect({ options, value, onChange }: InstallmentSelectProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const chosen = options.find(({ count }) => count === value);
  const words = ({ count, amount, interestFree }: InstallmentOption) => {
    const part = formatMoney(amount, language);
    if (count === 1) return t`${part} in full`;
    return interestFree ? t`${count} × ${part} interest-free` : t`${count} × ${part} with interest`;
  };
  return (
    <Select
      label={t`Installments`}
      name="installments"
      value={String(value)}
      onChange={(event) => onChange(Number(event.target.value))}
      hint={chosen && chosen.count > 1 ? <InstallmentTotal option={chosen} /> : undefined}
    >
      {options.map((option) => (
        <option key={option.count} value={option.count}>
          {words(option)}
        </option>
      ))}
    </Select>
  );
}

/** Which installment differs if they differ by a cent, and the amount of interest if there is any. */
function InstallmentTotal({ option }: { option: InstallmentOption }) {
  const language = useLanguage();
  const total = <MoneyText money={option.total} language={language} />;
  if (!option.interestFree) {
    const rate = formatPercent(option.rate * 100, language, 2);
    return (
      <Trans>
        {total} in total, with {rate} interest a month
      </Trans>
    );
  }
  if (installmentGroups(option).length === 1) return <Trans>{total} in total</Trans>;
  const parts = <Untranslated text={formatInstallments(option, language)} />;
  return (
    <Trans>
      {total} in total: {parts}
    </Trans>
  );
}
