import { useEffect, type ComponentType, type ReactNode } from 'react';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { getSession, useSession } from '#web/platform/session/session.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import styles from './home-switch.module.css';

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
  meanwhile: <div className={styles.place} aria-busy="true" />,
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
  if (!signedIn) return <div className={styles.visitor}>{children}</div>;
  return (
    <div className={styles.customer}>
      <CustomerHome>{children}</CustomerHome>
    </div>
  );
}
