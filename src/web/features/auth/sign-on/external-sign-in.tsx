import { useLingui, Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState, useEffect, useRef } from 'react';
import authStyles from '#web/domain/auth/auth-form.module.css';
import { peekSecret, consumeSecret } from '#web/platform/entry/secret-store.ts';
import { safeReturnPath } from '#web/platform/entry/return-path.ts';
import { getSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { SignOnCard } from './sign-on-card.tsx';
import { type SignOnNotice, signInAs } from './use-sign-on.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Elements } from '#web/ui/elements.ts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { googleLogin } from '#contract/sign-on.ts';
import { storedDeviceToken } from '#web/domain/auth/complete-sign-in.ts';
import { setGoogleNotice } from '#web/domain/auth/google-notice.ts';
import { setGoogleTicket, consumeGoogleStart } from '#web/domain/auth/google-state.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import type { GoogleStart } from '#web/platform/session/storage/identity-keys.ts';
import { msg } from '@lingui/core/macro';
import type { ProviderAnswer } from '#web/platform/entry/secrets.ts';
import { localizedMessage } from '#web/platform/form/localized-message.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';

interface ExternalSignInProps {
  /** the link's target; a path of the storefront, anything else is ignored */
  returnTo: string | undefined;
  /** shows the login form, with this above it */
  onForm: (before: Elements) => void;
}

/** Handles an arrival at /login by a link or from a provider before the form is shown. */
export function ExternalSignIn({ returnTo, onForm }: ExternalSignInProps) {
  const navigate = useNavigate();
  const [link] = useState(() => peekSecret('appToken'));
  const [refused, setRefused] = useState<SignOnNotice>();
  const goOn = useCallback(
    (path: string | undefined) => void navigate({ href: safeReturnPath(path) ?? '/account', replace: true }),
    [navigate],
  );
  const showForm = useCallback(
    (notice?: SignOnNotice) => {
      // The login form redirects a logged-in customer at once, so the notice above it would be lost.
      if (notice && getSession()) setRefused(notice);
      else onForm(notice ? <Notice {...notice} /> : null);
      // The focused button was removed.
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    },
    [onForm],
  );
  const onAnother = useCallback(() => {
    // A logged-in customer stays logged in and goes to the link's target.
    if (getSession()) return goOn(returnTo);
    // Without the account of the link, which the customer would only have to delete from the field.
    void navigate({ to: '/login', search: { return: returnTo }, replace: true }).then(() => showForm());
  }, [goOn, navigate, returnTo, showForm]);
  const onEntered = useCallback(() => goOn(returnTo), [goOn, returnTo]);
  if (refused) return <SignOnRefused notice={refused} onStay={onEntered} />;
  if (link) return <SignOnCard link={link} onEntered={onEntered} onForm={showForm} onAnother={onAnother} />;
  return <GoogleReturn onEntered={goOn} onForm={showForm} />;
}

function Notice({ tone, title, words }: SignOnNotice) {
  const { i18n } = useLingui();
  return (
    <Alert tone={tone} title={title?.(i18n)} live={tone === 'info' ? 'polite' : 'assertive'}>
      {words(i18n)}
    </Alert>
  );
}

interface GoogleReturnProps {
  onEntered: (returnTo: string | undefined) => void;
  onForm: (notice?: SignOnNotice) => void;
}

/** Shown between the provider's page and the storefront. */
function GoogleReturn(props: GoogleReturnProps) {
  useGoogleReturn(props);
  return <Spinner label={<Trans>Logging in with Google…</Trans>} />;
}

/** Explains to the customer who is still logged in why the other account was not. */
function SignOnRefused({ notice: { title, words }, onStay }: { notice: SignOnNotice; onStay: () => void }) {
  const { i18n } = useLingui();
  return (
    <section className={authStyles.page}>
      <h1 className={authStyles.title}>
        <Trans>This link can’t log you in</Trans>
      </h1>
      {/* A message without a title requests another login, which a logged-in customer does not need. */}
      {title ? (
        <Alert tone="danger" live="assertive">
          {words(i18n)}
        </Alert>
      ) : null}
      <Button size="lg" wide onClick={onStay}>
        <Trans>Stay in my account</Trans>
      </Button>
    </section>
  );
}

const tryAgain: SignOnNotice = {
  tone: 'danger',
  words: localizedMessage(msg`Google login didn’t work. Please try again.`),
};
const changedMind: SignOnNotice = {
  tone: 'info',
  words: localizedMessage(msg`You didn’t log in with Google. Try again or log in another way.`),
};

/**
 * The problem of the provider's response before anything is sent; undefined without a problem. If this tab started no
 * login with the same `state`, another party did (RFC 6749, 10.12).
 */
export function problemOfAnswer({ code, error }: ProviderAnswer, started: boolean): SignOnNotice | undefined {
  if (!started) return tryAgain;
  if (error === 'access_denied') return changedMind;
  return code === undefined ? tryAgain : undefined;
}

/** The message above the form after the server refused the response. Its code is valid once, so there is no retry. */
export function noticeOfRefusal(error: CallError): SignOnNotice {
  if (error.kind !== 'refused' || error.is('loginFailedRefresh')) return tryAgain;
  return { tone: 'danger', words: (i18n) => messageOfError(i18n, error) };
}

interface GoogleEnd {
  readonly kind: 'entered' | 'signup' | 'form';
  /** what this tab stored before it redirected to the provider */
  readonly start?: GoogleStart | undefined;
  readonly notice?: SignOnNotice | undefined;
}

/**
 * The page after Google, with the query that it had: the sign-up for a visitor without an account, else the page that
 * offered Google.
 */
export function pageAfterGoogle({ kind, start }: Pick<GoogleEnd, 'kind' | 'start'>): string {
  const page = start?.page;
  const back = start?.returnTo === undefined ? '' : `?return=${encodeURIComponent(start.returnTo)}`;
  if (kind === 'signup') return page !== undefined && isSignup(page) ? page : `/register${back}`;
  return page ?? `/login${back}`;
}

const isSignup = (page: string) => /^\/register(?:$|[?#])/.test(page);

interface GoogleReturnOptions {
  readonly onEntered: (returnTo: string | undefined) => void;
  readonly onForm: (notice?: SignOnNotice) => void;
}

/** Completes a login with Google: once, because neither the code nor the stored start is valid twice. */
function useGoogleReturn(options: GoogleReturnOptions): void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const done = useRef(false);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    if (done.current) return;
    done.current = true;
    void endOfGoogle(queryClient).then((end) => {
      if (end.kind === 'entered') return latest.current.onEntered(end.start?.returnTo);
      // The provider redirected to the bare login; the stored start restores the page.
      const page = pageAfterGoogle(end);
      // A logged-in customer sees the message here: the sign-up would redirect and lose it.
      const leaves = isSignup(page) && !(end.notice && getSession());
      if (leaves) setGoogleNotice(end.notice);
      void navigate({ href: page, replace: true });
      if (!leaves) latest.current.onForm(end.notice);
    });
  }, [navigate, queryClient]);
}

async function endOfGoogle(queryClient: QueryClient): Promise<GoogleEnd> {
  const answer = consumeSecret('google');
  if (!answer) return { kind: 'form' };
  const start = consumeGoogleStart(answer.state);
  const problem = problemOfAnswer(answer, start !== undefined);
  if (problem || !start || answer.code === undefined) return { kind: 'form', start, notice: problem };
  const { result, error } = await send(queryClient, start, answer.code);
  if (error) return { kind: 'form', start, notice: noticeOfRefusal(error) };
  if (result.outcome === 'signedIn') return { kind: 'entered', start };
  const { ticket, email, name } = result;
  setGoogleTicket({ ticket, email, name });
  return { kind: 'signup', start };
}

function send(queryClient: QueryClient, { codeVerifier, nonce }: GoogleStart, code: string) {
  const body = { code, codeVerifier, nonce, device: storedDeviceToken() };
  return signInAs(
    queryClient,
    'google',
    () => attempt(googleLogin, { body }),
    ({ result }) => (result?.outcome === 'signedIn' ? result.user : null),
  );
}
