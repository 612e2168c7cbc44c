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

/** The account as typed, which outlives these forms: what follows a new password is the login. */
export const lastingAccount = { ...accountDraft, remove: () => undefined };

/** A link by mail, or a code by mail or SMS; a number can only get a code. */
export function useForgot(returnTo: string | undefined) {
  const { validRules } = useBrand().siteConfig;
  const navigate = useNavigate();
  const account = useAccountTab();
  const mail = useMailRequest(resetPasswordByEmail);
  const way = useRef<'link' | 'code'>('link');
  const { tab } = account;
  /** The account stays in the draft and out of the address. An empty refusal: what is wrong is told by `code`. */
  const sendCode = async (identity: Identity) => {
    // One that went out a moment ago still counts.
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
  /** The form is checked and sent in one breath; afterwards the Enter key means the link again. */
  const sendCodeInstead = () => {
    way.current = 'code';
    form.formProps.ref.current?.requestSubmit();
    way.current = 'link';
  };
  return { form, account, mail, code, sendCodeInstead };
}

export type Forgot = ReturnType<typeof useForgot>;
