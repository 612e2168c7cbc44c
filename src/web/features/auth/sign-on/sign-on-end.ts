import { msg } from '@lingui/core/macro';
import type { CallError } from '#web/platform/api/api-error.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import type { HandledError } from '#web/platform/api/decide.ts';

/**
 * Errors that the card of single sign-on handles; the error policy handles the rest (`serverErrorReset`, `loginFailed`,
 * `loginNotAllowed`).
 */
export const ownedSignOn: readonly HandledError[] = [
  'network',
  'http',
  'malformed',
  'tokenMissing',
  'tokenExpired',
  'tokenError',
  'unauthorized',
  'serviceBusy',
  'invalidParameter',
  'tenantError',
];

export interface SignOnNotice {
  readonly tone: 'info' | 'warning' | 'danger';
  /** needed if the message alone would seem to concern the form below it */
  readonly title?: Words;
  readonly words: Words;
}

/** `again`: the token is still valid and the card stays. `form`: the token is invalid; the form shows the notice. */
export type SignOnEnd =
  | { readonly kind: 'again'; readonly words: Words }
  | { readonly kind: 'form'; readonly notice?: SignOnNotice };

const logInAgain = say(msg`Please log in again`);
const cannotSignIn = say(msg`This link cannot sign you in`);

/**
 * What happens after a refused single sign-on. A lost response may be a lost success; the server reports that next
 * time.
 */
export function endOfSignOn(error: CallError): SignOnEnd {
  const words: Words = (i18n) => wordsOf(i18n, error);
  if (error.kind !== 'refused') return { kind: 'again', words };
  switch (error.reason) {
    case 'serviceBusy':
      return { kind: 'again', words };
    case 'tokenMissing':
    case 'tokenExpired':
    case 'invalidToken':
      return { kind: 'form', notice: { tone: 'info', words: logInAgain } };
    case 'tokenError':
      return { kind: 'form', notice: { tone: 'warning', words } };
    case 'unauthorized':
    case 'invalidParameter':
    case 'tenantError':
      return { kind: 'form', notice: { tone: 'danger', title: cannotSignIn, words } };
    default:
      // A toast or the notice page has shown it.
      return { kind: 'form' };
  }
}
