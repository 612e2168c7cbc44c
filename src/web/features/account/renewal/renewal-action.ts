import { useQueryClient } from '@tanstack/react-query';
import type { RenewalInfo } from '#contract/renewal.ts';
import { isOutcomeUnknown, type CallError } from '#web/platform/api/api-error.ts';
import { refreshQueries } from '#web/platform/api/query.ts';
import type { LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { createStore } from '#web/ui/store.ts';
import { cardsQuery } from '../account-query.ts';
import { errorMessage } from '#web/platform/form/use-api-mutation.ts';
import type { ErrorName } from '#contract/error-codes.ts';
import { renewalQuery } from '#web/domain/payments/use-renewal.ts';

/** The result of an action, shown beside the renewal. */
export interface ActionResult {
  readonly tone: 'success' | 'danger';
  readonly words: LocalizedMessage;
  /** it is hidden when the renewal has another status */
  readonly whileStatus?: RenewalInfo['status'];
}

export const successResult = (words: LocalizedMessage): ActionResult => ({ tone: 'success', words });

/** The props of a dialog about the renewal. */
export interface RenewalDialogProps {
  readonly info: RenewalInfo;
  readonly open: boolean;
  /** the card that was just added for it */
  readonly added?: string | undefined;
  readonly onClose: () => void;
  readonly onSaid: (said: ActionResult) => void;
}

/** Errors that cannot be corrected in an open dialog: it closes, and the current renewal is shown. */
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
 * Options of a mutation of the renewal: its result is shown at once, and an error that cannot be corrected in the
 * dialog closes it. Other errors are shown in the dialog.
 */
export function useRenewalOptions(
  { onClose, onSaid }: Pick<RenewalDialogProps, 'onClose' | 'onSaid'>,
  done: (info: RenewalInfo) => ActionResult,
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

/** An error that closes the dialog is shown on the page and not in it. */
const shownOnPage: Readonly<Partial<Record<ErrorName, () => undefined>>> = Object.fromEntries(
  endsAct.map((name) => [name, () => undefined]),
);

/** The error of a change, if it can be corrected in an open dialog. */
export const correctableError = (error: CallError | undefined): CallError | undefined =>
  error?.is(...endsAct) ? undefined : error;

/**
 * Set when another part of the page requests a change of the renewal's card, for example because that card cannot be
 * deleted.
 */
export const cardChangeRequested = createStore(false);
