import { msg } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { changeContact, sendContactCode } from '#contract/settings.ts';
import type { AccountType } from '#contract/user.ts';
import { identityIn, type Identity } from '#web/domain/auth/account-rules.ts';
import { codeErrorMessage, useSecondsLeft } from '#web/domain/auth/codes/use-code.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { getSession, setSession } from '#web/platform/session/session.ts';
import { deviceTokenKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { useSettingsSaved } from './settings-query.ts';
import { useApiMutation, type Outcome } from '#web/platform/form/use-api-mutation.ts';
import { useCaptcha } from '#web/domain/auth/captcha/use-captcha.tsx';
import type { Input } from '#contract/endpoint.ts';

const provedTooLongAgo = localizedMessage(msg`That took a while. Please confirm again that it’s you.`);
const wordsOfContact = (error: CallError): LocalizedMessage | undefined =>
  error.is('requestExpired') ? provedTooLongAgo : codeErrorMessage(error);

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

interface SentCode {
  /** sent with the code */
  readonly request: string;
  /** when another can be requested, by the server's clock; epoch milliseconds */
  readonly until: number;
}

interface SentCodeOptions {
  readonly message: (error: CallError) => LocalizedMessage | undefined;
  readonly onSent: (to: Body) => void;
}

type Body = Input<typeof sendContactCode>['body'];

/** Sends a code to the session's new address or number. */
function useSentCode({ message, onSent }: SentCodeOptions) {
  const captcha = useCaptcha();
  const [sent, setSent] = useState<SentCode>();
  const seconds = useSecondsLeft(sent);
  const request = useApiMutation(sendContactCode, {
    onSuccess: ({ waitSeconds, request: name }, { body }) => {
      setSent({ request: name, until: serverNow() + waitSeconds * 1000 });
      onSent(body);
    },
    errors: { wrongCaptcha: (error, _message, { body }) => captcha.ask(identityIn(body), error) },
    message,
  });
  /** an empty refusal if the captcha shows what is due first */
  const send = async (body: Body): Promise<Outcome<typeof sendContactCode>> => {
    if (captcha.missing(identityIn(body))) return { refusal: {} };
    return request.send({ body: { ...body, ...(await captcha.answer()) } });
  };
  return { captcha, sent, seconds, send };
}
