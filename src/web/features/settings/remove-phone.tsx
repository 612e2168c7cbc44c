import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { removePhone } from '#contract/settings.ts';
import { ConfirmHere } from '#web/domain/auth/confirm-here.tsx';
import { getSession, setSession } from '#web/platform/session/session.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { useSettingsSaved } from './settings-query.ts';
import styles from './settings.module.css';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface RemovePhoneProps {
  email: string;
  onRemoved: () => void;
}

/** Removes the phone number from the account after the owner has confirmed. */
export function RemovePhone({ email, onRemoved }: RemovePhoneProps) {
  const remove = useRemove(onRemoved);
  const [state, setState] = useState<'shut' | 'open' | 'left'>('shut');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === 'left') button.current?.focus();
  }, [state]);
  if (state !== 'open') {
    return (
      <Button variant="quiet" className={styles.other} ref={button} onClick={() => setState('open')}>
        <Trans>Remove the number</Trans>
      </Button>
    );
  }
  return (
    <div className={styles.form}>
      <p className={styles.soft}>
        <Trans>Nobody signs in by it any more, and no SMS comes. You sign in by {email}.</Trans>
      </p>
      <ConfirmHere
        purpose="contact"
        danger
        label={<Trans>Remove the number</Trans>}
        onConfirmed={remove}
        onCancel={() => setState('left')}
      />
    </div>
  );
}

function useRemove(onRemoved: () => void) {
  const saved = useSettingsSaved();
  const remove = useApiMutation(removePhone, {
    onSuccess: ({ deviceToken, ...names }) => {
      if (deviceToken) deviceTokenKey.set(deviceToken);
      const user = getSession();
      if (user) setSession({ ...user, ...names });
      onRemoved();
      saved({ ...names, phone: null, phoneRemovable: false });
    },
  });
  return async (confirmation: string) => (await remove.send({ body: { confirmation } })).refusal;
}
