import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './checkout.module.css';
import { InstallmentList } from './price/installment-list.tsx';
import { MethodIcon } from './method/method-icon.tsx';
import { askedGroups } from './payer/payer-form.ts';
import { PayerFields } from './payer/payer-fields.tsx';
import { SaveCard, SavedCards } from './cards/saved-cards.tsx';
import type { Cards } from './cards/use-cards.ts';
import type { Choices } from './use-choices.ts';
import type { PayerFormControl } from './payer/use-payer.ts';
import type { Purchase } from './price/use-purchase.ts';
import { WhatHappens } from './method/what-happens.tsx';

interface DetailsStepProps {
  purchase: Purchase;
  cards: Cards;
  payer: PayerFormControl;
  choices: Choices;
  onBack: () => void;
  children: ReactNode;
}

/** The second step: what the method asks for, in how many parts, and the tap that pays. */
export function DetailsStep({ purchase, cards, payer, choices, onBack, children }: DetailsStepProps) {
  const { method, options, installments } = purchase;
  return (
    <div className={styles.main}>
      <p className={styles.chosen}>
        <MethodIcon icon={method.icon} />
        {method.name}
        <Button variant="quiet" onClick={onBack}>
          <Trans>
            Change<span className="sr-only"> {method.name}</span>
          </Trans>
        </Button>
      </p>
      {children}
      {cards.loading ? <LoadingCards /> : <Asked purchase={purchase} cards={cards} payer={payer} />}
      {options.length > 1 ? (
        <InstallmentList
          options={options}
          value={installments}
          onChange={(count) => choices.choose({ installments: count })}
        />
      ) : null}
      <WhatHappens method={method} />
    </div>
  );
}

/** The saved cards, then what is typed. */
function Asked({ purchase: { method }, cards, payer }: Pick<DetailsStepProps, 'purchase' | 'cards' | 'payer'>) {
  const { saved } = cards.use;
  const context = { codeDigits: saved?.codeDigits, mobileCode: method.diallingCode };
  return (
    <>
      <SavedCards cards={cards} onChange={payer.anotherCard} />
      <PayerFields asked={askedGroups(method.fields, cards.use)} payer={payer} context={context} />
      {method.savesCard && !saved ? <SaveCard cards={cards} /> : null}
    </>
  );
}

/** Fields that would give way to a saved card a moment later are not shown first. */
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
