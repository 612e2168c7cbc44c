import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { listPasskeys, removePasskey, type Passkey } from '#contract/passkeys.ts';
import { call } from '#web/platform/api/client.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';

interface RemoveProps {
  passkey: Passkey;
  open: boolean;
  onClose: () => void;
  onRemoved: () => void;
}

const owned = ownedBy(removePasskey.errors);

/** Asks before a passkey stops working. */
export function RemovePasskey({ passkey: { id, name }, open, onClose, onRemoved }: RemoveProps) {
  const client = useQueryClient();
  const { tap, busy, problem, clear } = useTap(async () => {
    try {
      await call(removePasskey, { body: { id } }, { handledErrors: owned });
    } catch (error) {
      return refusalOf(error, { fields: {}, owned }).summary;
    }
    onClose();
    onRemoved();
    await refreshQueries(client, { queryKey: q(listPasskeys, { body: {} }).queryKey });
    return undefined;
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
          <Button variant="danger" busy={busy} onClick={tap}>
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
