import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import * as v from 'valibot';
import { saveNickname } from '#contract/settings.ts';
import { nicknameSchema } from '#contract/signup.ts';
import { accountWords } from '#web/domain/auth/account-rules.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { onlyProblems, say } from '#web/platform/form/words.ts';
import { draft } from '#web/platform/session/storage/draft.ts';
import { Field } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { FormActions, SettingRow, useRow, type Row } from './setting-row.tsx';
import { useSettingsKnown, useSettingsSaved, type Settings } from './settings-query.ts';
import styles from './settings.module.css';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

const special = say(msg`The nickname must not contain special characters`);
type Values = Readonly<{ nickname: string }>;
const store = draft('settings.nickname', v.object({ nickname: v.pipe(v.string(), v.maxLength(80)) }));

/** The customer's nickname. */
export function NicknameRow({ settings: { nickname }, fixed }: { settings: Settings; fixed: boolean }) {
  const row = useRow();
  const none = useSettingsKnown() ? <Trans>None yet</Trans> : null;
  return (
    <SettingRow label={<Trans>Nickname</Trans>} value={nickname === '' ? none : nickname} row={fixed ? undefined : row}>
      <NicknameForm nickname={nickname} row={row} />
    </SettingRow>
  );
}

function NicknameForm({ nickname, row }: { nickname: string; row: Row }) {
  const { t } = useLingui();
  const saved = useSettingsSaved();
  const save = useApiMutation(saveNickname, {
    onSuccess: (settings) => {
      saved(settings);
      row.close(true);
    },
    message: accountWords,
  });
  const form = useForm<Values>({
    initial: { nickname: store.get()?.nickname ?? nickname },
    check: (values) => onlyProblems({ nickname: !v.is(nicknameSchema, values.nickname) && special }),
    draft: { store, fields: ['nickname'] },
    submit: async ({ nickname: wanted }) => (await save.send({ body: { nickname: wanted.trim() } })).refusal,
  });
  const { ref } = form.formProps;
  useEffect(() => ref.current?.querySelector('input')?.focus(), [ref]);
  const cancel = () => {
    store.remove();
    row.close();
  };
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary}</Problem>
      <Field
        {...form.register('nickname')}
        required={false}
        label={t`Nickname`}
        hint={t`Letters and digits, at most 40`}
        autoComplete="nickname"
        enterKeyHint="done"
      />
      <FormActions busy={form.isSubmitting} onCancel={cancel}>
        <Trans>Save</Trans>
      </FormActions>
    </form>
  );
}
