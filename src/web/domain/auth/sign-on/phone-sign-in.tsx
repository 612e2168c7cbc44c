import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ScanCode, ScanPanel } from '#web/ui/scan-panel.tsx';
import type { Shown } from './follow-grant.ts';
import styles from './phone-sign-in.module.css';
import { usePhoneSignIn } from './use-phone-sign-in.ts';
import type { Elements } from '#web/ui/elements.ts';

/** Beside the login form of a TV: both methods stay available. */
export function PhoneSignInBeside() {
  const { t } = useLingui();
  const { again, ...shown } = usePhoneSignIn();
  useEffect(() => {
    const main = document.querySelector('main');
    main?.setAttribute('data-beside', '');
    return () => main?.removeAttribute('data-beside');
  }, []);
  return (
    <section className={styles.beside} aria-labelledby="phone-sign-in">
      <h2 className={styles.title} id="phone-sign-in">
        <Trans>Sign in with your phone</Trans>
      </h2>
      {shown.refused ? null : (
        <ScanCode text={shown.codes?.verification_uri_complete} label={t`Scan to sign this TV in with your phone`} />
      )}
      <SignInState shown={shown} onAgain={again} />
    </section>
  );
}

/** The same as a page of its own, with its purpose above and the login form below. */
export function PhoneSignInPanel({ title, children }: { title: Elements; children: Elements }) {
  const { t } = useLingui();
  const { again, ...shown } = usePhoneSignIn();
  return (
    <ScanPanel text={shown.codes?.verification_uri_complete} label={t`Scan to sign this TV in with your phone`}>
      {title}
      <p>
        <Trans>Point the camera of your phone at the code, and say yes there. This page then goes on by itself.</Trans>
      </p>
      <SignInState shown={shown} onAgain={again} />
      {children}
    </ScanPanel>
  );
}

/** The code as text, for comparing or typing, and errors. */
function SignInState({ shown: { codes, lost, refused }, onAgain }: { shown: Shown; onAgain: () => void }) {
  return (
    <>
      {codes ? <TypedCode code={codes.user_code} address={codes.verification_uri} /> : null}
      <p className={styles.state} role="status">
        {lost ? <Trans>There is no network. It goes on by itself as soon as there is.</Trans> : null}
        {refused ? <Trans>Somebody said no on the phone.</Trans> : null}
      </p>
      {refused ? (
        <Button variant="secondary" onClick={onAgain}>
          <Trans>Show a new code</Trans>
        </Button>
      ) : null}
    </>
  );
}

function TypedCode({ code, address }: { code: string; address: string }) {
  const place = address.replace(/^https?:\/\//, '');
  return (
    <p className={styles.typed}>
      <Trans>
        Or open {place} and type <strong className={`num ${styles.letters}`}>{code}</strong>
      </Trans>
    </p>
  );
}
