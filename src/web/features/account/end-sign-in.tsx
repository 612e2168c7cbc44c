import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endOtherSignIns, endSignIn } from '#contract/account.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { personalQueries, refreshQueries } from '#web/platform/api/query.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type Which = 'others' | { readonly signInId: string; readonly name: string };

interface EndSignInProps {
  which: Which;
  open: boolean;
  onClose: () => void;
  /** it is still signed in, and these words say why */
  onRefused: (words: string) => void;
}

/** Asks before a device is signed out, or every other one. */
export function EndSignIn({ which, open, onClose, onRefused }: EndSignInProps) {
  const { i18n } = useLingui();
  const client = useQueryClient();
  const { tap, busy } = useTap(async () => {
    const refusal = await end(which);
    onClose();
    if (refusal) onRefused(wordsOf(i18n, refusal));
    // sign-ins, devices in use, TVs and messages to devices
    await refreshQueries(client, personalQueries);
    return undefined;
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={titleOf(which)}
      actions={
        <>
          <Button variant="danger" busy={busy} onClick={tap}>
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

function titleOf(which: Which): ReactNode {
  if (which === 'others') return <Trans>Sign out everywhere else?</Trans>;
  const { name } = which;
  return <Trans>Sign out {name}?</Trans>;
}

async function end(which: Which): Promise<ApiError | undefined> {
  try {
    if (which === 'others') await call(endOtherSignIns, { body: {} }, { quiet: true });
    else await call(endSignIn, { body: { signInId: which.signInId } }, { quiet: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error;
  }
}
