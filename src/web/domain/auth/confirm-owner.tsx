import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryUrv } from '#contract/account.ts';
import type { ConfirmPurpose } from '#contract/confirm-owner.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { CodeField } from './codes/code-field.tsx';
import { SendCodeLabel } from './mail-sent.tsx';
import { KnownUsername } from './known-username.tsx';
import styles from './auth-form.module.css';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useConfirmOwner, type OnConfirmed } from './use-confirm-owner.ts';
import type { Elements } from '#web/ui/elements.ts';

const urvQuery = q(queryUrv, {}, { quiet: true });

interface ConfirmOwnerProps {
  purpose: ConfirmPurpose;
  /** label of the button */
  label: Elements;
  danger?: boolean;
  /** called once with the value that the protected call sends as `confirmation`; the form is busy until it resolves */
  onConfirmed: OnConfirmed;
  onCancel?: (() => void) | undefined;
}

/** Confirms the owner by the password or a code. The parent must have loaded the catalogue (`loadMessages`). */
export function ConfirmOwner(props: ConfirmOwnerProps) {
  const user = useSession();
  const { data, error } = useQuery(urvQuery);
  const phones = useQuery(supportPhoneQuery);
  if (!user || !(data || error) || phones.isPending) return <Skeleton lines={2} height={44} />;
  // if unknown, the password is the default, because most accounts have one
  const getsCodes = user.type === 'email' || phones.data?.sms === true;
  return <ConfirmForm {...props} user={user} hasPassword={data?.hasPassword ?? true} getsCodes={getsCodes} />;
}

interface FormProps extends ConfirmOwnerProps {
  user: NonNullable<ReturnType<typeof useSession>>;
  hasPassword: boolean;
  getsCodes: boolean;
}

function ConfirmForm({ label, danger = false, onCancel, ...options }: FormProps) {
  const confirm = useConfirmOwner(options);
  const { form, code, byCode, change } = confirm;
  const { ref } = form.formProps;
  // the button, for customers without a password
  useEffect(() => ref.current?.querySelector<HTMLElement>('[name=password], [type=submit]')?.focus(), [ref]);
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary}</Problem>
      <KnownUsername value={options.user.account} />
      {byCode ? <CodeStep confirm={confirm} byPhone={options.user.type === 'phone'} /> : <OwnPassword form={form} />}
      <Problem>{code.problem}</Problem>
      <Button
        type="submit"
        wide
        variant={danger && !(byCode && !code.sent) ? 'danger' : 'primary'}
        busy={form.isSubmitting}
      >
        {byCode && !code.sent ? <Trans>Send code</Trans> : label}
      </Button>
      {change ? (
        <Button variant="quiet" wide className={styles.quiet} onClick={change}>
          {byCode ? <Trans>Use my password instead</Trans> : <Trans>Send a code instead</Trans>}
        </Button>
      ) : null}
      {onCancel ? (
        <Button variant="quiet" wide className={styles.quiet} onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      ) : null}
    </form>
  );
}

type Confirm = ReturnType<typeof useConfirmOwner>;

function OwnPassword({ form }: Pick<Confirm, 'form'>) {
  const { t } = useLingui();
  return (
    <PasswordField
      {...form.register('password')}
      label={t`Your password`}
      autoComplete="current-password"
      enterKeyHint="go"
    />
  );
}

function CodeStep({ confirm: { form, code, sendAgain }, byPhone }: { confirm: Confirm; byPhone: boolean }) {
  const { t } = useLingui();
  if (!code.sent) {
    return (
      <p>{byPhone ? <Trans>We’ll text you a 4-digit code.</Trans> : <Trans>We’ll email you a 4-digit code.</Trans>}</p>
    );
  }
  const { onChange: _, ...input } = form.register('code');
  return (
    <>
      <CodeField
        {...input}
        onChange={(digits) => form.setValue('code', digits)}
        focusOn={code.asked}
        hint={byPhone ? t`We’ve texted you a code.` : t`We’ve emailed you a code.`}
      />
      <Button
        variant="quiet"
        wide
        className={styles.quiet}
        busy={code.busy}
        disabled={code.waitSeconds > 0}
        onClick={sendAgain}
      >
        <SendCodeLabel sent seconds={code.waitSeconds} />
      </Button>
    </>
  );
}
