import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { endBox, listBoxes, type SignedInBox } from '#contract/boxes.ts';
import { personalQueries, q, refreshQueries } from '#web/platform/api/query.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface EndBoxProps {
  box: SignedInBox;
  name: string;
  open: boolean;
  onClose: () => void;
  /** called with the error message if the device is still logged in */
  onRefused: (words: string) => void;
}

/** Confirms the logout of a TV device. */
export function EndBox({ box: { boxId }, name, open, onClose, onRefused }: EndBoxProps) {
  const { mutate, isPending } = useEnd({ onClose, onRefused });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={<Trans>Sign out {name}?</Trans>}
      actions={
        <>
          <Button variant="danger" busy={isPending} onClick={() => mutate({ body: { boxId } })}>
            <Trans>Sign out this TV</Trans>
          </Button>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Leave it signed in</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>Nobody can watch on it with your account until it is signed in again.</Trans>
        <span> </span>
        <Trans>If you do not know this TV, change your password, too.</Trans>
      </p>
    </Dialog>
  );
}

function useEnd({ onClose, onRefused }: Pick<EndBoxProps, 'onClose' | 'onRefused'>) {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const { queryKey } = q(listBoxes, { body: {} });
  return useApiMutation(endBox, {
    onSuccess: async (_result, { body: { boxId } }) => {
      onClose();
      client.setQueryData(queryKey, (boxes) => boxes?.filter((one) => one.boxId !== boxId));
      // devices in use and recent logins show it, too
      await refreshQueries(client, personalQueries);
    },
    onError: (error) => {
      onClose();
      onRefused(wordsOf(i18n, error));
      void refreshQueries(client, personalQueries);
    },
    shows: 'all',
  });
}
