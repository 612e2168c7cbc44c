import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type SavedCard, deleteCard, listCard } from '#contract/cards.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import { cardExpiry, cardName } from '#web/domain/payments/payer/card-brand.ts';
import { DateText } from '#web/domain/payments/period-text.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { isConfirmedEmpty, useWasEverTrue } from '#web/domain/payments/access-text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CreditCard, Wallet } from '#web/ui/icon.tsx';
import { cardsQuery } from './account-query.ts';
import styles from './account.module.css';
import { cardChangeRequested } from './renewal/renewal-action.ts';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { renewalQuery, useRenewal } from '#web/domain/payments/use-renewal.ts';

/** The saved cards, each with a delete button; the card of the renewal can be changed instead. */
export function SavedCards({ leaves }: { leaves: boolean }) {
  const { data, error, dataUpdatedAt: readAt } = useQuery(cardsQuery);
  const heading = useFocusAfterRemoval(data?.length);
  // Unknown is not empty. The heading, which receives the focus of a removed row, stays if a later read fails.
  const isShown = useWasEverTrue(data !== undefined && (data.length > 0 || isConfirmedEmpty({ error, readAt })));
  if (!data || !isShown) return null;
  return (
    <Card as="section" aria-labelledby="saved-cards">
      <h2 className={styles.heading} id="saved-cards" ref={heading} tabIndex={-1}>
        {data.some(({ account }) => account !== undefined) ? (
          <Trans>Saved payment methods</Trans>
        ) : (
          <Trans>Saved cards</Trans>
        )}
      </h2>
      {data.length === 0 ? (
        <p className={styles.soft}>
          <Trans>You have no saved cards. When you pay by card, you can save it for next time.</Trans>
        </p>
      ) : (
        <ul className={styles.logins}>
          {data.map((card) => (
            <OneCard key={card.cardId} card={card} leaves={leaves} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The renewal that charges a card, which cannot be deleted meanwhile. */
export function renewalOf({ cardId }: SavedCard, info: RenewalInfo | undefined): RenewalInfo | undefined {
  if (info?.card?.cardId !== cardId) return undefined;
  return info.status === 'off' || info.status === 'ended' ? undefined : info;
}

interface OneCardProps {
  card: SavedCard;
  /** the account is to be deleted: the renewal can only be turned off */
  leaves: boolean;
}

function OneCard({ card, leaves }: OneCardProps) {
  // a TV session, or a phone that was handed a checkout, may not change the account
  const buysOnly = useSession()?.buysOnly === true;
  const { i18n } = useLingui();
  const [problem, setProblem] = useState<CallError>();
  const [asking, setAsking] = useState(false);
  const renewal = renewalOf(card, useRenewal({}).data);
  // the renewal itself is shown instead of the refusal
  const shown = problem?.is('cardRenews') && renewal ? undefined : problem;
  const name = cardName(card);
  const ask = () => {
    setProblem(undefined);
    setAsking(true);
  };
  return (
    <li className={styles.savedCard}>
      {card.account === undefined ? <CreditCard aria-hidden /> : <Wallet aria-hidden />}
      <span>
        <SavedCardText card={card} />
        {renewal ? <UsedByRenewal {...renewal} /> : null}
        {shown ? (
          <span className={styles.problem} role="alert">
            {messageOfError(i18n, shown)}
          </span>
        ) : null}
      </span>
      {renewal && !buysOnly && !leaves ? <ChangeCard card={card} status={renewal.status} /> : null}
      {renewal || buysOnly ? null : (
        <Button variant="quiet" onClick={ask}>
          <Trans>
            Delete<span className="sr-only"> {name}</span>
          </Trans>
        </Button>
      )}
      <DeleteCard card={card} open={asking && !renewal} onClose={() => setAsking(false)} onRefused={setProblem} />
    </li>
  );
}

/** What the card is used for, and when it is charged next. */
export function UsedByRenewal({ status, terms, graceUntil }: Pick<RenewalInfo, 'status' | 'terms' | 'graceUntil'>) {
  const plan = (
    <b translate="no" key="plan">
      {terms.planName}
    </b>
  );
  const day = <DateText at={terms.nextChargeAt} />;
  const isTried = status === 'pastDue' && (graceUntil === null || terms.nextChargeAt < graceUntil);
  return (
    <span className={styles.used}>
      {status === 'on' ? (
        <Trans>
          Renews {plan}. Next payment: {day}
        </Trans>
      ) : isTried ? (
        <Trans>
          Renews {plan}. Next try: {day}
        </Trans>
      ) : (
        <Trans>Renews {plan}</Trans>
      )}
    </span>
  );
}

/** Deleting the card would end the renewal, so it needs another card first. Nothing changes during a charge. */
function ChangeCard({ card, status }: { card: SavedCard; status: RenewalInfo['status'] }) {
  if (status === 'renewing') return null;
  const name = cardName(card);
  return (
    <Button variant="quiet" onClick={() => cardChangeRequested.set(true)}>
      {card.account === undefined ? (
        <Trans>
          Change card<span className="sr-only"> {name}</span>
        </Trans>
      ) : (
        <Trans>
          Change<span className="sr-only"> {name}</span>
        </Trans>
      )}
    </Button>
  );
}

function SavedCardText({ card }: { card: SavedCard }) {
  const until = cardExpiry(card);
  return (
    <>
      <strong translate="no">{cardName(card)}</strong>
      {card.account === undefined ? (
        <span className={styles.soft}>
          {card.expired ? <Trans>Expired {until}</Trans> : <Trans>Expires {until}</Trans>}
        </span>
      ) : null}
      {card.usable ? null : (
        <span className={styles.gone}>
          <Trans>Can’t be used any more: we now use another payment provider</Trans>
        </span>
      )}
    </>
  );
}

interface DeleteCardProps {
  card: SavedCard;
  open: boolean;
  onClose: () => void;
  /** called with the reason if the card was not deleted */
  onRefused: (refusal: CallError) => void;
}

/** Confirms the deletion of a card here and at its provider. */
function DeleteCard({ card, open, onClose, onRefused }: DeleteCardProps) {
  const { mutate, isPending } = useDeletion({ card, onClose, onRefused });
  const name = cardName(card);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={<Trans>Delete {name}?</Trans>}
      actions={
        <>
          <Button variant="danger" busy={isPending} onClick={() => mutate({ body: { cardId: card.cardId } })}>
            {card.account === undefined ? <Trans>Delete this card</Trans> : <Trans>Delete PayPal</Trans>}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Keep it</Trans>
          </Button>
        </>
      }
    >
      <p>
        {card.account === undefined ? (
          <Trans>
            We’ll delete it here and at our payment provider. To pay with it again, you’ll have to enter its details.
          </Trans>
        ) : (
          <Trans>We’ll no longer charge it for renewals. You can still pay with PayPal at any time.</Trans>
        )}
      </p>
    </Dialog>
  );
}

function useDeletion({ card, onClose, onRefused }: Omit<DeleteCardProps, 'open'>) {
  const client = useQueryClient();
  const { queryKey } = q(listCard, { body: {} });
  const forgotten = async () => {
    onClose();
    client.setQueryData(queryKey, (cards) => cards?.filter(({ cardId }) => cardId !== card.cardId));
    await refreshQueries(client, { queryKey });
  };
  return useApiMutation(deleteCard, {
    onSuccess: forgotten,
    // a card that is missing already counts as deleted
    errors: { savedCardNotFound: forgotten },
    onError: (error) => {
      if (error.is('savedCardNotFound')) return;
      onClose();
      onRefused(error);
      void refreshQueries(client, { queryKey });
      // a renewal may have been turned on elsewhere
      void refreshQueries(client, { queryKey: renewalQuery.queryKey });
    },
    shows: 'all',
  });
}
