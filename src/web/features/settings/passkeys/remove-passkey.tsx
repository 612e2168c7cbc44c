import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { listPasskeys, removePasskey, type Passkey } from '#contract/passkeys.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface RemoveProps {
  passkey: Passkey;
  open: boolean;
  onClose: () => void;
  onRemoved: () => void;
}

/** Confirms the removal of a passkey. */
export function RemovePasskey({ passkey: { id, name }, open, onClose, onRemoved }: RemoveProps) {
  const client = useQueryClient();
  const { mutate, isPending, problem, clear } = useApiMutation(removePasskey, {
    onSuccess: async () => {
      onClose();
      onRemoved();
      await refreshQueries(client, { queryKey: q(listPasskeys, { body: {} }).queryKey });
    },
  });
  const close = () => {
    clear();
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={<Trans>Remove {name}?</Trans>}
      actions={
        <>
          <Button variant="danger" busy={isPending} onClick={() => mutate({ body: { id } })}>
            <Trans>Remove this passkey</Trans>
          </Button>
          <Button variant="secondary" onClick={close}>
            <Trans>Keep it</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>Nobody can log in by it any more. You stay logged in here.</Trans>
      </p>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}
