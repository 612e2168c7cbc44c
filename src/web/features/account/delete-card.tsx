import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { deleteCard, listCard, type SavedCard } from '#contract/cards.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { cardName } from '#web/domain/payments/card-name.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface DeleteCardProps {
  card: SavedCard;
  open: boolean;
  onClose: () => void;
  /** called with the reason if the card was not deleted */
  onRefused: (refusal: CallError) => void;
}

/** Confirms the deletion of a card here and at its provider. */
export function DeleteCard({ card, open, onClose, onRefused }: DeleteCardProps) {
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
            <Trans>Delete this card</Trans>
          </Button>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Keep it</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>It is forgotten here and at the payment provider. To pay by it again, you type its details.</Trans>
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
    },
    shows: 'all',
  });
}
