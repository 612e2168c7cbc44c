import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import type { SiteConfig } from '#contract/brand.ts';
import { accountText } from '#contract/mask.ts';
import type { AccountType } from '#contract/user.ts';
import { PhoneField } from '#web/domain/account/phone-field.tsx';
import { accountNames, emptyAccount, identityOf } from '#web/domain/auth/account-rules.ts';
import { newAccountProblems } from '#web/domain/auth/new-account-rules.ts';
import { EmailField } from '#web/domain/auth/account-fields.tsx';
import { ConfirmHere } from '#web/domain/auth/lazy-confirm-owner.tsx';
import type { OnConfirmed } from '#web/domain/auth/use-confirm-owner.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useForm, withoutSpaces } from '#web/platform/form/use-form.ts';
import { onlyProblems, localizedMessage } from '#web/platform/form/localized-message.ts';
import { draft } from '#web/platform/session/storage/draft.ts';
import { Problem } from '#web/ui/problem.tsx';
import { FormActions } from './setting-row.tsx';
import type { Settings } from './settings-query.ts';
import styles from './settings.module.css';
import type { ContactChange } from './use-contact.ts';

const kept = v.optional(v.pipe(v.string(), v.maxLength(160)), '');
/** The new address or number as typed so far. */
export const contactDraft = (type: AccountType) =>
  draft(`settings.${type}`, v.object({ account: kept, phone: kept, areaCode: kept }));

type AskValues = Readonly<typeof emptyAccount>;
const sameAsNow = localizedMessage(msg`You already use this one`);

interface Rules {
  readonly type: AccountType;
  readonly rules: SiteConfig['validRules'];
  readonly now: string | null;
}

function check(values: AskValues, { type, rules, now }: Rules) {
  const typed = type === 'email' ? values.account.toLowerCase() : `${values.areaCode}${values.phone}`;
  const name = type === 'email' ? 'account' : 'phone';
  return {
    ...onlyProblems({ [name]: typed === now && sameAsNow }),
    ...newAccountProblems(type, values, rules),
  };
}

interface ContactAskProps {
  contact: ContactChange;
  settings: Settings;
  onCancel: () => void;
}

interface AskSettings extends Omit<ContactAskProps, 'onCancel'> {
  /** the owner must be confirmed before a code can be sent */
  readonly onUnproved: () => void;
}

function useContactForm({ contact, settings, onUnproved }: AskSettings) {
  const { type } = contact;
  const rules = useBrand().siteConfig.validRules;
  const [store] = useState(() => contactDraft(type));
  const now = type === 'email' ? settings.email : settings.phone;
  const unproved = () => {
    onUnproved();
    return { refusal: {} };
  };
  return useForm<AskValues>({
    initial: emptyAccount,
    check: (values) => check(values, { type, rules, now }),
    draft: { store, fields: accountNames },
    submit: async (values) => {
      const { refusal } = contact.isProved() ? await contact.send(identityOf(type, values)) : unproved();
      // the draft stays until the change is done
      return refusal ?? {};
    },
  });
}

/**
 * Asks for the new address or number, then confirms the owner; the draft is restored after that and sent automatically.
 */
export function NewContactForm({ contact, settings, onCancel }: ContactAskProps) {
  const [asked, setAsked] = useState<'new' | 'owner' | 'proved'>('new');
  const form = useContactForm({ contact, settings, onUnproved: () => setAsked('owner') });
  const { ref } = form.formProps;
  useEffect(() => {
    if (asked === 'new') ref.current?.querySelector<HTMLElement>('[name=account], [name=phone]')?.focus();
    if (asked === 'proved') ref.current?.requestSubmit();
  }, [ref, asked]);
  if (asked === 'owner') {
    const prove: OnConfirmed = async (confirmation, expiresAt) => {
      contact.prove({ confirmation, expiresAt });
      setAsked('proved');
      return undefined;
    };
    return <Owner wanted={writtenAs(form.values, contact.type)} onConfirmed={prove} onCancel={() => setAsked('new')} />;
  }
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary}</Problem>
      <NewName form={form} type={contact.type} />
      {contact.contact.captcha.view}
      <FormActions busy={form.isSubmitting} onCancel={onCancel}>
        <Trans>Continue</Trans>
      </FormActions>
    </form>
  );
}

const writtenAs = ({ account, areaCode, phone }: AskValues, type: AccountType) =>
  type === 'email' ? account : accountText(areaCode + phone);

interface OwnerProps {
  wanted: string;
  onConfirmed: OnConfirmed;
  onCancel: () => void;
}

function Owner({ wanted, ...props }: OwnerProps) {
  return (
    <div className={styles.form}>
      <p>
        <Trans>
          Before we send a code to <b>{wanted}</b>, confirm it’s you.
        </Trans>
      </p>
      <ConfirmHere purpose="contact" label={<Trans>Continue</Trans>} {...props} />
    </div>
  );
}

function NewName({ form, type }: { form: ReturnType<typeof useContactForm>; type: AccountType }) {
  const { t } = useLingui();
  if (type === 'phone') return <PhoneField form={form} label={t`New phone number`} />;
  return (
    <EmailField
      {...form.register('account', { setValueAs: withoutSpaces })}
      onPick={(address) => form.setValue('account', address)}
      label={t`New email`}
      autoComplete="email"
      hint={t`We’ll send a code to the new one and notify the old one.`}
    />
  );
}
