import { msg } from '@lingui/core/macro';
import type { CallError } from '#web/platform/api/api-error.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import type { HandledError } from '#web/platform/api/decide.ts';

/** What the card of single sign-on says itself; the rest is the error policy's (`serverErrorReset`, `loginFailed`, `loginNotAllowed`). */
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
  /** where the words alone would seem to speak of the form below them */
  readonly title?: Words;
  readonly words: Words;
}

/** `again`: the token has not been spent and the card stays. `form`: it is of no use, with what to say above the form. */
export type SignOnEnd =
  | { readonly kind: 'again'; readonly words: Words }
  | { readonly kind: 'form'; readonly notice?: SignOnNotice };

const logInAgain = say(msg`Please log in again`);
const cannotSignIn = say(msg`This link cannot sign you in`);

/** How a refused sign-on goes on. A lost answer may be a lost success; then the server says so next time. */
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
      // A toast has said it, or the notice page does.
      return { kind: 'form' };
  }
}
