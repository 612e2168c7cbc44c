import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SavedCard } from '#contract/cards.ts';
import { cardExpiry, cardName } from '#web/domain/payments/payer/card-brand.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { ChoiceGroup, type Choice } from '#web/ui/choice.tsx';
import { CreditCard, Plus, Wallet } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { cardsQuery } from '../account-query.ts';
import type { NewCardProps } from './new-card.tsx';

/** The value for a card that is not saved. No card ID looks like this. */
const newCard = 'new';

/** The saved cards and the chosen one; `typing`: a new card. */
interface CardPick {
  readonly cards: readonly SavedCard[];
  readonly loading: boolean;
  readonly chosen: SavedCard | undefined;
  readonly typing: boolean;
  readonly choose: (choice: string) => void;
}

interface PickSettings {
  readonly first?: string | undefined;
  readonly except?: string | undefined;
}

/** The choice among all chargeable cards except `except`; the default is `first` if it can be charged. */
export function useCardPick({ first, except }: PickSettings): CardPick {
  const { data, isLoading } = useQuery(cardsQuery);
  const [choice, choose] = useState(first);
  const cards = (data ?? []).filter(({ cardId, usable }) => cardId !== except && usable);
  const valid = cards.filter(({ expired }) => !expired);
  const chosen = choice === newCard ? undefined : (valid.find(({ cardId }) => cardId === choice) ?? valid[0]);
  return { cards, loading: isLoading, chosen, typing: !isLoading && chosen === undefined, choose };
}

/** Selects the card to charge: a saved or a new one. Renders nothing if there is no choice. */
export function CardChoice({ pick: { cards, chosen, loading, choose } }: { pick: CardPick }) {
  const { t } = useLingui();
  const hasAccount = cards.some(({ account }) => account !== undefined);
  if (loading) return <Skeleton lines={2} height={60} />;
  if (cards.length === 0) return null;
  return (
    <ChoiceGroup
      legend={hasAccount ? t`Payment method` : t`Card`}
      name="renewalCard"
      value={chosen?.cardId ?? newCard}
      onChange={choose}
      options={[...cards.map(choiceOf), another]}
    />
  );
}

function choiceOf(card: SavedCard): Choice<string> {
  const until = cardExpiry(card);
  return {
    value: card.cardId,
    label: (
      <span className="num" translate="no">
        {cardName(card)}
      </span>
    ),
    icon: card.account === undefined ? <CreditCard aria-hidden /> : <Wallet aria-hidden />,
    detail:
      card.account !== undefined ? undefined : card.expired ? (
        <Trans>Expired {until}</Trans>
      ) : (
        <Trans>Expires {until}</Trans>
      ),
    disabled: card.expired,
  };
}

const another: Choice<string> = {
  value: newCard,
  label: <Trans>New card</Trans>,
  icon: <Plus aria-hidden />,
};

const loadForm = () => import('./new-card.tsx');

/** The form of a new card, loaded on demand because most visits do not need it. */
export function NewCardSlot(props: NewCardProps) {
  const [form, want] = useLazyModule(loadForm);
  useEffect(() => void want(), [want]);
  return form ? <form.NewCard {...props} /> : <Skeleton lines={4} height={60} />;
}
