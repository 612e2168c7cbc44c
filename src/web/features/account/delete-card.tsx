import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { deleteCard, listCard, type SavedCard } from '../../../contract/cards.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { q } from '../../api/query.ts';
import { useTap } from '../../form/use-tap.ts';
import { wordsOf } from '../../i18n/error-words.ts';
import { cardName } from '../../payment-state/card-name.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface DeleteCardProps {
  card: SavedCard;
  open: boolean;
  onClose: () => void;
  /** it is still there, and these words say why */
  onRefused: (words: string) => void;
}

/** Asks before a card is forgotten, here and at its provider. */
export function DeleteCard({ card, open, onClose, onRefused }: DeleteCardProps) {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const { queryKey } = q(listCard, { body: {} });
  const { tap, busy } = useTap(async () => {
    const refusal = await forget(card.cardId);
    onClose();
    if (refusal) onRefused(wordsOf(i18n, refusal));
    else client.setQueryData(queryKey, (cards) => cards?.filter(({ cardId }) => cardId !== card.cardId));
    await client.invalidateQueries({ queryKey });
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
    return error.code === -2511 ? undefined : error;
  }
}
