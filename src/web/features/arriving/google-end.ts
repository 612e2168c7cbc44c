import { msg } from '@lingui/core/macro';
import type { ApiError } from '../../api/api-error.ts';
import type { ProviderAnswer } from '../../entry/secrets.ts';
import { say } from '../../form/words.ts';
import { wordsOf } from '../../i18n/error-words.ts';
import type { SignOnNotice } from './sign-on-end.ts';

const tryAgain: SignOnNotice = {
  tone: 'danger',
  words: say(msg`Signing in with Google did not work. Please try again.`),
};
const changedMind: SignOnNotice = {
  tone: 'info',
  words: say(msg`You did not sign in with Google. You can try again, or use another way.`),
};

/**
 * What is wrong with the provider's answer before anything is sent; undefined when it can be sent. Without a start of
 * this tab with the same `state`, somebody else began (RFC 6749, 10.12).
 */
export function problemOfAnswer({ code, error }: ProviderAnswer, started: boolean): SignOnNotice | undefined {
  if (!started) return tryAgain;
  if (error === 'access_denied') return changedMind;
  return code === undefined ? tryAgain : undefined;
}

/** What to say above the form when the server did not accept the answer. Its code works once, so there is no retry. */
export function noticeOfRefusal(error: ApiError): SignOnNotice {
  if (error.kind !== 'refused' || error.code === -3039) return tryAgain;
  return { tone: 'danger', words: (i18n) => wordsOf(i18n, error) };
}
