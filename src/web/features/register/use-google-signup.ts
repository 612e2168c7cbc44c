import { useState } from 'react';
import { googleSignup } from '../../../contract/sign-on.ts';
import { entered } from '../../account-form/enter.ts';
import type { GoogleTicket } from '../../account-form/google-ticket.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { Refusal } from '../../form/form-state.ts';
import { ownedBy, refusalOf } from '../../form/refusal.ts';
import { useForm } from '../../form/use-form.ts';
import { useLanguage } from '../../i18n/active.ts';
import { codeWords } from '../../identity/code-words.ts';
import { nicknameFrom, personProblems, told, type Entry, type Person } from './register-rules.ts';

const owned = ownedBy(googleSignup.errors);

/** What is left to say after Google has vouched for the address. `over`: this ticket opens nothing any more. */
export function useGoogleSignup({ ticket, name }: GoogleTicket, entry: Entry | undefined) {
  const language = useLanguage();
  const [over, setOver] = useState(false);
  const submit = async (person: Person): Promise<Refusal<Person> | undefined> => {
    const body = { ticket, agreePolicy: true, language, ...told(person, entry) } as const;
    try {
      entered(await call(googleSignup, { body }, { owns: owned }), 'register', 'google');
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && (error.code === 6 || error.code === -3039)) setOver(true);
      return refusalOf<Person>(error, { fields: { nickname: 'nickname' }, owned, words: codeWords });
    }
  };
  const form = useForm<Person>({
    initial: { nickname: nicknameFrom(name), agreed: false },
    check: personProblems,
    submit,
  });
  return { form, over };
}
