import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { resetPasswordByEmail } from '#contract/email.ts';
import {
  accountNames,
  accountProblems,
  completeIdentity,
  emptyAccount,
  identityOf,
  type Identity,
  accountDraft,
} from '#web/domain/auth/account-rules.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { useAccountTab } from '#web/domain/auth/use-account-tab.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useForm } from '#web/platform/form/use-form.ts';
import { useCode } from '#web/domain/auth/codes/use-code.ts';
import { useMailRequest } from '#web/domain/auth/use-mail-request.ts';

/** The typed account, which is not removed with these forms: the login follows a new password. */
export const lastingAccount = { ...accountDraft, remove: () => undefined };

/** Sends a link by email, or a code by email or SMS; a phone number can get a code only. */
export function useForgot(returnTo: string | undefined) {
  const { validRules } = useBrand().siteConfig;
  const navigate = useNavigate();
  const account = useAccountTab();
  const mail = useMailRequest(resetPasswordByEmail);
  const way = useRef<'link' | 'code'>('link');
  const { tab } = account;
  /** The account stays in the draft and out of the URL. An empty refusal: `code` shows the error. */
  const sendCode = async (identity: Identity) => {
    // A code that was just sent is still valid.
    if (!(code.sent && code.waitSeconds > 0) && !(await code.send(identity))) return {};
    await navigate({ to: '/reset-password', search: { return: returnTo } });
    return undefined;
  };
  const form = useForm<AccountValues>({
    initial: emptyAccount,
    check: (values) => accountProblems(tab, values, validRules),
    submit: (values) =>
      tab === 'email' && way.current === 'link' ? mail.send(values.account) : sendCode(identityOf(tab, values)),
    draft: { store: lastingAccount, fields: accountNames },
  });
  const code = useCode('reset', completeIdentity(tab, form.values, validRules));
  /** Validates and sends synchronously; afterwards the Enter key means the link again. */
  const sendCodeInstead = () => {
    way.current = 'code';
    form.formProps.ref.current?.requestSubmit();
    way.current = 'link';
  };
  return { form, account, mail, code, sendCodeInstead };
}

export type Forgot = ReturnType<typeof useForgot>;
