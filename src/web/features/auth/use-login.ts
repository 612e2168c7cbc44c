import { login } from '#contract/auth.ts';
import type { AccountType } from '#contract/user.ts';
import {
  accountDraft,
  accountNames,
  checkLogin,
  identityIn,
  identityOf,
  accountWords,
} from '#web/domain/auth/account-rules.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { storedDeviceToken, completeSignIn } from '#web/domain/auth/enter.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useForm } from '#web/platform/form/use-form.ts';
import { useLateCaptcha } from '#web/domain/auth/captcha/use-late-captcha.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

type LoginValues = AccountValues & Readonly<{ password: string }>;

/** The login form. The account is stored while it is typed; the password never is. */
export function useLogin(start: AccountValues, tab: AccountType) {
  const { validRules } = useBrand().siteConfig;
  const captcha = useLateCaptcha();
  const request = useApiMutation(login, {
    onSuccess: (user) => completeSignIn(user, 'login', 'password'),
    errors: { wrongCaptcha: (error, _message, { body }) => captcha.ask(identityIn(body), error) },
    message: accountWords,
  });
  const form = useForm<LoginValues>({
    initial: { ...start, password: '' },
    check: (values) => checkLogin(tab, values, validRules),
    submit: async (values) => {
      const identity = identityOf(tab, values);
      if (captcha.missing(identity)) return {};
      const { password } = values;
      const body = { ...identity, password, device: storedDeviceToken(), ...(await captcha.answer()) };
      return (await request.send({ body })).refusal;
    },
    draft: { store: accountDraft, fields: accountNames },
  });
  return { ...form, captcha };
}
