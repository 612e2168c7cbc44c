import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './checkout.module.css';
import type { LateCaptcha } from '#web/domain/auth/captcha/use-late-captcha.ts';
import { InstallmentSelect } from './price/installment-select.tsx';
import { MethodIcon } from './method/method-icon.tsx';
import { requiredGroups } from '#web/domain/payments/payer/payer-form.ts';
import { PayerFields } from '#web/domain/payments/payer/payer-fields.tsx';
import { SaveCard, SavedCards } from './cards/saved-cards.tsx';
import type { Cards } from './cards/use-cards.ts';
import { RenewalChoice } from './renewal/renewal-choice.tsx';
import type { Choices } from './use-choices.ts';
import type { PayerFormControl } from './use-payer.ts';
import type { Purchase } from './price/use-purchase.ts';
import { WhatHappens } from './method/what-happens.tsx';
import type { Elements } from '#web/ui/elements.ts';

interface DetailsStepProps {
  purchase: Purchase;
  cards: Cards;
  payer: PayerFormControl;
  choices: Choices;
  /** leads to the methods; undefined if this expands below the chosen one */
  onBack?: (() => void) | undefined;
  captcha: LateCaptcha;
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
      <WhatHappens method={method} bySaved={cards.use.saved !== undefined} />
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
