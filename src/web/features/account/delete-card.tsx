import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { deleteCard, listCard, type SavedCard } from '#contract/cards.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import { cardName } from '#web/domain/payments/card-name.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface DeleteCardProps {
  card: SavedCard;
  open: boolean;
  onClose: () => void;
  /** it is still there, and this is why */
  onRefused: (refusal: ApiError) => void;
}

/** Asks before a card is forgotten, here and at its provider. */
export function DeleteCard({ card, open, onClose, onRefused }: DeleteCardProps) {
  const client = useQueryClient();
  const { queryKey } = q(listCard, { body: {} });
  const { tap, busy } = useTap(async () => {
    const refusal = await forget(card.cardId);
    onClose();
    if (refusal) onRefused(refusal);
    else client.setQueryData(queryKey, (cards) => cards?.filter(({ cardId }) => cardId !== card.cardId));
    await refreshQueries(client, { queryKey });
    return undefined;
  });
  const name = cardName(card);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={<Trans>Delete {name}?</Trans>}
      actions={
        <>
          <Button variant="danger" busy={busy} onClick={tap}>
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

/** Why a card could not be deleted; one that is gone already is as good as deleted. */
async function forget(cardId: string): Promise<ApiError | undefined> {
  try {
    await call(deleteCard, { body: { cardId } }, { quiet: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.is('savedCardNotFound') ? undefined : error;
  }
}
