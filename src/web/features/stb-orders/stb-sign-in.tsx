import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { TvArt } from '../../ui/art/tv-art.tsx';
import { buttonClass } from '../../ui/button.tsx';
import styles from './stb-orders.module.css';

/** Orders belong to somebody: how one gets in with a phone, or with the code of the TV, or by typing. */
export function StbSignIn() {
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
