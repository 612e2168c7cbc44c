import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import styles from '#web/domain/auth/auth-form.module.css';
import { PhoneBeside } from '#web/domain/auth/phone-beside.tsx';
import { GoogleButton, useGoogleClient } from '#web/domain/auth/google-button.tsx';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useIsCapable } from '#web/platform/brand/use-is-capable.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';
import { hasMessages, withMessages } from '#web/platform/i18n/catalogs.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { OrDivider } from '#web/ui/or-divider.tsx';

/** Google login, and the link to the brand's other login, if it has them. */
export function OtherLoginMethods({ returnTo }: { returnTo: string | undefined }) {
  const client = useGoogleClient();
  const { webLink } = useBrand().siteConfig.login;
  if (!client && !webLink) return <PhoneBeside />;
  return (
    <div className={styles.ways}>
      <PhoneBeside />
      <OrDivider>
        <Trans>or</Trans>
      </OrDivider>
      {client ? <GoogleButton client={client} returnTo={returnTo} /> : null}
      {webLink ? <WebLink href={webLink} /> : null}
    </div>
  );
}

/** Engines that cannot find a passkey without an account would request one that does not exist. */
const findsPasskeys = () =>
  typeof PublicKeyCredential === 'function' && 'isConditionalMediationAvailable' in PublicKeyCredential;

const loadPasskeyLogin = () =>
  withMessages(
    'private',
    import('#web/domain/auth/passkey-login.tsx').then(({ PasskeyLogin }) => PasskeyLogin),
  );

/**
 * Mounted when the page is idle, if customers can have passkeys, the browser supports them and the messages are loaded.
 */
export function PasskeySlot() {
  const hasPasskeys = useIsCapable('account');
  const [PasskeyLogin, want] = useLazyModule(loadPasskeyLogin);
  useEffect(() => whenIdle(() => void (hasPasskeys && findsPasskeys() && want())), [hasPasskeys, want]);
  return PasskeyLogin && hasMessages('private') ? <PasskeyLogin /> : null;
}

/** The host is shown, because it is another site. */
function WebLink({ href }: { href: string }) {
  const { host } = new URL(href);
  return (
    <a className={buttonClass({ variant: 'secondary', wide: true })} href={href} rel="noopener noreferrer">
      <span>
        <Trans>Log in on {host}</Trans>
      </span>
    </a>
  );
}
