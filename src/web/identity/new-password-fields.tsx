import { useLingui } from '@lingui/react/macro';
import { PasswordField, type FieldProps } from '../ui/field.tsx';

type FieldOf = (name: 'password' | 'repeated') => Omit<FieldProps, 'label' | 'type' | 'suffix'>;

/** A new password, and the same again. Password managers are told that it is a new one. */
export function NewPasswordFields({ text }: { text: FieldOf }) {
  const { t } = useLingui();
  return (
    <>
      <PasswordField
        {...text('password')}
        label={t`New password`}
        hint={t`At least 6 characters`}
        autoComplete="new-password"
        enterKeyHint="next"
      />
      <PasswordField
        {...text('repeated')}
        label={t`Repeat the new password`}
        hint={t`You will be logged out on every device.`}
        autoComplete="new-password"
        enterKeyHint="done"
      />
    </>
  );
}
