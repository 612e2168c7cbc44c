import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PaymentMethod } from '#contract/billing.ts';
import type { SavedCard } from '#contract/cards.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import { cardExpiry, cardName } from '#web/domain/payments/payer/card-brand.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { ChoiceGroup, type Choice } from '#web/ui/choice.tsx';
import { CreditCard, Plus, Wallet } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { cardsQuery } from '../account-query.ts';
import { useRenewalMethods, type RenewalMethods } from './card-page.tsx';
import type { NewCardProps } from './new-card.tsx';

/** The values for what is not saved. No card ID looks like these. */
const newCard = 'new';
const newAccount = ({ code }: PaymentMethod) => `new ${code}`;

/** The saved cards and accounts, what can be added, and which of them is chosen. */
interface CardPick {
  readonly cards: readonly SavedCard[];
  /** the methods of the customer's accounts, that of the renewal included */
  readonly accountMethods: ReadonlySet<string>;
  readonly methods: RenewalMethods;
  readonly loading: boolean;
  readonly chosen: SavedCard | undefined;
  /** what is chosen, once nothing above its buttons moves any more: a tap could hit another choice */
  readonly settled: SavedCard | undefined;
  /** a new card is chosen */
  readonly typing: boolean;
  /** the method whose account is to be added */
  readonly adding: PaymentMethod | undefined;
  readonly choose: (choice: string) => void;
}

interface PickSettings {
  readonly info: RenewalInfo;
  readonly first?: string | undefined;
  readonly except?: string | undefined;
}

/** The choice among all chargeable cards except `except`; the default is `first` if it can be charged. */
export function useCardPick({ info, first, except }: PickSettings): CardPick {
  const { data, isLoading } = useQuery(cardsQuery);
  const methods = useRenewalMethods(info);
  const [choice, choose] = useState(first);
  const saved = data ?? [];
  const cards = saved.filter(({ cardId, usable }) => cardId !== except && usable);
  const accounts = saved.filter(({ account }) => account !== undefined);
  const valid = cards.filter(({ expired }) => !expired);
  const asked = methods.ofAccounts.find((method) => newAccount(method) === choice);
  const isNew = choice === newCard || asked !== undefined;
  // what is saved does not wait for what could be added: the focus of the dialog starts at it
  const loading = isLoading || (methods.asking && cards.length === 0);
  const chosen = isNew || loading ? undefined : (valid.find(({ cardId }) => cardId === choice) ?? valid[0]);
  const isAdding = !loading && chosen === undefined;
  // a shop that renews by accounts only takes no new card
  const adding = isAdding ? (asked ?? (methods.ofCards ? undefined : methods.ofAccounts[0])) : undefined;
  const accountMethods = new Set(accounts.map(({ methodCode }) => methodCode));
  const typing = isAdding && adding === undefined && !methods.asking;
  const settled = methods.asking ? undefined : chosen;
  return { cards, accountMethods, methods, loading, chosen, settled, typing, adding, choose };
}

/** Selects what to charge: a saved card or account, or a new one. Renders nothing if there is no choice. */
export function CardChoice({ pick }: { pick: CardPick }) {
  const { t } = useLingui();
  const { cards, accountMethods, methods, chosen, adding, loading, choose } = pick;
  const { ofCards, ofAccounts } = methods;
  if (loading) return <Skeleton lines={2} height={60} />;
  if (cards.length === 0 && ofAccounts.length === 0) return null;
  const hasAccount = ofAccounts.length > 0 || cards.some(({ account }) => account !== undefined);
  const added = ofAccounts.map((method) => accountToAdd(method, accountMethods.has(method.code)));
  const addable = [...(ofCards || added.length === 0 ? [another] : []), ...added];
  return (
    <>
      <ChoiceGroup
        legend={hasAccount ? t`Payment method` : t`Card`}
        name="renewalCard"
        value={chosen?.cardId ?? (adding ? newAccount(adding) : newCard)}
        onChange={choose}
        options={[...cards.map(choiceOf), ...(methods.asking ? [] : addable)]}
      />
      {methods.asking ? <Skeleton lines={2} height={60} /> : null}
    </>
  );
}

function accountToAdd(method: PaymentMethod, isAnother: boolean): Choice<string> {
  const { name } = method;
  const label = isAnother ? <Trans>Another {name} account</Trans> : <span translate="no">{name}</span>;
  return { value: newAccount(method), label, icon: <Plus aria-hidden /> };
}

function choiceOf(card: SavedCard): Choice<string> {
  const until = cardExpiry(card);
  return {
    value: card.cardId,
    label: <span translate="no">{cardName(card)}</span>,
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
