import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import { safeReturnPath } from '#web/platform/entry/return-path.ts';
import { accountText } from '#contract/mask.ts';
import type { AccountType } from '#contract/user.ts';
import { AccountName } from '#web/domain/account/names.tsx';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { NewContactForm, contactDraft } from './new-contact-form.tsx';
import { SettingRow, useRow, FormActions, type Row } from './setting-row.tsx';
import { useSettingsKnown, useSettingsSaved, type Settings } from './settings-query.ts';
import { useContact, type ContactChange } from './use-contact.ts';
import { useEffect, useRef, useState } from 'react';
import { removePhone } from '#contract/settings.ts';
import { ConfirmHere } from '#web/domain/auth/lazy-confirm-owner.tsx';
import { getSession, setSession } from '#web/platform/session/session.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './settings.module.css';
import { useApiMutation, useAction } from '#web/platform/form/use-api-mutation.ts';
import authStyles from '#web/domain/auth/auth-form.module.css';
import type { Identity } from '#web/domain/auth/account-rules.ts';
import { CodeField, useFreshCode } from '#web/domain/auth/codes/code-field.tsx';
import { codeProblem } from '#web/domain/auth/codes/use-code.ts';
import { SendCodeLabel } from '#web/domain/auth/mail-sent.tsx';
import { useForm } from '#web/platform/form/use-form.ts';
import { onlyProblems } from '#web/platform/form/localized-message.ts';
import { Problem } from '#web/ui/problem.tsx';

interface ContactRowProps {
  type: AccountType;
  settings: Settings;
  fixed: boolean;
  /** another page needs it: the form is open */
  wanted?: boolean;
  /** the page to return to once it is saved */
  returnTo?: string | undefined;
}

/** The email address, or the phone number if the brand can send to phones: used for login and messages. */
export function ContactRow({ type, settings, fixed, wanted, returnTo }: ContactRowProps) {
  const row = useRow(wanted);
  useReturnWhenSaved(row, returnTo);
  const isKnown = useSettingsKnown();
  const phones = useQuery(supportPhoneQuery).data;
  const supported = phones?.supported === true && phones.sms;
  const now = type === 'email' ? settings.email : settings.phone;
  if (type === 'phone' && !supported && now === null) return null;
  const waits = !settings.nameVerified && settings.type !== type;
  const changes = !fixed && !waits && (type === 'email' || supported);
  const none = isKnown ? <Trans>None yet</Trans> : null;
  const value = now === null ? none : <AccountName account={now} />;
  return (
    <SettingRow
      label={type === 'email' ? <Trans>Email</Trans> : <Trans>Phone number</Trans>}
      value={value}
      row={changes ? row : undefined}
      below={
        waits && !fixed ? (
          <ConfirmFirst type={settings.type} />
        ) : type === 'phone' && settings.phoneRemovable && settings.email !== null && !fixed ? (
          <RemovePhone email={settings.email} onRemoved={() => row.close(true)} />
        ) : null
      }
    >
      {type === 'phone' ? <SmsRisk /> : null}
      <ContactForm type={type} settings={settings} row={row} />
    </SettingRow>
  );
}

/** Returns to the page that needed the address or number, instead of leaving the customer in the settings. */
function useReturnWhenSaved({ state }: Row, returnTo: string | undefined): void {
  const navigate = useNavigate();
  const path = safeReturnPath(returnTo);
  useEffect(() => {
    if (state === 'saved' && path !== undefined) void navigate({ href: path, replace: true });
  }, [navigate, path, state]);
}

/** A second contact cannot be added to an account whose first one is unconfirmed. */
function ConfirmFirst({ type }: { type: AccountType }) {
  if (type === 'phone') return <Trans>Confirm your phone number first: change it to the same number.</Trans>;
  return (
    <span>
      <Trans>
        To add a phone number, <Link to="/resend-confirm">confirm your email</Link> first.
      </Trans>
    </span>
  );
}

/** The risk of logging in by SMS (OWASP ASVS 6.6.1). */
function SmsRisk() {
  return (
    <p>
      <Trans>
        Anyone who takes over your number can read SMS codes. <Link to="/passkeys">A passkey</Link> is safer.
      </Trans>
    </p>
  );
}

function ContactForm({ type, settings, row }: Omit<ContactRowProps, 'fixed'> & { row: Row }) {
  const contact = useContact(type);
  const leave = (saved = false) => {
    contactDraft(type).remove();
    row.close(saved);
  };
  return contact.to ? (
    <ContactCode contact={contact} to={contact.to} onDone={() => leave(true)} onCancel={() => leave()} />
  ) : (
    <NewContactForm contact={contact} settings={settings} onCancel={() => leave()} />
  );
}

interface RemovePhoneProps {
  email: string;
  onRemoved: () => void;
}

/** Removes the phone number from the account after the owner has confirmed. */
function RemovePhone({ email, onRemoved }: RemovePhoneProps) {
  const remove = useRemove(onRemoved);
  const [state, setState] = useState<'shut' | 'open' | 'left'>('shut');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === 'left') button.current?.focus();
  }, [state]);
  if (state !== 'open') {
    return (
      <Button variant="quiet" className={styles.other} ref={button} onClick={() => setState('open')}>
        <Trans>Remove number</Trans>
      </Button>
    );
  }
  return (
    <div className={styles.form}>
      <p className={styles.soft}>
        <Trans>No one can log in with it any more, and you won’t get texts. You log in with {email}.</Trans>
      </p>
      <ConfirmHere
        purpose="contact"
        danger
        label={<Trans>Remove number</Trans>}
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

type Values = Readonly<{ code: string }>;

interface ContactCodeProps {
  contact: ContactChange;
  to: Identity;
  onDone: () => void;
  onCancel: () => void;
}

function useTypedCode(contact: ContactChange, onDone: () => void) {
  return useForm<Values>({
    initial: { code: '' },
    check: ({ code }) => onlyProblems({ code: codeProblem(code) }),
    submit: async ({ code }) => {
      const { result, error, refusal } = await contact.change(code);
      if (result) onDone();
      if (error?.is('requestExpired')) contact.back();
      return refusal;
    },
  });
}

/** The code that was sent to the new address or number; it is submitted when it is complete. */
function ContactCode({ contact, to, onDone, onCancel }: ContactCodeProps) {
  const form = useTypedCode(contact, onDone);
  const { sent, captcha } = contact.contact;
  useFreshCode(form, sent?.request);
  const account = to.type === 'phone' ? accountText(`${to.areaCode ?? ''}${to.account}`) : to.account;
  return (
    <form className={styles.form} {...form.formProps}>
      <p role="status">
        <Trans>
          We’ve sent a code to <b translate="no">{account}</b>.
        </Trans>
      </p>
      <Problem>{form.summary}</Problem>
      <CodeField
        value={form.values.code}
        error={form.errors.code}
        focusOn={sent}
        onChange={(code) => form.setValue('code', code)}
        onComplete={() => form.formProps.ref.current?.requestSubmit()}
      />
      {captcha.view}
      <SendAgain contact={contact} to={to} />
      <Button variant="quiet" className={styles.other} onClick={contact.back}>
        {to.type === 'email' ? <Trans>Use another address</Trans> : <Trans>Use another number</Trans>}
      </Button>
      <FormActions busy={form.isSubmitting} onCancel={onCancel}>
        <Trans>Confirm</Trans>
      </FormActions>
    </form>
  );
}

function SendAgain({ contact, to }: Pick<ContactCodeProps, 'contact' | 'to'>) {
  const { seconds, sent } = contact.contact;
  const { mutate, isPending, problem } = useAction(async () => {
    const { error, refusal } = await contact.send(to);
    if (error?.is('requestExpired')) contact.back();
    return { refusal };
  });
  return (
    <>
      <Problem>{problem}</Problem>
      <Button variant="secondary" className={authStyles.again} busy={isPending} disabled={seconds > 0} onClick={mutate}>
        <SendCodeLabel sent={sent !== undefined} seconds={seconds} />
      </Button>
    </>
  );
}
