import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { listPasskeys, renamePasskey, type Passkey } from '#contract/passkeys.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { say } from '#web/platform/form/words.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './passkeys.module.css';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

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
