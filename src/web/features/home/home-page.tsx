import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useBrand } from '../../brand/brand-context.tsx';
import { HeroArt } from '../../ui/art/hero-art.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Banners } from './banners.tsx';
import styles from './home-page.module.css';
import { StartingPrice } from './starting-price.tsx';
import { Themes } from './themes.tsx';

/** What the app does and what it costs from, in one screen; then why, in four pictures. */
export function HomePage() {
  const { name } = useBrand().theme;
  return (
    <>
      <Banners />
      <section className={styles.hero}>
        <div className={styles.words}>
          <h1>
            <Trans>Your library, on every screen you own</Trans>
          </h1>
          <p className={styles.lead}>
            <Trans>{name} plays your films, series and music on Android phones, TV boxes and smart TVs.</Trans>
          </p>
          <div className={styles.act}>
            <Link to="/pricing-table" className={buttonClass({ size: 'lg' })}>
              <Trans id="home.discover">Discover plans</Trans>
            </Link>
            <StartingPrice />
          </div>
        </div>
        <HeroArt />
      </section>
      <Themes />
    </>
  );
}
