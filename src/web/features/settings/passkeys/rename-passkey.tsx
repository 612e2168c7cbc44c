import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { listPasskeys, renamePasskey, type Passkey } from '#contract/passkeys.ts';
import { call } from '#web/platform/api/client.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { say } from '#web/platform/form/words.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './passkeys.module.css';

interface RenameProps {
  passkey: Passkey;
  open: boolean;
  onClose: () => void;
}

export function RenamePasskey({ passkey, open, onClose }: RenameProps) {
  return (
    <Dialog open={open} onClose={onClose} title={<Trans>Rename the passkey</Trans>}>
      <Form passkey={passkey} onClose={onClose} />
    </Dialog>
  );
}

type Values = Readonly<{ name: string }>;
const nameMissing = say(msg`Give it a name by which you will know it`);
const owned = ownedBy(renamePasskey.errors);

function Form({ passkey: { id, name: before }, onClose }: Pick<RenameProps, 'passkey' | 'onClose'>) {
  const { t } = useLingui();
  const client = useQueryClient();
  const form = useForm<Values>({
    initial: { name: before },
    check: ({ name }) => (name.trim() === '' ? { name: nameMissing } : {}),
    submit: async ({ name }) => {
      try {
        await call(renamePasskey, { body: { id, name } }, { handledErrors: owned });
      } catch (error) {
        return refusalOf<Values>(error, { fields: {}, owned });
      }
      await refreshQueries(client, { queryKey: q(listPasskeys, { body: {} }).queryKey });
      onClose();
      return undefined;
    },
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
