import { resetPasswd } from '../../../contract/codes.ts';
import type { AccountType } from '../../../contract/user.ts';
import { accountNames } from '../../account-form/account-draft.ts';
import {
  accountFields,
  accountProblems,
  completeIdentity,
  emptyAccount,
  found,
  identityOf,
  type AccountValues,
} from '../../account-form/account-rules.ts';
import { heldDeviceToken } from '../../account-form/device-token.ts';
import { newPasswordProblems } from '../../identity/password-rules.ts';
import { useAccountTab } from '../../account-form/use-account-tab.ts';
import { call } from '../../api/client.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import type { Refusal } from '../../form/form-state.ts';
import { ownedBy, refusalOf } from '../../form/refusal.ts';
import { useForm } from '../../form/use-form.ts';
import { codeProblem, codeWords } from '../../identity/code-words.ts';
import { guessedPassword } from '../../identity/guessed-password.ts';
import { useCode } from '../../identity/use-code.ts';
import { lastingAccount } from './lasting-account.ts';
import { useAfterReset } from './use-after-reset.ts';

type Values = AccountValues & Readonly<{ code: string; password: string; repeated: string }>;

const empty: Values = { ...emptyAccount, code: '', password: '', repeated: '' };
const owned = ownedBy(resetPasswd.errors);

async function reset(tab: AccountType, values: Values, request?: string): Promise<Refusal<Values> | undefined> {
  const { code, password } = values;
  const body = { ...identityOf(tab, values), code, request, password, device: heldDeviceToken() };
  try {
    await call(resetPasswd, { body }, { owns: owned });
    return undefined;
  } catch (error) {
    const fields = { ...accountFields(tab), code: 'code', password: 'password' } as const;
    return guessedPassword(error) ?? refusalOf<Values>(error, { fields, owned, words: codeWords });
  }
}

const asked = ({ code, password, repeated }: Values) => ({
  ...found({ code: codeProblem(code) }),
  ...newPasswordProblems({ password, repeated }),
});

/**
 * A new password by a code. Which step it is, is told by whether a code went to the account that stands there. The
 * account is kept while it is typed; the code and the password never are.
 */
export function useResetByCode(returnTo: string | undefined) {
  const { validRules } = useBrand().siteConfig;
  const account = useAccountTab();
  const afterReset = useAfterReset(returnTo);
  const { tab } = account;
  const form = useForm<Values>({
    initial: empty,
    check: (values) => ({ ...accountProblems(tab, values, validRules), ...(code.sent ? asked(values) : {}) }),
    submit: async (values) => {
      // An empty refusal: the form stays, and what is wrong is told by `code` itself.
      if (!code.sent) return code.send(identityOf(tab, values)).then(() => ({}));
      const refusal = await reset(tab, values, code.request);
      if (refusal) return refusal;
      code.forget();
      await afterReset();
      return undefined;
    },
    draft: { store: lastingAccount, fields: accountNames },
  });
  const identity = completeIdentity(tab, form.values, validRules);
  const code = useCode('reset', identity);
  return { form, code, account, sendAgain: () => void (identity && code.send(identity)) };
}
