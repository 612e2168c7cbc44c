import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { withoutSpaces } from '../../form/use-form.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field, PasswordField } from '../../ui/field.tsx';
import { AccountField } from './account-field.tsx';
import type { useRegister } from './use-register.ts';

/** The fields of a sign-up, in the order in which people think of them. */
export function RegisterFields({ form }: { form: ReturnType<typeof useRegister> }) {
  const { t } = useLingui();
  const { text, tick } = form;
  return (
    <>
      <AccountField {...text('account', withoutSpaces)} />
      <Field
        {...text('nickname')}
        label={t`Nickname (optional)`}
        autoComplete="nickname"
        enterKeyHint="next"
        maxLength={40}
      />
      <PasswordField
        {...text('password')}
        label={t`Password`}
        hint={t`At least 6 characters`}
        autoComplete="new-password"
        enterKeyHint="next"
        maxLength={200}
      />
      <PasswordField
        {...text('repeated')}
        label={t`Repeat the password`}
        autoComplete="new-password"
        enterKeyHint="done"
        maxLength={200}
      />
      <Checkbox
        {...tick('agreed')}
        label={
          <Trans>
            I accept the{' '}
            <Link to="/privacy" hash="terms" target="_blank">
              Terms Of Use
            </Link>{' '}
            and the{' '}
            <Link to="/privacy" target="_blank">
              Privacy Policy
            </Link>
          </Trans>
        }
      />
    </>
  );
}
