import { msg } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { changeContact } from '#contract/settings.ts';
import type { AccountType } from '#contract/user.ts';
import { identityIn, type Identity } from '#web/domain/auth/account-rules.ts';
import { codeWords } from '#web/domain/auth/codes/code-words.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { getSession, setSession } from '#web/platform/session/session.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { useSettingsSaved } from './settings-query.ts';
import { useSentCode } from './use-sent-code.ts';
import { useApiMutation, type Outcome } from '#web/platform/form/use-api-mutation.ts';

const provedTooLongAgo = say(msg`That took a while. Please confirm once more that it is you.`);
const wordsOfContact = (error: CallError): Words | undefined =>
  error.is('requestExpired') ? provedTooLongAgo : codeWords(error);

/** The confirmation from `ConfirmHere`, and until when it is valid. */
interface Proof {
  readonly confirmation: string;
  /** by the server's clock; epoch milliseconds */
  readonly expiresAt: number;
}

/** A confirmation must be valid for this long, so that it does not expire during a call. In milliseconds. */
const spareMs = 30_000;

/**
 * Changes the address or number: the owner confirms (domain/auth/confirm-owner), a code is sent to the new one, and the
 * code assigns it to the account. The confirmation is in memory only.
 */
export function useContact(type: AccountType) {
  const language = useLanguage();
  const saved = useSettingsSaved();
  const held = useRef<Proof>(undefined);
  const [to, setTo] = useState<Identity>();
  const contact = useSentCode({
    message: wordsOfContact,
    onSent: (body) => setTo(identityIn(body)),
  });
  const request = useApiMutation(changeContact, {
    onSuccess: ({ deviceToken, ...names }, { body }) => {
      if (deviceToken) deviceTokenKey.set(deviceToken);
      const user = getSession();
      if (user) setSession({ ...user, ...names });
      saved(type === 'email' ? { ...names, email: body.account, emailVerified: true } : names);
    },
    message: wordsOfContact,
  });
  const proof = () =>
    held.current && held.current.expiresAt > serverNow() + spareMs ? held.current.confirmation : undefined;
  return {
    type,
    contact,
    /** where the last code was sent */
    to,
    isProved: () => proof() !== undefined,
    prove: (found: Proof) => {
      held.current = found;
    },
    send: (identity: Identity) => contact.send({ ...identity, confirmation: proof() ?? '', language }),
    /** returns to the form for the new address or number */
    back: () => setTo(undefined),
    change: async (code: string): Promise<Outcome<typeof changeContact>> => {
      if (!to || !contact.sent) return { refusal: {} };
      return request.send({ body: { ...to, confirmation: proof() ?? '', code, request: contact.sent.request } });
    },
  };
}

export type ContactChange = ReturnType<typeof useContact>;
