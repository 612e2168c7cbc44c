import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentMethod } from '../../../../contract/billing.ts';
import { listCard, type SavedCard } from '../../../../contract/cards.ts';
import { q } from '../../../api/query.ts';
import { cardToUse, savedCardsOf } from './saved-card-choice.ts';
import type { CardUse } from '../payer/payer-form.ts';

export interface Cards {
  /** those that this method can be paid by, the one used last first */
  readonly list: readonly SavedCard[];
  /** not known yet whether there are any */
  readonly loading: boolean;
  readonly use: CardUse;
  readonly choose: (choice: string) => void;
  readonly setSave: (save: boolean) => void;
  /** why the card that was chosen cannot be paid with: a code of the catalogue */
  readonly problem: number | undefined;
  /** notes it, and asks anew which cards there are */
  readonly refused: (code: number) => void;
}

export const savedCardsQuery = {
  ...q(listCard, { body: {} }, { quiet: true }),
  // the order by use must not choose another card under a code that is being typed
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
};

/** The saved cards of a method, and which card the purchase is paid by. Without an answer a new card is typed. */
export function useCards(method: PaymentMethod): Cards {
  const takesCards = method.fields.includes('card');
  const { data, isLoading, refetch } = useQuery({
    ...savedCardsQuery,
    enabled: takesCards,
  });
  const [choice, setChoice] = useState<string>();
  const [save, setSave] = useState(false);
  const [problem, setProblem] = useState<number>();
  const list = takesCards ? savedCardsOf(data ?? [], method.code) : [];
  const saved = cardToUse(list, choice);
  return {
    list,
    loading: takesCards && isLoading,
    use: { saved, save: saved === undefined && method.savesCard && save },
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
