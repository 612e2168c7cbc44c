import { Trans, Plural } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { Picture } from '#web/ui/art/picture.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import styles from './home-page.module.css';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, type ComponentType, type ReactNode } from 'react';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { ArrowRight } from '#web/ui/icon.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { bannerQuery, plansQuery } from './home-queries.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { getSession, useSession } from '#web/platform/session/session.ts';
import switchStyles from './home-switch.module.css';

/**
 * Content below the first screen, the plans, and decoration: in the server's HTML, and hydrated when the page is idle.
 */
const HomeMore = lazyPart(async () => (await import('./home-sections.tsx')).HomeSections);
const HeroArt = lazyPart(async () => (await import('#web/ui/art/hero.svg?react')).default);
const HomePlans = lazyPart(async () => (await import('./home-plans.tsx')).HomePlans);

/**
 * The app and its starting price on one screen, then its features, then the plans; or the plans first, if the brand
 * chooses that.
 */
export function HomePage() {
  const plansFirst = useBrand().siteConfig.homeVariant === 'plans';
  return (
    <div className={styles.home}>
      <Banners />
      {plansFirst ? <HomePlans first>{whatItDoes}</HomePlans> : <Hero />}
      <HomeMore withPlans={!plansFirst} />
    </div>
  );
}

function Hero() {
  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        <h1>
          <Trans>Your library on every screen you own</Trans>
        </h1>
        <Features />
        <div className={styles.act}>
          <Link to="/pricing-table" data-first className={buttonClass({ size: 'lg' })}>
            <Trans id="home.discover">Discover plans</Trans>
          </Link>
          <StartingPrice />
        </div>
      </div>
      <Picture at="translate(34 4) scale(.735)">
        <HeroArt />
      </Picture>
    </section>
  );
}

function Features() {
  const { name } = useBrand().theme;
  return (
    <p>
      <Trans>{name} plays your films, series and music on Android phones, TV boxes and smart TVs.</Trans>
    </p>
  );
}

/** The same element in every rendering, so that a part that is hydrated later is not rendered again. */
const whatItDoes = <Features />;

/** The operator's current banners, one line each. */
function Banners() {
  const { data } = useQuery(bannerQuery(useDeferredValue(useLanguage())));
  if (!data?.length) return null;
  return (
    <ul className={styles.banners}>
      {data.map(({ id, text, link }) => (
        <li key={id}>
          {link ? (
            <Link to={link} className={styles.banner}>
              <span>{text}</span>
              <ArrowRight aria-hidden />
            </Link>
          ) : (
            <span className={styles.banner}>{text}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The smallest possible payment and its period: the actual price, not divided. */
function StartingPrice() {
  const language = useLanguage();
  const { data } = useSuspenseQuery(plansQuery(useDeferredValue(language)));
  const [first, ...others] = data.plans;
  if (!first) return null;
  const cheapest = others.reduce((best, plan) => (plan.price.amount < best.price.amount ? plan : best), first);
  return (
    <p className={styles.price}>
      <Trans>
        from{' '}
        <strong>
          <MoneyText money={cheapest.price} language={language} />
        </strong>{' '}
        for <Plural value={cheapest.days} one="# day" other="# days" />
      </Trans>
    </p>
  );
}

interface HomeProps {
  /** the visitor's home */
  children: ReactNode;
}

const fetchHome = (): Promise<ComponentType<HomeProps>> =>
  withMessages('private', import('./customer/customer-home.tsx')).then(
    ({ CustomerHome: found }) => found,
    // if it fails to load, the visitor's home is shown
    () =>
      ({ children }) =>
        children,
  );

/** Starts loading while the page is hydrated, because a customer waits for nothing else here. */
const early = !import.meta.env.SSR && getSession() ? fetchHome() : undefined;

const CustomerHome = lazyPart<HomeProps>(() => early ?? fetchHome(), {
  meanwhile: <div className={switchStyles.place} aria-busy="true" />,
});

/**
 * The HTML is the same for everybody and contains the visitor's home. An inline script in the head sets an attribute
 * for a logged-in customer before the first paint, so that they see the placeholder of their own home and never the
 * visitor's.
 */
export function HomeSwitch({ children }: HomeProps) {
  const session = useSession();
  // a phone that was handed a checkout sees nothing else of the account
  const signedIn = session !== null && session.onlyPlanId === undefined;
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (signedIn) dataset['customer'] = '';
    else delete dataset['customer'];
  }, [signedIn]);
  if (!signedIn) return <div className={switchStyles.visitor}>{children}</div>;
  return (
    <div className={switchStyles.customer}>
      <CustomerHome>{children}</CustomerHome>
    </div>
  );
}
