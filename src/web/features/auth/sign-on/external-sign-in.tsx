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
  return <Spinner label={<Trans>Signing in with Google…</Trans>} />;
}

/** Explains to the customer who is still logged in why the other account was not. */
function SignOnRefused({ notice: { title, words }, onStay }: { notice: SignOnNotice; onStay: () => void }) {
  const { i18n } = useLingui();
  return (
    <section className={authStyles.page}>
      <h1 className={authStyles.title}>
        <Trans>This link cannot sign you in</Trans>
      </h1>
      {/* A message without a title requests another login, which a logged-in customer does not need. */}
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
