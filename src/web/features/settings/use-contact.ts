import { msg } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { changeContact, sendContactCode } from '#contract/settings.ts';
import type { AccountType } from '#contract/user.ts';
import type { Identity } from '#web/domain/auth/account-rules.ts';
import { codeWords } from '#web/domain/auth/codes/code-words.ts';
import type { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { getSession, setSession } from '#web/platform/session/session.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { useSettingsSaved } from './settings-query.ts';
import { useSentCode } from './use-sent-code.ts';

const owned = ownedBy([sendContactCode, changeContact].flatMap(({ errors }) => errors));
const provedTooLongAgo = say(msg`That took a while. Please confirm once more that it is you.`);
const wordsOfContact = (error: ApiError): Words | undefined =>
  error.is('requestExpired') ? provedTooLongAgo : codeWords(error);

/** What is refused by any of the calls, at the field of the form that it is about. */
export function refusedContact<Values>(
  error: unknown,
  fields: Parameters<typeof refusalOf<Values>>[1]['fields'],
): Refusal<Values> {
  return refusalOf<Values>(error, { fields, owned, words: wordsOfContact });
}

/** What `ConfirmHere` has found out, and until when it is good. */
interface Proof {
  readonly confirmation: string;
  /** by the server's clock; epoch milliseconds */
  readonly expiresAt: number;
}

/** A proof that runs out in the middle of a call is none. */
const spareMs = 30_000;

/**
 * A change of address or number ([Note: Confirming the owner] in the contract): the owner proves to be the owner (domain/confirm), a code goes to
 * the new name, and the code makes it theirs. The proof is in memory only.
 */
export function useContact(type: AccountType) {
  const language = useLanguage();
  const saved = useSettingsSaved();
  const contact = useSentCode();
  const held = useRef<Proof>(undefined);
  const [to, setTo] = useState<Identity>();
  const options = { handledErrors: owned };
  const proof = () =>
    held.current && held.current.expiresAt > serverNow() + spareMs ? held.current.confirmation : undefined;
  return {
    type,
    contact,
    /** where the last code for the new name went */
    to,
    isProved: () => proof() !== undefined,
    prove: (found: Proof) => {
      held.current = found;
    },
    send: async (identity: Identity) => {
      const body = { ...identity, confirmation: proof() ?? '', language };
      const done = await contact.send(identity, (answer) =>
        call(sendContactCode, { body: { ...body, ...answer } }, options),
      );
      if (done) setTo(identity);
    },
    /** to the form of the new name, with a new proof where the old one has run out */
    back: () => setTo(undefined),
    change: async (code: string) => {
      if (!to || !contact.sent) return;
      const body = { ...to, confirmation: proof() ?? '', code, request: contact.sent.request };
      const { deviceToken, ...names } = await call(changeContact, { body }, options);
      if (deviceToken) deviceTokenKey.set(deviceToken);
      const user = getSession();
      if (user) setSession({ ...user, ...names });
      saved(type === 'email' ? { ...names, email: to.account, emailVerified: true } : names);
    },
  };
}

export type ContactChange = ReturnType<typeof useContact>;
