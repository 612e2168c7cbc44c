import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState, type ReactNode } from 'react';
import { peekSecret } from '../../entry/arrive.ts';
import { safeReturnPath } from '../../entry/return-path.ts';
import { getSession } from '../../session/session.ts';
import { Alert } from '../../ui/alert.tsx';
import { GoogleReturn } from './google-return.tsx';
import { SignOnCard } from './sign-on-card.tsx';
import type { SignOnNotice } from './sign-on-end.ts';

interface ArrivingProps {
  /** where the link wanted to go; a path of the storefront, anything else is ignored */
  returnTo: string | undefined;
  /** shows the login form, with this above it */
  onForm: (before: ReactNode) => void;
}

/** Arriving at /login by a link or from a provider: what is asked or done before the form would be shown. */
export function Arriving({ returnTo, onForm }: ArrivingProps) {
  const navigate = useNavigate();
  const [link] = useState(() => peekSecret('appToken'));
  const goOn = useCallback(
    (path: string | undefined) => void navigate({ href: safeReturnPath(path) ?? '/account', replace: true }),
    [navigate],
  );
  const showForm = useCallback(
    (notice?: SignOnNotice) => {
      onForm(notice ? <Notice {...notice} /> : null);
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
