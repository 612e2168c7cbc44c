import { useEffect, type ComponentType, type ReactNode } from 'react';
import { withWords } from '#web/platform/i18n/catalogs.ts';
import { getSession, useSession } from '#web/platform/session/session.ts';
import { late } from '#web/ui/late.tsx';
import styles from './home-for.module.css';

interface HomeProps {
  /** the home of everybody */
  children: ReactNode;
}

const fetchHome = (): Promise<ComponentType<HomeProps>> =>
  withWords('private', import('./customer/customer-home.tsx')).then(
    ({ CustomerHome: found }) => found,
    // without it, everybody's home is better than none
    () =>
      ({ children }) =>
        children,
  );

/** All that a customer waits for here, so it comes while the page comes to life, and not when it is drawn. */
const early = !import.meta.env.SSR && getSession() ? fetchHome() : undefined;

const CustomerHome = late<HomeProps>(() => early ?? fetchHome(), {
  meanwhile: <div className={styles.place} aria-busy="true" />,
});

/**
 * [Note: Two homes] The HTML is everybody's, and has the visitor's home. A first script in the head marks the page of somebody who
 * is signed in before anything is painted, so they see the place of their own home from the start, and never the other one.
 */
export function HomeFor({ children }: HomeProps) {
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
