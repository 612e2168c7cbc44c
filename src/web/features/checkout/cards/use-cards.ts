import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentMethod } from '#contract/billing.ts';
import { listCard, type SavedCard } from '#contract/cards.ts';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { useKnownPayer, type KnownPayer } from '#web/domain/payments/payer/known-payer.tsx';
import { acceptsCards, type CardUse } from '#web/domain/payments/payer/payer-form.ts';

export interface Cards {
  /** the cards that this method can charge, the last used first */
  readonly list: readonly SavedCard[];
  /** whether there are any is unknown yet */
  readonly loading: boolean;
  readonly use: CardUse;
  /** the stored payer data */
  readonly known: KnownPayer;
  readonly choose: (choice: string) => void;
  readonly setSave: (save: boolean) => void;
  /** why the chosen card cannot be charged: an error code of the catalogue */
  readonly problem: number | undefined;
  /** records the error and refetches the cards */
  readonly refused: (code: number) => void;
}

/** The saved cards; a phone that was handed a checkout sees none. If they cannot be loaded, a new card is typed. */
export function useSavedCards({ enabled }: { enabled: boolean }) {
  const isWanted = useSession()?.onlyPlanId === undefined && enabled;
  const { data, isLoading, refetch } = useQuery({
    ...q(listCard, { body: {} }, { quiet: true }),
    enabled: isWanted,
    // the order by last use must not select another card while a code is being typed
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // remounting the form instead of "Loading" would refetch and be replaced by "Loading" again, endlessly
    retryOnMount: false,
  });
  // a disabled query also reports `isLoading` while another component fetches it
  return { data, isLoading: isWanted && isLoading, refetch };
}

/** The saved cards of a method, and the card that the purchase is paid with. */
export function useCards(method: PaymentMethod): Cards {
  const byCard = acceptsCards(method.fields);
  const { data, isLoading, refetch } = useSavedCards({ enabled: byCard });
  const known = useKnownPayer(method.fields);
  const [choice, setChoice] = useState<string>();
  const [save, setSave] = useState(false);
  const [problem, setProblem] = useState<number>();
  const list = byCard ? savedCardsOf(data ?? [], method.code) : [];
  const saved = cardToUse(list, choice);
  return {
    list,
    loading: isLoading || known.loading,
    use: { saved, save: saved === undefined && method.savesCard && save, savedGroups: known.savedGroups },
    known,
    choose: (chosen) => {
      setChoice(chosen);
      setProblem(undefined);
    },
    setSave,
    problem,
    refused: (code) => {
      setProblem(code);
      void refetch();
    },
  };
}

/** The value for a card that is not saved. No card ID looks like this. */
export const newCard = 'new';

/** The cards of the method, without those of a provider that the shop no longer uses. */
export function savedCardsOf(cards: readonly SavedCard[], methodCode: string): SavedCard[] {
  return cards.filter((card) => card.methodCode === methodCode && card.usable);
}

/**
 * The card to charge: the chosen one while it exists and is valid, by default the last used one; undefined for a new
 * card.
 */
export function cardToUse(cards: readonly SavedCard[], choice: string | undefined): SavedCard | undefined {
  if (choice === newCard) return undefined;
  const usable = cards.filter((card) => !card.expired);
  return usable.find((card) => card.cardId === choice) ?? usable[0];
}
