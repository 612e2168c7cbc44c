import { useState } from 'react';
import * as v from 'valibot';
import { signup } from '../../../contract/signup.ts';
import type { AccountType } from '../../../contract/user.ts';
import { accountNames } from '../../account-form/account-draft.ts';
import { accountFields, completeIdentity, identityOf, type Identity } from '../../account-form/account-rules.ts';
import { entered } from '../../account-form/enter.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import type { Refusal } from '../../form/form-state.ts';
import { ownedBy, refusalOf } from '../../form/refusal.ts';
import { useForm } from '../../form/use-form.ts';
import { useLanguage } from '../../i18n/active.ts';
import { codeWords } from '../../identity/code-words.ts';
import { guessedPassword } from '../../identity/guessed-password.ts';
import { useCode } from '../../identity/use-code.ts';
import { draft } from '../../storage/draft.ts';
import { checkRegister, emptyRegister, told, type Entry, type RegisterValues } from './register-rules.ts';

const keptText = v.optional(v.pipe(v.string(), v.maxLength(160)), '');
const kept = draft(
  'register',
  v.object({ account: keptText, phone: keptText, areaCode: keptText, nickname: keptText }),
);
const owned = ownedBy(signup.errors);

function refusalFor(tab: AccountType, error: unknown): Refusal<RegisterValues> {
  const fields = { ...accountFields(tab), code: 'code', nickname: 'nickname', password: 'password' } as const;
  return guessedPassword(error) ?? refusalOf<RegisterValues>(error, { fields, owned, words: codeWords });
}

/** The sign-up form. What is no secret is kept while it is typed; the password and the code never are. */
export function useRegister(tab: AccountType, entry: Entry | undefined) {
  const { validRules, login } = useBrand().siteConfig;
  const withCode = login.signupCode;
  const language = useLanguage();
  const [taken, setTaken] = useState<Identity>();
  const submit = async (values: RegisterValues): Promise<Refusal<RegisterValues> | undefined> => {
    const identity = identityOf(tab, values);
    if (captcha.missing(identity)) return {};
    const said = { ...identity, password: values.password, agreePolicy: true, language } as const;
    const answer = await captcha.answer();
    const body = {
      ...said,
      ...(withCode ? { code: values.code, request: code.request } : {}),
      ...told(values, entry),
      ...answer,
    };
    try {
      entered(await call(signup, { body }, { owns: owned }), 'register', withCode ? 'code' : 'password');
      code.forget();
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && error.code === 6) setTaken(identity);
      if (!(error instanceof ApiError) || error.code !== -3035) return refusalFor(tab, error);
      captcha.ask(identity, error);
      return {};
    }
  };
  const form = useForm<RegisterValues>({
    initial: emptyRegister,
    check: (values) => checkRegister(values, { tab, rules: validRules, withCode }),
    submit,
    draft: { store: kept, fields: [...accountNames, 'nickname'] },
  });
  const identity = completeIdentity(tab, form.values, validRules);
  const code = useCode('signup', identity);
  const { captcha } = code;
  /** the account that stands there has a password already */
  const exists = taken !== undefined && taken.account === identity?.account && taken.areaCode === identity.areaCode;
  return { form, code, identity, withCode, exists };
}

export type RegisterControl = ReturnType<typeof useRegister>;
