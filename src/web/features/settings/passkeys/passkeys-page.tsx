import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listPasskeys, removePasskey, renamePasskey, type Passkey } from '#contract/passkeys.ts';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { KeyRound } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { AddPasskey } from './add-passkey.tsx';
import styles from './passkeys.module.css';
import { dayText } from '#web/platform/i18n/day-text.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { msg } from '@lingui/core/macro';
import { useForm } from '#web/platform/form/use-form.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { Field } from '#web/ui/field.tsx';

const passkeysQuery = q(listPasskeys, { body: {} }, { quiet: true });

/** /passkeys: the customer's passkeys. */
export function PasskeysPage() {
  const { data, error, refetch } = useQuery({ ...passkeysQuery, enabled: useSession() !== null });
  const [told, setTold] = useState<'added' | 'removed'>();
  return (
    <CustomerArea
      title={<Trans>Passkeys</Trans>}
      below="/settings"
      intro={
        <Trans>
          With a passkey you log in with your fingerprint, face or screen lock. There’s no password to type or to steal.
        </Trans>
      }
    >
      <div className={styles.page} aria-busy={(!data && !error) || undefined}>
        <div role="status" className={styles.told}>
          {told === 'added' ? (
            <Alert tone="success">
              <Trans>Your passkey is ready. Next time, choose it on the login page.</Trans>
            </Alert>
          ) : null}
          {told === 'removed' ? (
            <Alert tone="info">
              <Trans>This passkey has been removed. You can delete it on your device, too.</Trans>
            </Alert>
          ) : null}
        </div>
        {data ? <List {...data} onRemoved={() => setTold('removed')} /> : null}
        {!data && error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : null}
        {!data && !error ? (
          <Card>
            <Skeleton lines={3} height={28} />
          </Card>
        ) : null}
        {data ? <AddPasskey onAdded={() => setTold('added')} /> : null}
      </div>
    </CustomerArea>
  );
}

interface ListProps {
  passkeys: readonly Passkey[];
  lastWayIn: boolean;
  onRemoved: () => void;
}

function List({ passkeys, lastWayIn, onRemoved }: ListProps) {
  if (passkeys.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="own-passkeys">
      <h2 className={styles.heading} id="own-passkeys">
        <Trans>Your passkeys</Trans>
      </h2>
      <ul>
        {passkeys.map((one) => (
          <OnePasskey key={one.id} passkey={one} fixed={lastWayIn} onRemoved={onRemoved} />
        ))}
      </ul>
      {lastWayIn ? (
        <p className={styles.soft}>
          <Trans>This is your only way to log in, so you can’t remove it. Set a password first.</Trans>
        </p>
      ) : null}
    </Card>
  );
}

function OnePasskey({ passkey, fixed, onRemoved }: { passkey: Passkey; fixed: boolean; onRemoved: () => void }) {
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const { name } = passkey;
  const close = () => setOpen(undefined);
  return (
    <li className={styles.one}>
      <KeyRound aria-hidden />
      <span className={styles.words}>
        <strong>{name}</strong>
        <span className={styles.soft}>
          <UsageDates {...passkey} />
        </span>
        <span className={styles.soft}>
          <PasskeyHost {...passkey} />
        </span>
      </span>
      <span className={styles.acts}>
        <Button variant="quiet" onClick={() => setOpen('rename')}>
          <Trans>
            Rename<span className="sr-only"> {name}</span>
          </Trans>
        </Button>
        {fixed ? null : (
          <Button variant="quiet" onClick={() => setOpen('remove')}>
            <Trans>
              Remove<span className="sr-only"> {name}</span>
            </Trans>
          </Button>
        )}
      </span>
      <RenamePasskey passkey={passkey} open={open === 'rename'} onClose={close} />
      <RemovePasskey passkey={passkey} open={open === 'remove'} onClose={close} onRemoved={onRemoved} />
    </li>
  );
}

function UsageDates({ createdAt, usedAt }: Passkey) {
  const { i18n } = useLingui();
  const day = (instant: number) => dayText(i18n, instant, 'medium');
  const added = day(createdAt);
  if (usedAt === null) return <Trans>Added on {added}, not used yet</Trans>;
  const used = day(usedAt);
  return (
    <Trans>
      Added on {added}, last used on {used}
    </Trans>
  );
}

/** A brand may have several hosts, and each has its own passkeys. */
function PasskeyHost({ host, synced }: Passkey) {
  if (typeof window !== 'undefined' && host !== window.location.hostname) return <Trans>For {host}</Trans>;
  return synced ? <Trans>On all devices that share your keychain</Trans> : <Trans>On one device only</Trans>;
}

interface RemoveProps {
  passkey: Passkey;
  open: boolean;
  onClose: () => void;
  onRemoved: () => void;
}

/** Confirms the removal of a passkey. */
function RemovePasskey({ passkey: { id, name }, open, onClose, onRemoved }: RemoveProps) {
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
        <Trans>No one can log in with it any more. You stay logged in here.</Trans>
      </p>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

interface RenameProps {
  passkey: Passkey;
  open: boolean;
  onClose: () => void;
}

function RenamePasskey({ passkey, open, onClose }: RenameProps) {
  return (
    <Dialog open={open} onClose={onClose} title={<Trans>Rename passkey</Trans>}>
      <Form passkey={passkey} onClose={onClose} />
    </Dialog>
  );
}

type Values = Readonly<{ name: string }>;
const nameMissing = localizedMessage(msg`Give it a name you’ll recognize`);

function Form({ passkey: { id, name: before }, onClose }: Pick<RenameProps, 'passkey' | 'onClose'>) {
  const { t } = useLingui();
  const client = useQueryClient();
  const rename = useApiMutation(renamePasskey, {
    onSuccess: async () => {
      await refreshQueries(client, { queryKey: q(listPasskeys, { body: {} }).queryKey });
      onClose();
    },
  });
  const form = useForm<Values>({
    initial: { name: before },
    check: ({ name }) => (name.trim() === '' ? { name: nameMissing } : {}),
    submit: async ({ name }) => (await rename.send({ body: { id, name } })).refusal,
  });
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary}</Problem>
      <Field {...form.register('name')} label={t`Name`} maxLength={60} autoComplete="off" enterKeyHint="done" />
      <Button type="submit" wide busy={form.isSubmitting}>
        <Trans>Save</Trans>
      </Button>
    </form>
  );
}
