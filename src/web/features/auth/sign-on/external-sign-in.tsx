import { useLingui, Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import authStyles from '#web/domain/auth/auth-form.module.css';
import { peekSecret } from '#web/platform/entry/arrive.ts';
import { safeReturnPath } from '#web/platform/entry/return-path.ts';
import { getSession } from '#web/platform/session/session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { SignOnCard } from './sign-on-card.tsx';
import type { SignOnNotice } from './sign-on-end.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useGoogleReturn } from './use-google-return.ts';
import type { Elements } from '#web/ui/elements.ts';

interface ExternalSignInProps {
  /** where the link wanted to go; a path of the storefront, anything else is ignored */
  returnTo: string | undefined;
  /** shows the login form, with this above it */
  onForm: (before: Elements) => void;
}

/** Who comes to /login by a link or from a provider: what is asked or done before the form would be shown. */
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
      // The login form leads whoever is signed in away at once, and with it what would be said above it.
      if (notice && getSession()) setRefused(notice);
      else onForm(notice ? <Notice {...notice} /> : null);
      // The button that had the focus is gone.
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    },
    [onForm],
  );
  const onAnother = useCallback(() => {
    // Whoever is signed in here stays so, and goes where the link led all the same.
    if (getSession()) return goOn(returnTo);
    // First of all without what the link said of the account, which would only have to be deleted from the field.
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

/** The moment between the provider and the storefront. */
function GoogleReturn(props: GoogleReturnProps) {
  useGoogleReturn(props);
  return <Spinner label={<Trans>Signing in with Google…</Trans>} />;
}

/** Why nobody else was signed in, for the one who still is. */
function SignOnRefused({ notice: { title, words }, onStay }: { notice: SignOnNotice; onStay: () => void }) {
  const { i18n } = useLingui();
  return (
    <section className={authStyles.page}>
      <h1 className={authStyles.title}>
        <Trans>This link cannot sign you in</Trans>
      </h1>
      {/* Words without a title ask for another login, which only somebody needs who is not signed in. */}
      {title ? (
        <Alert tone="danger" live="assertive">
          {words(i18n)}
        </Alert>
      ) : null}
      <Button size="lg" wide onClick={onStay}>
        <Trans>Stay with my account</Trans>
      </Button>
    </section>
  );
}
