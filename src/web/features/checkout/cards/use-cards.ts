import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentMethod } from '#contract/billing.ts';
import { listCard, type SavedCard } from '#contract/cards.ts';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { useKnownPayer, type KnownPayer } from '#web/domain/payments/payer/known-payer.tsx';
import { acceptsCards, type CardUse } from '#web/domain/payments/payer/payer-form.ts';

export interface Cards {
  /** those that this method can be paid by, the one used last first */
  readonly list: readonly SavedCard[];
  /** not known yet whether there are any */
  readonly loading: boolean;
  readonly use: CardUse;
  /** what the shop keeps of the payer */
  readonly known: KnownPayer;
  readonly choose: (choice: string) => void;
  readonly setSave: (save: boolean) => void;
  /** why the card that was chosen cannot be paid with: a code of the catalogue */
  readonly problem: number | undefined;
  /** notes it, and asks again which cards there are */
  readonly refused: (code: number) => void;
}

/** The saved cards; a phone that was handed a checkout sees none. Without an answer a new card is typed. */
export function useSavedCards({ enabled }: { enabled: boolean }) {
  const isWanted = useSession()?.onlyPlanId === undefined && enabled;
  const { data, isLoading, refetch } = useQuery({
    ...q(listCard, { body: {} }, { quiet: true }),
    enabled: isWanted,
    // the order by use must not choose another card under a code that is being typed
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // a form that comes in place of "Loading" would ask again, and be replaced by it, without end
    retryOnMount: false,
  });
  // a disabled query also reports `isLoading` while another component fetches it
  return { data, isLoading: isWanted && isLoading, refetch };
}

/** The saved cards of a method, and which card the purchase is paid by. */
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
    use: { saved, save: saved === undefined && method.savesCard && save, kept: known.kept },
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

/** The choice of a card that is not saved. No id looks like this. */
export const newCard = 'new';

/** Those of the method; one that a provider keeps which the shop has left is not offered. */
export function savedCardsOf(cards: readonly SavedCard[], methodCode: string): SavedCard[] {
  return cards.filter((card) => card.methodCode === methodCode && card.usable);
}

/**
 * The card that is paid by: the chosen one while it is there and works, before any choice the one used last; undefined
 * for a new card.
 */
export function cardToUse(cards: readonly SavedCard[], choice: string | undefined): SavedCard | undefined {
  if (choice === newCard) return undefined;
  const usable = cards.filter((card) => !card.expired);
  return usable.find((card) => card.cardId === choice) ?? usable[0];
}
