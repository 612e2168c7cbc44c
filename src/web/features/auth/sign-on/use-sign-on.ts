import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { sso } from '#contract/sign-on.ts';
import { storedDeviceToken, completeSignIn } from '#web/domain/auth/complete-sign-in.ts';
import { attempt } from '#web/platform/api/client.ts';
import { consumeSecret } from '#web/platform/entry/secret-store.ts';
import type { SignOnLink } from '#web/platform/entry/secrets.ts';
import type { UserInfo } from '#contract/user.ts';
import { logOut } from '#web/domain/auth/log-out.ts';
import { personalQueries } from '#web/platform/api/query.ts';
import { replacingSession } from '#web/platform/session/replacing.ts';
import { getSession } from '#web/platform/session/session.ts';
import { useAction } from '#web/platform/form/use-api-mutation.ts';
import { msg } from '@lingui/core/macro';
import type { CallError } from '#web/platform/api/api-error.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import type { HandledError } from '#web/platform/api/decide.ts';

interface SignOnOptions {
  readonly link: SignOnLink;
  readonly onEntered: () => void;
  readonly onForm: (notice?: SignOnNotice) => void;
}

/** Sends the token of the link after the customer confirmed, and clears it once it is useless. */
export function useSignOn({ link, onEntered, onForm }: SignOnOptions) {
  const queryClient = useQueryClient();
  const { mutate, isPending, problem } = useAction(async () => {
    const body = { ...link, device: storedDeviceToken() };
    const { error } = await signInAs(
      queryClient,
      'sso',
      () => attempt(sso, { body }, { shownErrors: ownedSignOn }),
      ({ result }) => result ?? null,
    );
    const end = error && endOfSignOn(error);
    if (end?.kind === 'again') return { refusal: { summary: end.words } };
    consumeSecret('appToken');
    if (end) onForm(end.notice);
    else onEntered();
    return {};
  });
  return { isPending, problem, go: mutate };
}

/**
 * Logs in the account that a link, TV device or provider named; `userOf` extracts it from the response. The previous
 * customer's data is cleared before: cached responses do not contain their owner. Their reads in progress are
 * cancelled, because the server ends the session before its response arrives.
 */
export async function signInAs<T>(
  queryClient: QueryClient,
  by: 'sso' | 'google',
  ask: () => Promise<T>,
  userOf: (answer: T) => UserInfo | null,
): Promise<T> {
  await queryClient.cancelQueries(personalQueries);
  return replacingSession(async () => {
    const answer = await ask();
    const user = userOf(answer);
    if (!user) return answer;
    const before = getSession();
    if (before && before.uid !== user.uid) await logOut(queryClient);
    completeSignIn(user, 'login', by);
    return answer;
  });
}

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
  readonly title?: LocalizedMessage;
  readonly words: LocalizedMessage;
}

/** `again`: the token is still valid and the card stays. `form`: the token is invalid; the form shows the notice. */
type SignOnEnd =
  | { readonly kind: 'again'; readonly words: LocalizedMessage }
  | { readonly kind: 'form'; readonly notice?: SignOnNotice };

const logInAgain = localizedMessage(msg`Please log in again`);
const cannotSignIn = localizedMessage(msg`This link can’t log you in`);

/**
 * What happens after a refused single sign-on. A lost response may be a lost success; the server reports that next
 * time.
 */
export function endOfSignOn(error: CallError): SignOnEnd {
  const words: LocalizedMessage = (i18n) => messageOfError(i18n, error);
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
