import { useQueryClient } from '@tanstack/react-query';
import type { RenewalInfo } from '#contract/renewal.ts';
import { isOutcomeUnknown, type CallError } from '#web/platform/api/api-error.ts';
import { refreshQueries } from '#web/platform/api/query.ts';
import type { Words } from '#web/platform/form/words.ts';
import { createStore } from '#web/ui/store.ts';
import { cardsQuery, renewalQuery } from '../account-query.ts';
import { errorMessage } from '#web/platform/form/use-api-mutation.ts';
import type { ErrorName } from '#contract/error-codes.ts';

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
 * What a change of the renewal does: its result is shown at once, and an error that nothing in an open dialog mends closes
 * it. Other errors are shown where they can be mended.
 */
export function useRenewalOptions(
  { onClose, onSaid }: Pick<ActProps, 'onClose' | 'onSaid'>,
  done: (info: RenewalInfo) => Said,
) {
  const client = useQueryClient();
  const { queryKey } = renewalQuery;
  return {
    onSuccess: (info: RenewalInfo) => {
      client.setQueryData(queryKey, info);
      void refreshQueries(client, { queryKey: cardsQuery.queryKey });
      onClose();
      onSaid(done(info));
    },
    onError: (error: CallError) => {
      const ends = error.is(...endsAct);
      if (ends || isOutcomeUnknown(error)) void refreshQueries(client, { queryKey });
      if (!ends) return;
      onClose();
      onSaid({ tone: 'danger', words: errorMessage(error) });
    },
    errors: shownOnPage,
    shows: 'all',
  } as const;
}

/** What closes the dialog is shown on the page and not in it. */
const shownOnPage: Readonly<Partial<Record<ErrorName, () => undefined>>> = Object.fromEntries(
  endsAct.map((name) => [name, () => undefined]),
);

/** The error of a change, where an open dialog can mend it. */
export const mendable = (error: CallError | undefined): CallError | undefined =>
  error?.is(...endsAct) ? undefined : error;

/** A part of the page that knows of the renewal's card asks to change it: what cannot be deleted, for instance. */
export const changeAsked = createStore(false);
