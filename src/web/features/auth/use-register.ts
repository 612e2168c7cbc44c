import * as v from 'valibot';
import { signup } from '../../../contract/auth.ts';
import type { Language } from '../../../contract/fields.ts';
import { call } from '../../api/client.ts';
import { useBrand } from '../../brand/brand-context.tsx';
import type { Refusal } from '../../form/form-state.ts';
import { ownedBy, refusalOf } from '../../form/refusal.ts';
import { useForm } from '../../form/use-form.ts';
import { useLanguage } from '../../i18n/active.ts';
import { setSession } from '../../session/session.ts';
import { draft } from '../../storage/draft.ts';
import { checkRegister, emptyRegister, type RegisterValues } from './account-rules.ts';
import { accountWords } from './account-words.ts';
import { noteEntrance } from './note-entrance.ts';

const keptText = v.optional(v.pipe(v.string(), v.maxLength(160)), '');
const kept = draft('register', v.object({ account: keptText, nickname: keptText }));
const owned = ownedBy(signup.errors);
const fields = { account: 'account', email: 'account', nickname: 'nickname', password: 'password' } as const;

/** What a link from the app or a box brought along; it is passed on with the sign-up. */
export type Entry = Readonly<Record<string, string>>;

async function send(
  values: RegisterValues,
  language: Language,
  entry?: Entry,
): Promise<Refusal<RegisterValues> | undefined> {
  const { account, password, nickname } = values;
  const said = { account, type: 'email', password, agreePolicy: true, language } as const;
  const optional = { ...(nickname.trim() ? { nickname: nickname.trim() } : {}), ...(entry ? { entry } : {}) };
  try {
    setSession(await call(signup, { body: { ...said, ...optional } }, { owns: owned }));
    noteEntrance('register');
    return undefined;
  } catch (error) {
    return refusalOf<RegisterValues>(error, { fields, owned, words: accountWords });
  }
}

/** The sign-up form. What is no secret is kept while it is typed. */
export function useRegister(entry?: Entry) {
  const { validRules } = useBrand().siteConfig;
  const language = useLanguage();
  return useForm<RegisterValues>({
    initial: emptyRegister,
    check: (values) => checkRegister(values, validRules),
    submit: (values) => send(values, language, entry),
    draft: { store: kept, fields: ['account', 'nickname'] },
  });
}
