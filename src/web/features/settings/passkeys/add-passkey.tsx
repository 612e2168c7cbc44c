import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { accountErrorMessage } from '#web/domain/auth/account-rules.ts';
import { codeErrorMessage } from '#web/domain/auth/codes/use-code.ts';
import { useEffect, useRef, useState } from 'react';
import type { Result } from '#contract/endpoint.ts';
import { addPasskey, beginPasskey, listPasskeys } from '#contract/passkeys.ts';
import { ConfirmHere } from '#web/domain/auth/lazy-confirm-owner.tsx';
import { supportsPasskeys, makePasskey } from '#web/domain/auth/web-authn.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Plus } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import styles from './passkeys.module.css';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface Begun extends Result<typeof beginPasskey> {
  readonly confirmation: string;
}

/** Closed; then confirms the owner; then asks for a name and opens the browser's dialog. */
export function AddPasskey({ onAdded }: { onAdded: () => void }) {
  const alive = useHydrated();
  const [open, setOpen] = useState(false);
  const [begun, setBegun] = useState<Begun>();
  const close = () => {
    setOpen(false);
    setBegun(undefined);
  };
  const beginning = useApiMutation(beginPasskey, {
    onSuccess: (asked, { body }) => setBegun({ ...asked, confirmation: body.confirmation }),
    message: (error) => codeErrorMessage(error) ?? accountErrorMessage(error),
  });
  const begin = async (confirmation: string) => (await beginning.send({ body: { confirmation } })).refusal;
  if (!alive) return null;
  if (!supportsPasskeys()) return <PasskeysUnsupported />;
  if (!open) {
    return (
      <div>
        <Button onClick={() => setOpen(true)}>
          <Plus aria-hidden />
          <Trans>Add passkey</Trans>
        </Button>
      </div>
    );
  }
  return (
    <Card as="section" aria-labelledby="add-passkey">
      <h2 className={styles.heading} id="add-passkey">
        {begun ? <Trans>Name your passkey</Trans> : <Trans>First, confirm it’s you</Trans>}
      </h2>
      {begun ? (
        <NameForm begun={begun} onCancel={close} onAdded={() => (close(), onAdded())} />
      ) : (
        <ConfirmHere purpose="passkey" label={<Trans>Continue</Trans>} onConfirmed={begin} onCancel={close} />
      )}
    </Card>
  );
}

function PasskeysUnsupported() {
  return (
    <Alert tone="info">
      <Trans>This browser can’t create passkeys. Open this page on your phone or in a newer browser.</Trans>
    </Alert>
  );
}

type Values = Readonly<{ name: string }>;

const nameMissing = localizedMessage(msg`Give it a name you’ll recognize`);
const givenUp = localizedMessage(msg`Your passkey wasn’t created. Try again.`);
const known = localizedMessage(msg`This device already has a passkey for your account.`);
const tooLate = localizedMessage(msg`That took too long. Cancel and start again.`);

function useNameForm(begun: Begun, onAdded: () => void) {
  const client = useQueryClient();
  const adding = useApiMutation(addPasskey, {
    onSuccess: async () => {
      await refreshQueries(client, { queryKey: q(listPasskeys, { body: {} }).queryKey });
      onAdded();
    },
    errors: { requestExpired: () => tooLate },
  });
  return useForm<Values>({
    initial: { name: begun.name },
    check: ({ name }) => (name.trim() === '' ? { name: nameMissing } : {}),
    submit: async ({ name }) => {
      const { confirmation, ...options } = begun;
      const made = await makePasskey(options);
      if (made === 'givenUp') return { summary: givenUp };
      if (made === 'known') return { summary: known };
      return (await adding.send({ body: { confirmation, name, ...made } })).refusal;
    },
  });
}

function NameForm({ begun, onCancel, onAdded }: { begun: Begun; onCancel: () => void; onAdded: () => void }) {
  const { t } = useLingui();
  const form = useNameForm(begun, onAdded);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary}</Problem>
      <Field
        {...form.register('name')}
        ref={field}
        label={t`Name`}
        hint={t`Only you see it, in your list of passkeys.`}
        maxLength={60}
        autoComplete="off"
        enterKeyHint="done"
      />
      <div className={styles.formActs}>
        <Button type="submit" busy={form.isSubmitting}>
          <Trans>Create passkey</Trans>
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}
