import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endOtherSignIns, endSignIn } from '#contract/account.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

type Which = 'others' | { readonly signInId: string; readonly name: string };

interface EndSignInProps {
  which: Which;
  open: boolean;
  onClose: () => void;
  /** called with the error message if the session is still open */
  onRefused: (words: string) => void;
}

/** Confirms the logout of one device, or of all others. */
export function EndSignIn({ which, open, onClose, onRefused }: EndSignInProps) {
  const { isPending, end } = useEnd({ which, onClose, onRefused });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={titleOf(which)}
      actions={
        <>
          <Button variant="danger" busy={isPending} onClick={end}>
            {which === 'others' ? <Trans>Sign out all others</Trans> : <Trans>Sign out this device</Trans>}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {which === 'others' ? <Trans>Leave them signed in</Trans> : <Trans>Leave it signed in</Trans>}
          </Button>
        </>
      }
    >
      <p>
        {which === 'others' ? (
          <Trans>Every other phone, computer and TV is signed out at once. You stay signed in here.</Trans>
        ) : (
          <Trans>Nobody can watch or buy on it with your account until it is signed in again.</Trans>
        )}
        <span> </span>
        <Trans>If you do not know a device, change your password, too.</Trans>
      </p>
    </Dialog>
  );
}

function useEnd({ which, onClose, onRefused }: Omit<EndSignInProps, 'open'>) {
  const { i18n } = useLingui();
  const client = useQueryClient();
  // recent logins, devices in use, TV devices and notifications show it
  const refresh = () => refreshQueries(client, personalQueries);
  const options = {
    onSuccess: async () => {
      onClose();
      await refresh();
    },
    onError: (error: CallError) => {
      onClose();
      onRefused(wordsOf(i18n, error));
      void refresh();
    },
    shows: 'all',
  } as const;
  const one = useApiMutation(endSignIn, options);
  const others = useApiMutation(endOtherSignIns, options);
  return {
    isPending: one.isPending || others.isPending,
    end: () => (which === 'others' ? others.mutate({ body: {} }) : one.mutate({ body: { signInId: which.signInId } })),
  };
}

function titleOf(which: Which): ReactNode {
  if (which === 'others') return <Trans>Sign out everywhere else?</Trans>;
  const { name } = which;
  return <Trans>Sign out {name}?</Trans>;
}
