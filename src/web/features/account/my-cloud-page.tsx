import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Result } from '#contract/endpoint.ts';
import { cloud } from '#contract/site.ts';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { q } from '#web/platform/api/query.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import CloudArt from '#web/ui/art/cloud.svg?react';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './my-cloud.module.css';

/** /my-cloud: the brand's text about the cloud storage of the account, and a link to it. */
export function MyCloudPage() {
  return (
    <CustomerArea title={<Trans>My cloud</Trans>} below="/account" meanwhile={<CloudSkeleton />}>
      <MyCloud />
    </CustomerArea>
  );
}

function MyCloud() {
  const { data, error, dataUpdatedAt, refetch } = useQuery(q(cloud, {}));
  if (!data) return error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <CloudSkeleton />;
  return (
    <>
      <SavedStamp error={error} readAt={dataUpdatedAt} fillsGap />
      <Card as="section" className={styles.cloud} aria-labelledby="cloud-storage">
        <div className={styles.art}>
          <CloudArt />
        </div>
        <div className={styles.words}>
          <h2 className={styles.storage} id="cloud-storage">
            <StorageSize gigabytes={data.storageGb} />
          </h2>
          {data.usedBytes === undefined ? null : <UsedStorage bytes={data.usedBytes} gigabytes={data.storageGb} />}
          {data.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <OpenCloudLink link={data.link} />
        </div>
      </Card>
    </>
  );
}

function StorageSize({ gigabytes }: { gigabytes: number }) {
  const { i18n } = useLingui();
  const size = i18n.number(gigabytes, { style: 'unit', unit: 'gigabyte' });
  return <Trans>{size} of storage</Trans>;
}

/** In bytes. */
const [megabyte, gigabyte] = [1e6, 1e9];

function UsedStorage({ bytes, gigabytes }: { bytes: number; gigabytes: number }) {
  const { i18n } = useLingui();
  const [size, unit] = bytes < gigabyte ? [bytes / megabyte, 'megabyte'] : [bytes / gigabyte, 'gigabyte'];
  const used = i18n.number(size, { style: 'unit', unit, maximumFractionDigits: 1 });
  return (
    <p className={styles.used}>
      <ProgressBar max={gigabytes * gigabyte} value={bytes} aria-hidden />
      <Trans>{used} used</Trans>
    </p>
  );
}

/** An app that opens hides this page; if it is not installed, the page stays visible. In milliseconds. */
const opensWithinMs = 2500;

/**
 * A web page opens in the browser. The app is opened by its URL scheme, which does nothing if the app is not installed.
 */
function OpenCloudLink({ link }: Pick<Result<typeof cloud>, 'link'>) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [missing, setMissing] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (link === null) return null;
  const isApp = !link.startsWith('https:');
  const look = () => {
    setMissing(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setMissing(!document.hidden), opensWithinMs);
  };
  return (
    <div className={styles.open}>
      <a href={link} rel="noreferrer" className={buttonClass()} onClick={isApp ? look : undefined}>
        <Trans>Open my cloud</Trans>
      </a>
      <p className={styles.soft} role="status">
        {missing ? <Trans>The app didn’t open. Is it installed on this device?</Trans> : null}
      </p>
    </div>
  );
}

function CloudSkeleton() {
  return (
    <Card aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Skeleton lines={5} height={28} />
    </Card>
  );
}
