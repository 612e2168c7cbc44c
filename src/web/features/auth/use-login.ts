import * as v from 'valibot';
import { login } from '../../../contract/auth.ts';
import { call } from '../../api/client.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import type { Refusal } from '../../form/form-state.ts';
import { ownedBy, refusalOf } from '../../form/refusal.ts';
import { useForm } from '../../form/use-form.ts';
import { setSession } from '../../session/session.ts';
import { draft } from '../../storage/draft.ts';
import { checkLogin, emptyLogin, type LoginValues } from './account-rules.ts';
import { accountWords } from './account-words.ts';
import { noteEntrance } from './note-entrance.ts';

const kept = draft('login', v.object({ account: v.optional(v.pipe(v.string(), v.maxLength(160)), '') }));
const owned = ownedBy(login.errors);

async function send({ account, password }: LoginValues): Promise<Refusal<LoginValues> | undefined> {
  try {
    setSession(await call(login, { body: { account, password, type: 'email' } }, { owns: owned }));
    noteEntrance('login');
    return undefined;
  } catch (error) {
    return refusalOf<LoginValues>(error, {
      fields: { account: 'account', email: 'account' },
      owned,
      words: accountWords,
    });
  }
}

/** The login form. The account is kept while it is typed; the password never is. */
export function useLogin(account = '') {
  const { validRules } = useBrand().siteConfig;
  return useForm<LoginValues>({
    initial: { ...emptyLogin, account },
    check: (values) => checkLogin(values, validRules),
    submit: send,
    draft: { store: kept, fields: ['account'] },
  });
}
