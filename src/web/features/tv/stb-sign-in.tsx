import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import TvArt from '#web/ui/art/tv.svg?react';
import { buttonClass } from '#web/ui/button.tsx';
import styles from './stb-orders.module.css';

async function loadPhoneSignIn() {
  const [{ PhoneSignInPanel }] = await Promise.all([
    import('#web/domain/auth/sign-on/phone-sign-in.tsx'),
    ensureWords('private'),
  ]);
  return PhoneSignInPanel;
}

/** Orders need a login: on a TV a phone logs in; on a phone the customer uses the TV's code or types. */
export function StbSignIn() {
  const [PhoneSignIn, want] = useLazyModule(loadPhoneSignIn);
  useEffect(() => {
    if (document.documentElement.dataset.screen) void want();
  }, [want]);
  if (!PhoneSignIn) return <DeviceCodeHint />;
  const title = (
    <h1 className={styles.title}>
      <Trans>Sign in to see your orders</Trans>
    </h1>
  );
  return (
    <PhoneSignIn title={title}>
      <Link
        to="/login"
        search={{ return: '/stb-orders' }}
        className={buttonClass({ variant: 'secondary', size: 'lg' })}
      >
        <Trans>Log in</Trans>
      </Link>
    </PhoneSignIn>
  );
}

function DeviceCodeHint() {
  return (
    <section className={styles.signIn}>
      <div className={styles.art}>
        <TvArt />
      </div>
      <div className={styles.ways}>
        <h1 className={styles.title}>
          <Trans>Sign in to see your orders</Trans>
        </h1>
        <p className={styles.soft}>
          <Trans>
            Scan the QR code that the app shows on your TV. Your orders then open on your phone. Or type the code here.
          </Trans>
        </p>
        <Link to="/device" search={{ return: '/stb-orders' }} className={buttonClass({ size: 'lg', wide: true })}>
          <Trans>Type the code of the TV</Trans>
        </Link>
        <Link
          to="/login"
          search={{ return: '/stb-orders' }}
          className={buttonClass({ variant: 'secondary', size: 'lg', wide: true })}
        >
          <Trans>Log in</Trans>
        </Link>
      </div>
    </section>
  );
}
