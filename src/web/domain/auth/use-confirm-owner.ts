import { msg } from '@lingui/core/macro';
import { useState } from 'react';
import { confirmOwner, type ConfirmPurpose } from '#contract/confirm-owner.ts';
import type { UserInfo } from '#contract/user.ts';
import { accountErrorMessage } from './account-rules.ts';
import { storedDeviceToken } from './complete-sign-in.ts';
import { useFreshCode } from './codes/code-field.tsx';
import { useCode, codeProblem, codeErrorMessage } from './codes/use-code.ts';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

type Values = Readonly<{ password: string; code: string }>;

const passwordMissing = localizedMessage(msg`Enter your password`);

/** Uses a confirmation, valid until `expiresAt`; a returned refusal is shown above the form. */
export type OnConfirmed = (confirmation: string, expiresAt: number) => Promise<Refusal<Values> | undefined>;

interface Options {
  readonly user: Pick<UserInfo, 'account' | 'type'>;
  readonly purpose: ConfirmPurpose;
  readonly hasPassword: boolean;
  /** whether a code can be sent to the customer */
  readonly getsCodes: boolean;
  readonly onConfirmed: OnConfirmed;
}

/** Confirms the owner by the password, or by a code to the customer's own mailbox or number. */
export function useConfirmOwner({ user, purpose, hasPassword, getsCodes, onConfirmed }: Options) {
  const [byCode, setByCode] = useState(!hasPassword);
  const code = useCode('confirm', { account: user.account, type: user.type });
  const confirm = useApiMutation(confirmOwner, {
    onSuccess: async ({ confirmation, expiresAt }) => {
      if (byCode) code.forget();
      const refusal = await onConfirmed(confirmation, expiresAt);
      // without its field: an error of the next step is not about the code, which was consumed
      return refusal && { ...refusal, field: undefined };
    },
    message: (error) => codeErrorMessage(error) ?? accountErrorMessage(error),
  });
  const form = useForm<Values>({
    initial: { password: '', code: '' },
    check: ({ password }) => (byCode || password !== '' ? {} : { password: passwordMissing }),
    submit: async (values) => {
      if (byCode && !code.sent) return ask();
      const problem = byCode && codeProblem(values.code);
      if (problem) return { fields: { code: problem } };
      const given = byCode
        ? { code: values.code, request: code.request ?? '', device: storedDeviceToken() }
        : { password: values.password };
      return (await confirm.send({ body: { purpose, ...given } })).refusal;
    },
  });
  useFreshCode(form, code.asked?.request);
  /** An empty refusal: the form stays, and `code` shows the error. */
  const ask = async (): Promise<Refusal<Values>> => {
    await code.send({ account: user.account, type: user.type });
    return {};
  };
  const change = () => {
    form.clearErrors();
    setByCode(!byCode);
  };
  return { form, code, byCode, change: hasPassword && getsCodes ? change : undefined, sendAgain: () => void ask() };
}
