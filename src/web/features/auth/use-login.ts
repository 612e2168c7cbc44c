import { login } from '#contract/auth.ts';
import type { AccountType } from '#contract/user.ts';
import {
  accountDraft,
  accountNames,
  accountFields,
  checkLogin,
  identityOf,
  accountWords,
} from '#web/domain/auth/account-rules.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { storedDeviceToken, completeSignIn } from '#web/domain/auth/enter.ts';
import { isRefused } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { useLateCaptcha, type LateCaptcha } from '#web/domain/auth/captcha/use-late-captcha.ts';

type LoginValues = AccountValues & Readonly<{ password: string }>;

const owned = ownedBy(login.errors);

async function send(
  tab: AccountType,
  values: LoginValues,
  captcha: LateCaptcha,
): Promise<Refusal<LoginValues> | undefined> {
  const identity = identityOf(tab, values);
  if (captcha.missing(identity)) return {};
  const { password } = values;
  const answer = await captcha.answer();
  const body = { ...identity, password, device: storedDeviceToken(), ...answer };
  try {
    completeSignIn(await call(login, { body }, { handledErrors: owned }), 'login', 'password');
    return undefined;
  } catch (error) {
    if (isRefused(error, 'wrongCaptcha')) {
      await captcha.ask(identity, error);
      return {};
    }
    return refusalOf<LoginValues>(error, { fields: accountFields(tab), owned, words: accountWords });
  }
}

/** The login form. The account is kept while it is typed; the password never is. */
export function useLogin(start: AccountValues, tab: AccountType) {
  const { validRules } = useBrand().siteConfig;
  const captcha = useLateCaptcha();
  const form = useForm<LoginValues>({
    initial: { ...start, password: '' },
    check: (values) => checkLogin(tab, values, validRules),
    submit: (values) => send(tab, values, captcha),
    draft: { store: accountDraft, fields: accountNames },
  });
  return { ...form, captcha };
}
