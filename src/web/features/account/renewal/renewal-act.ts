import { useQueryClient } from '@tanstack/react-query';
import type { RenewalInfo } from '#contract/renewal.ts';
import { ApiError, isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { refreshQueries } from '#web/platform/api/query.ts';
import type { Words } from '#web/platform/form/words.ts';
import { createStore } from '#web/ui/store.ts';
import { cardsQuery, renewalQuery } from '../account-query.ts';

/** What came of an act, said where the renewal is shown. */
export interface Said {
  readonly tone: 'success' | 'danger';
  readonly words: Words;
  /** it is over once the renewal stands otherwise */
  readonly whileStatus?: RenewalInfo['status'];
}

export const well = (words: Words): Said => ({ tone: 'success', words });

/** A dialog about the renewal, as it stands. */
export interface ActProps {
  readonly info: RenewalInfo;
  readonly open: boolean;
  /** the card that was just added for it */
  readonly added?: string | undefined;
  readonly onClose: () => void;
  readonly onSaid: (said: Said) => void;
}

/** Refusals that nothing in an open dialog mends: it closes, and the renewal is shown as it stands now. */
const endsAct = [
  'renewalNotFound',
  'renewalExpired',
  'renewalCancelled',
  'renewalUnderWay',
  'changeFailed',
  'accountLeaves',
  'unauthorized',
] as const;

/**
 * Does something about the renewal. What the shop answers is shown at once; a refusal that can be mended is answered to
 * the caller, which shows it where that is done.
 */
export function useAct({ onClose, onSaid }: Pick<ActProps, 'onClose' | 'onSaid'>) {
  const client = useQueryClient();
  const { queryKey } = renewalQuery;
  const readAgain = () => void refreshQueries(client, { queryKey });
  return async (act: () => Promise<RenewalInfo>, done: (info: RenewalInfo) => Said): Promise<ApiError | undefined> => {
    try {
      const info = await act();
      client.setQueryData(queryKey, info);
      void refreshQueries(client, { queryKey: cardsQuery.queryKey });
      onClose();
      onSaid(done(info));
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const ends = error.is(...endsAct);
      if (ends || isOutcomeUnknown(error)) readAgain();
      if (!ends) return error;
      onClose();
      onSaid({ tone: 'danger', words: (i18n) => wordsOf(i18n, error) });
      return undefined;
    }
  };
}

/** A part of the page that knows of the renewal's card asks to change it: what cannot be deleted, for instance. */
export const changeAsked = createStore(false);
