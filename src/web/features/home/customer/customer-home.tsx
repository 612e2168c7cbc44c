import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '#web/platform/brand/link.tsx';
import { useIsCapable } from '#web/platform/brand/use-is-capable.ts';
import { queryInfo } from '#contract/account.ts';
import type { UserInfo } from '#contract/user.ts';
import { OpenApp } from '#web/domain/notifications/install/open-app.tsx';
import { accessOf, isConfirmedEmpty } from '#web/domain/payments/access-text.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { q } from '#web/platform/api/query.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useSession } from '#web/platform/session/session.ts';
import TvArt from '#web/ui/art/tv.svg?react';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ArrowRight, Cloud, LifeBuoy, ReceiptText } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './customer-home.module.css';
import { hasEnoughTime, RunningPlan } from './running-plan.tsx';
import { Untranslated } from '#web/ui/untranslated.tsx';

/** The customer's home: until when they can watch, how to extend that, and how to use it on a TV. */
export function CustomerHome() {
  const user = useSession();
  return user ? <Home user={user} /> : null;
}

function Welcome({ nickname }: { nickname: string }) {
  const name = <Untranslated text={nickname} />;
  return <Trans>Welcome back, {name}</Trans>;
}

function Home({ user }: { user: UserInfo }) {
  const { uid, account, type } = user;
  const hasTvs = useIsCapable('tv');
  const { data, error, dataUpdatedAt: readAt } = useQuery(q(queryInfo, { body: { uid, account, type } }));
  // a saved copy cannot show that nothing runs: a plan may have been bought since
  const known = data && (accessOf(data, serverNow()).runs || isConfirmedEmpty({ error, readAt })) ? data : undefined;
  return (
    <div className={styles.home}>
      <h1 className={styles.hello} data-private>
        {data?.nickname ? <Welcome nickname={data.nickname} /> : <Trans>Welcome back</Trans>}
      </h1>
      <div className={styles.cards}>
        <Card as="section" className={styles.plan} data-private aria-busy={!known && !error}>
          {known ? <RunningPlan info={known} /> : error ? <Unknown /> : <Skeleton lines={5} height={32} />}
        </Card>
        {user.buysOnly || !hasTvs ? null : <ConnectTv first={data?.loginApp === false && hasEnoughTime(data)} />}
      </div>
      <PageLinks />
    </div>
  );
}

/** The account could not be loaded; the orders are a link away. */
function Unknown() {
  return (
    <div className={styles.unknown}>
      <p>
        <Trans>We can’t show your plan right now. Everything you bought is safe.</Trans>
      </p>
      <Link to="/account" className={buttonClass({ variant: 'secondary' })}>
        <Trans>Your account</Trans>
      </Link>
    </div>
  );
}

/** `first`: no device is in use yet, so this is the next step. */
function ConnectTv({ first }: { first: boolean }) {
  return (
    <Card as="section" tone="soft" className={styles.tv}>
      <TvArt />
      <div className={styles.words}>
        <h2 className={styles.title}>
          <Trans>Watch on your TV</Trans>
        </h2>
        <p>
          <Trans>Open the app on your TV and enter the code it shows. No password needed.</Trans>
        </p>
      </div>
      <div className={styles.acts}>
        <Link to="/connect-tv" className={buttonClass({ variant: first ? 'primary' : 'secondary' })}>
          <Trans>Connect a TV</Trans>
        </Link>
        <OpenApp quiet />
      </div>
    </Card>
  );
}

/** Links to the other pages of a customer. */
function PageLinks() {
  const { cloud } = useBrand().siteConfig;
  const hasReceipts = useIsCapable('buyByRedirect');
  return (
    <ul className={styles.places}>
      {cloud ? (
        <li>
          <Link to="/my-cloud" className={styles.place}>
            <Cloud aria-hidden />
            <Trans>My cloud</Trans>
            <ArrowRight aria-hidden />
          </Link>
        </li>
      ) : null}
      {hasReceipts ? (
        <li>
          <Link to="/receipts" className={styles.place}>
            <ReceiptText aria-hidden />
            <Trans>Receipts</Trans>
            <ArrowRight aria-hidden />
          </Link>
        </li>
      ) : null}
      <li>
        <Link to="/help" className={styles.place}>
          <LifeBuoy aria-hidden />
          <Trans>Help</Trans>
          <ArrowRight aria-hidden />
        </Link>
      </li>
    </ul>
  );
}
